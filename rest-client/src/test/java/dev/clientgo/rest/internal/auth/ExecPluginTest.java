package dev.clientgo.rest.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.Patience;
import dev.clientgo.rest.TestThread;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ExecConfig.InteractiveMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Running a credential plugin. The Go tests named are in {@code
 * plugin/pkg/client/auth/exec/exec_test.go}; the plugins here are shell scripts.
 */
@Timeout(300)
@DisabledOnOs(OS.WINDOWS)
final class ExecPluginTest extends ExecPluginFixture {

  /* --------------- What it answers --------------- */

  /** TestRefreshCreds, "basic-request". */
  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta1"})
  void token_isTaken(String version) throws Exception {
    ExecConfig config =
        ExecConfig.builder("client.authentication.k8s.io/" + version, "sh")
            .args(List.of("-c", "echo '" + TOKEN.replace("k8s.io/v1", "k8s.io/" + version) + "'"))
            .interactiveMode(InteractiveMode.NEVER)
            .build();

    ExecCredential credential = plugin(config, false).run();

    assertThat(credential.token()).isEqualTo("foo-bar");
    assertThat(credential.expiry()).isNull();
  }

  /** Upstream decodes what is written by what reads manifests. */
  @Test
  void answerInYaml_isTaken() throws Exception {
    ExecCredential credential =
        run(
            answering(
                """
                # From a vault.
                kind: ExecCredential
                apiVersion: client.authentication.k8s.io/v1
                status:
                  token: foo-bar
                  expirationTimestamp: 2006-01-02T15:04:05Z\
                """));

    assertThat(credential.token()).isEqualTo("foo-bar");
    assertThat(credential.expiry()).isEqualTo(Instant.parse("2006-01-02T15:04:05Z"));
  }

  /** TestRefreshCreds, "beta-expiry". */
  @Test
  void expiry_isTaken() throws Exception {
    ExecCredential credential =
        run(
            answering(
                TOKEN.replace(
                    "\"status\":{",
                    "\"status\":{\"expirationTimestamp\":\"2006-01-02T15:04:05Z\",")));

    assertThat(credential.expiry()).isEqualTo(Instant.parse("2006-01-02T15:04:05Z"));
  }

  /** TestRefreshCreds, "beta-with-TLS-credentials". */
  @Test
  void certificate_isTaken() throws Exception {
    HeldCertificate held = new HeldCertificate.Builder().build();
    Path answer =
        Files.writeString(directory.resolve("answer"), certificate(held.certificatePem(), held));

    ExecCredentials credentials =
        new ExecCredentials(plugin(script("cat " + answer).build(), false), FakeClock.create());
    Credential credential = credentials.current();

    assertThat(credential.authorization()).isNull();
    assertThat(credential.identity()).isNotNull();
    assertThat(credential.identity().certificate()).isEqualTo(held.certificate());
    assertThat(credentials.identity()).isSameAs(credential.identity());
  }

  private static String certificate(String certificate, HeldCertificate held) {
    return TOKEN.replace(
        "\"token\":\"foo-bar\"",
        "\"clientCertificateData\":\""
            + certificate.replace("\n", "\\n")
            + "\",\"clientKeyData\":\""
            + held.privateKeyPkcs8Pem().replace("\n", "\\n")
            + "\"");
  }

  /** TestRefreshCreds, "beta-with-bad-TLS-credentials"; and a key that is another's. */
  @Test
  void certificate_thatIsNone_isRefusedUnseen() throws Exception {
    HeldCertificate one = new HeldCertificate.Builder().build();
    HeldCertificate other = new HeldCertificate.Builder().build();
    for (String bad : List.of("bar", one.certificatePem())) {
      Path answer = Files.writeString(directory.resolve("answer"), certificate(bad, other));

      assertThatThrownBy(
              () ->
                  new ExecCredentials(
                          plugin(script("cat " + answer).build(), false), FakeClock.create())
                      .current())
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith("credential plugin sh (of user \"dev\"")
          .hasMessageContaining("returned a certificate or a key that cannot be used: ")
          .hasMessageNotContaining(other.privateKeyPkcs8Pem().substring(30, 60));
    }
  }

  /** TestRefreshCreds, its failures. */
  @Test
  void answer_thatIsNone_isRefusedUnseen() {
    String api = "\"apiVersion\":\"client.authentication.k8s.io/v1\"";
    String head = "{\"kind\":\"ExecCredential\"," + api;
    String alone = ": its standard output may contain only an ExecCredential";
    assertFails(
        answering("{\"token\": hunter2"), "printed 18 bytes that are not a JSON object" + alone);
    assertFails(
        answering("Error: hunter2: \n\t- no"),
        "printed 23 bytes that are not a JSON object" + alone);
    assertFails(answering("login: hunter2"), "printed 15 bytes that are not a JSON object" + alone);
    assertFails(answering("[1]"), "printed 4 bytes that are not a JSON object" + alone);
    assertFails(script("true"), "printed nothing to its standard output");
    assertFails(
        answering("{\"kind\":\"ExecCredential\",\"status\":{\"token\":\"t\"}}"),
        "returned kind \"ExecCredential\" and apiVersion (none), but is configured for"
            + " ExecCredential and client.authentication.k8s.io/v1");
    assertFails(
        answering(TOKEN.replace("k8s.io/v1", "k8s.io/v1beta1")),
        "returned kind \"ExecCredential\" and apiVersion"
            + " \"client.authentication.k8s.io/v1beta1\", but is configured for"
            + " ExecCredential and client.authentication.k8s.io/v1");
    assertFails(
        answering("{\"kind\":\"Pod\"," + api + "}"),
        "returned kind \"Pod\" and apiVersion \"client.authentication.k8s.io/v1\", but is"
            + " configured for ExecCredential and client.authentication.k8s.io/v1");
    assertFails(answering(head + "}"), "did not return a status field");
    assertFails(
        answering(head + ",\"status\":{}}"),
        "did not return a token or a certificate with its key");
    assertFails(
        answering(head + ",\"status\":{\"clientCertificateData\":\"c\"}}"),
        "returned only a certificate, but one needs the other");
    assertFails(
        answering(head + ",\"status\":{\"clientKeyData\":\"k\"}}"),
        "returned only a key, but one needs the other");
    assertFails(
        answering(head + ",\"status\":{\"token\":7}}"),
        "returned a status whose token is not text");
    assertFails(
        answering(head + ",\"status\":{\"token\":\"a\\nb\"}}"),
        "returned a token with a line break or another control character");
    assertFails(
        answering(head + ",\"status\":{\"token\":\"t\",\"expirationTimestamp\":\"soon\"}}"),
        "returned an expirationTimestamp that is not an RFC 3339 time");
  }

  /* --------------- How it ends --------------- */

  /** The output of a plugin that fails does not count (TestRefreshCreds, "binary-fails"). */
  @Test
  void exitCode_isReported() {
    assertFails(
        script("echo '" + TOKEN + "'; exit 73"),
        "failed with exit code 73: see what it wrote to standard error, or run it by hand");
  }

  @Test
  void plugin_thatHangs_isKilledWithItsChildren() throws Exception {
    Path pid = directory.resolve("pid");
    Patience.grow(
        Duration.ofSeconds(1),
        timeout -> {
          assertFails(
              script("sleep 600 & " + write("$!", pid) + "; wait").timeout(timeout),
              "did not finish within "
                  + timeout.toSeconds()
                  + " s and was killed: does it wait for a login?");
          return Files.exists(pid); // Or it was killed before it had a child.
        });
    assertGone(pid);
  }

  /** Returns how a script writes the number of a process to a file, all at once. */
  private static String write(String number, Path pid) {
    return "echo " + number + " > " + pid + ".new; mv " + pid + ".new " + pid;
  }

  private static void assertGone(Path pid) throws Exception {
    Optional<ProcessHandle> child = ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
    if (child.isPresent()) {
      child.get().onExit().get(30, java.util.concurrent.TimeUnit.SECONDS);
    }
  }

  @Test
  void plugin_thatNeverStopsToTalk_isKilled() {
    assertFails(
        script("yes"),
        "printed output that cannot be read: java.io.IOException: it is longer than 1048576"
            + " bytes");
  }

  @Test
  void interruption_killsThePlugin() throws Exception {
    Path pid = directory.resolve("pid");
    ExecConfig.Builder config = script(write("$$", pid) + "; exec sleep 600");
    TestThread<ExecCredential> thread = TestThread.start(() -> run(config)).awaitIn("get");
    for (int i = 0; i < 6000 && !Files.exists(pid); i++) {
      java.util.concurrent.locks.LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }

    thread.interrupt();

    assertThat(thread.failure()).isInstanceOf(InterruptedException.class);
    assertGone(pid);
  }

  /** TestRefreshCreds, "unknown-binary". */
  @Test
  void plugin_thatIsNotThere_isReportedWithTheHint() throws Exception {
    String help =
        ": it is installed apart from this program, see"
            + " https://kubernetes.io/docs/reference/access-authn-authz/authentication/"
            + "#client-go-credential-plugins";
    ExecConfig.Builder bare =
        ExecConfig.builder(ExecConfig.V1, "no-such-plugin")
            .interactiveMode(InteractiveMode.NEVER)
            .installHint("get it \u001b[1mnow\u001b[0m")
            .origin("user \"dev\" in kubeconfig /home/me/.kube/config");
    assertFails(
        bare,
        "cannot be run: no folder of PATH has it" + help + "\n\nget it U+001B[1mnowU+001B[0m");
    Path file = directory.resolve("plugin");
    ExecConfig.Builder path =
        ExecConfig.builder(ExecConfig.V1, file.toString())
            .interactiveMode(InteractiveMode.NEVER)
            .origin("user \"dev\" in kubeconfig /home/me/.kube/config");
    assertFails(path, "cannot be run: there is no file " + file + help);
    Files.createFile(file);
    assertFails(path, "cannot be run: " + file + " is not executable" + help);
  }

  /** A plugin that asks without a terminal sees the end of its input, and does not hang. */
  @Test
  void standardInput_isEmptyIfNotInteractive() throws Exception {
    assertThat(run(script("cat >&2; echo '" + TOKEN + "'")).token()).isEqualTo("foo-bar");
  }

  /** No shell looks at the arguments. */
  @Test
  void arguments_arePassedAsTheyAre() throws Exception {
    ExecConfig config =
        ExecConfig.builder(ExecConfig.V1, "sh")
            .args(
                List.of(
                    "-c",
                    "test \"$1\" = '$HOME; \"x\"' && echo '" + TOKEN + "'",
                    "sh",
                    "$HOME; \"x\""))
            .interactiveMode(InteractiveMode.NEVER)
            .build();

    assertThat(plugin(config, false).run().token()).isEqualTo("foo-bar");
  }
}
