package dev.clientgo.rest.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.Patience;
import dev.clientgo.rest.TestThread;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ExecConfig.InteractiveMode;
import dev.clientgo.rest.config.PluginPolicy;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Running a credential plugin. The Go tests named are in {@code
 * plugin/pkg/client/auth/exec/exec_test.go}; the plugins here are shell scripts.
 */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
final class ExecPluginTest {

  private static final String TOKEN =
      """
      {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",
       "status":{"token":"foo-bar"}}\
      """;

  @TempDir private Path directory;

  /** A plugin that a shell interprets. */
  private static ExecConfig.Builder script(String script) {
    return ExecConfig.builder(ExecConfig.V1, "sh")
        .args(List.of("-c", script))
        .interactiveMode(InteractiveMode.NEVER)
        .origin("user \"dev\" in kubeconfig /home/me/.kube/config");
  }

  private static ExecConfig.Builder answering(String answer) {
    return script("cat <<'END'\n" + answer + "\nEND");
  }

  private static ExecPlugin plugin(ExecConfig config, boolean terminal) {
    return plugin(config, terminal, RestConfig.builder("https://foo").build(), null);
  }

  private static ExecPlugin plugin(
      ExecConfig config,
      boolean terminal,
      RestConfig rest,
      @org.jspecify.annotations.Nullable Object cluster) {
    return new ExecPlugin(
        config,
        rest.pluginPolicy(),
        ExecCluster.of(rest, cluster),
        System.getenv(),
        () -> terminal,
        FakeClock.create(),
        RequestPolicies.standard());
  }

  private static ExecCredential run(ExecConfig.Builder config) throws InterruptedException {
    return plugin(config.build(), false).run();
  }

  private static void assertFails(ExecConfig.Builder config, String problem) {
    assertThatThrownBy(() -> run(config))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "credential plugin "
                + config.build().command()
                + " (of user \"dev\" in kubeconfig /home/me/.kube/config) "
                + problem);
  }

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

  /** TestInstallHintRateLimit: ten times, and again when an hour has passed. */
  @Test
  void hint_isGivenTenTimesAnHour() {
    FakeClock clock = FakeClock.create();
    InstallHint hint = new InstallHint("hint", clock);
    for (int i = 0; i < 10; i++) {
      assertThat(hint.next()).endsWith("hint");
      clock.advance(Duration.ofMinutes(1));
    }
    assertThat(hint.next()).isEmpty();

    clock.advance(Duration.ofMinutes(50));
    assertThat(hint.next()).endsWith("hint");
  }

  /** TestCleanANSIEscapeCodes. */
  @ParameterizedTest
  @CsvSource({
    "'\u001b[1mbold tuna\u001b[0m, fish', 'U+001B[1mbold tunaU+001B[0m, fish'",
    "'\u001b[2Aup up, \u001b[2Cright right', 'U+001B[2Aup up, U+001B[2Cright right'",
    "'clear: \u001b[2J', 'clear: U+001B[2J'",
    "'alpha: \u03b1, gamma: \u03b3', 'alpha: \u03b1, gamma: \u03b3'",
    "'tu\u0301na \u222b\u2081 x\u2003y\u2029z', 'tu\u0301na \u222b\u2081 x\u2003y\u2029z'",
    "'t\tu\r\nn\u000ba\f!', 't\tu\r\nn\u000ba\f!'",
    "'t1na, m567n; \"so!\" ...)', 't1na, m567n; \"so!\" ...)'",
  })
  void hint_showsControlCharactersByNumber(String hint, String expected) {
    assertThat(InstallHint.printable(hint)).isEqualTo(expected);
  }

  /* --------------- What it is told --------------- */

  private Object told(ExecConfig.Builder config, boolean terminal, RestConfig rest, Object cluster)
      throws Exception {
    Path told = directory.resolve("told");
    ExecConfig writing =
        config
            .args(
                List.of(
                    "-c",
                    "printf %s \"$KUBERNETES_EXEC_INFO\" > " + told + "; echo '" + TOKEN + "'"))
            .build();
    plugin(writing, terminal, rest, cluster).run();
    return JsonReader.of(Files.readAllBytes(told)).nextTree();
  }

  private static Object json(String json) {
    return JsonReader.of(json.getBytes(java.nio.charset.StandardCharsets.UTF_8)).nextTree();
  }

  /** TestRefreshCreds, "beta-with-cluster-and-provide-cluster-info-is-serialized" and the other. */
  @Test
  void cluster_isToldIfWanted() throws Exception {
    RestConfig rest =
        RestConfig.builder("https://foo:6443/prefix")
            .tlsServerName("bar")
            .certificateAuthorityData("baz".getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .proxy(java.net.URI.create("http://proxy:3128"))
            .disableCompression(true)
            .build();
    Object config = Map.of("apiVersion", "group/v1", "spec", Map.of("audience", "snorlax"));

    assertThat(told(script("").provideClusterInfo(true), false, rest, config))
        .isEqualTo(
            json(
                """
                {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{
                 "cluster":{"server":"https://foo:6443/prefix/","tls-server-name":"bar",
                  "certificate-authority-data":"YmF6","proxy-url":"http://proxy:3128",
                  "disable-compression":true,
                  "config":{"apiVersion":"group/v1","spec":{"audience":"snorlax"}}},
                 "interactive":false}}\
                """
                    .replace("prefix/", "prefix")));
    assertThat(told(script(""), false, rest, config))
        .isEqualTo(
            json(
                """
                {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",
                 "spec":{"interactive":false}}\
                """));
    assertThat(
            told(
                script("").provideClusterInfo(true),
                false,
                RestConfig.builder("https://foo").insecure(true).build(),
                null))
        .isEqualTo(
            json(
                """
                {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{
                 "cluster":{"server":"https://foo","insecure-skip-tls-verify":true},
                 "interactive":false}}\
                """));
  }

  /** TestRefreshCreds, the matrix of interactive modes. */
  @ParameterizedTest
  @CsvSource({
    "NEVER, false, false, false",
    "NEVER, true, false, false",
    "NEVER, true, true, false",
    "IF_AVAILABLE, false, false, false",
    "IF_AVAILABLE, true, false, true",
    "IF_AVAILABLE, true, true, false",
    "IF_AVAILABLE, false, true, false",
    "ALWAYS, true, false, true",
    "ALWAYS, false, false, standard input is not a terminal",
    "ALWAYS, false, true, standard input is not a terminal",
    "ALWAYS, true, true, standard input is unavailable: some message",
  })
  void interactive_dependsOnModeAndInput(
      InteractiveMode mode, boolean terminal, boolean unavailable, String expected)
      throws Exception {
    ExecConfig.Builder config = script("").interactiveMode(mode);
    if (unavailable) {
      config.stdinUnavailable("some message");
    }
    RestConfig rest = RestConfig.builder("https://foo").build();
    if (expected.startsWith("standard")) {
      assertThatThrownBy(() -> told(config, terminal, rest, null))
          .isInstanceOf(ConfigException.class)
          .hasMessageEndingWith("must ask the user (interactiveMode Always), but " + expected);
    } else {
      Map<?, ?> told = (Map<?, ?>) told(config, terminal, rest, null);
      assertThat((Map<?, ?>) told.get("spec"))
          .isEqualTo(Map.of("interactive", Boolean.valueOf(expected)));
    }
  }

  /** Configured variables are added to the environment, and replace those of the same name. */
  @Test
  void environment_isAddedTo() throws Exception {
    ExecConfig config =
        script("echo '" + TOKEN + "' | sed \"s/foo-bar/$MINE-$INHERITED-$REPLACED/\"")
            .env("MINE", "a b")
            .env("REPLACED", "new")
            .build();
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put("INHERITED", "yes");
    environment.put("REPLACED", "old");
    RestConfig rest = RestConfig.builder("https://foo").build();

    ExecCredential credential =
        new ExecPlugin(
                config,
                PluginPolicy.allowAll(),
                ExecCluster.of(rest, null),
                environment,
                () -> false,
                FakeClock.create(),
                RequestPolicies.standard())
            .run();

    assertThat(credential.token()).isEqualTo("a b-yes-new");
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

  /* --------------- What is configured --------------- */

  /** TestValidateAuthInfoExec and its neighbours in tools/clientcmd/validation_test.go. */
  @Test
  void configuration_thatLacksSomething_isRefused() {
    assertThatThrownBy(() -> ExecConfig.builder(ExecConfig.V1, "").build())
        .isInstanceOf(ConfigException.class)
        .hasMessage("exec names no command");
    assertThatThrownBy(() -> ExecConfig.builder("", "p").build())
        .hasMessageStartingWith("exec has the apiVersion \"\", but must have client.auth");
    assertThatThrownBy(
            () -> ExecConfig.builder("client.authentication.k8s.io/v1alpha1", "p").build())
        .hasMessageContaining("v1alpha1\", but must have");
    assertThatThrownBy(() -> ExecConfig.builder(ExecConfig.V1, "p").build())
        .hasMessage("exec does not say its interactiveMode: set Never, IfAvailable or Always");
    assertThatThrownBy(() -> ExecConfig.builder(ExecConfig.V1BETA1, "p").env("", "x").build())
        .hasMessage("exec sets an environment variable without a name");
    assertThatThrownBy(() -> InteractiveMode.parse("never"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("interactiveMode is \"never\", but must be Never, IfAvailable or Always");
    assertThat(ExecConfig.builder(ExecConfig.V1BETA1, "p").build().interactiveMode())
        .isEqualTo(InteractiveMode.IF_AVAILABLE);
  }

  /* --------------- Policy --------------- */

  private ExecCredential runWith(PluginPolicy policy, String command, Path folder)
      throws InterruptedException {
    ExecConfig config =
        ExecConfig.builder(ExecConfig.V1, command).interactiveMode(InteractiveMode.NEVER).build();
    RestConfig rest = RestConfig.builder("https://foo").build();
    return new ExecPlugin(
            config,
            policy,
            ExecCluster.of(rest, null),
            Map.of("PATH", folder + ":/usr/bin:/bin"),
            () -> false,
            FakeClock.create(),
            RequestPolicies.standard())
        .run();
  }

  /** TestPluginPolicy. */
  @Test
  void policy_decidesBeforeAnythingIsRun() throws Exception {
    Path plugin = directory.resolve("my-plugin");
    Files.writeString(plugin, "#!/bin/sh\ncat <<'END'\n" + TOKEN + "\nEND\n");
    assertThat(plugin.toFile().setExecutable(true)).isTrue();
    String path = plugin.toString();

    for (PluginPolicy policy :
        List.of(
            PluginPolicy.allowAll(),
            PluginPolicy.allowlist(List.of("my-plugin")),
            PluginPolicy.allowlist(List.of("other", path)))) {
      assertThat(runWith(policy, "my-plugin", directory).token()).isEqualTo("foo-bar");
      assertThat(runWith(policy, path, directory).token()).isEqualTo("foo-bar");
      assertThat(runWith(policy, directory + "/x/../my-plugin", directory).token())
          .isEqualTo("foo-bar");
    }
    assertThatThrownBy(() -> runWith(PluginPolicy.denyAll(), path, directory))
        .isInstanceOf(ConfigException.class)
        .hasMessage("credential plugin " + path + " may not be run: policy set to \"DenyAll\"");
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    for (PluginPolicy policy :
        List.of(
            PluginPolicy.allowlist(List.of("other")),
            PluginPolicy.allowlist(List.of("/other/my-plugin")))) {
      assertThatThrownBy(() -> runWith(policy, "my-plugin", directory))
          .hasMessageContaining(" is not permitted by the credential plugin allowlist [");
    }
    assertThatThrownBy(() -> runWith(PluginPolicy.allowlist(List.of("my-plugin")), path, elsewhere))
        .hasMessageContaining(" is not permitted by the credential plugin allowlist [my-plugin]");
  }

  /** TestPluginPolicy, its policies that are none. */
  @Test
  void policy_thatMakesNoSense_isRefused() {
    assertThat(PluginPolicy.of("", null)).isSameAs(PluginPolicy.allowAll());
    assertThat(PluginPolicy.of("AllowAll", null)).isSameAs(PluginPolicy.allowAll());
    assertThat(PluginPolicy.of("DenyAll", null)).isSameAs(PluginPolicy.denyAll());
    assertThat(PluginPolicy.of("Allowlist", List.of("a"))).hasToString("ALLOWLIST[a]");
    for (String policy : List.of("", "AllowAll", "DenyAll")) {
      assertThatThrownBy(() -> PluginPolicy.of(policy, List.of("a")))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("\"" + policy + "\", but there is a list");
    }
    assertThatThrownBy(() -> PluginPolicy.of("Allowlist", null))
        .hasMessageEndingWith("\"Allowlist\", but there is no list");
    assertThatThrownBy(() -> PluginPolicy.of("Allowlist", List.of()))
        .hasMessageContaining("the list is empty");
    assertThatThrownBy(() -> PluginPolicy.of("Allowlist", List.of("a", "")))
        .hasMessageContaining("an empty entry");
    assertThatThrownBy(() -> PluginPolicy.of("Allowlist", List.of("/a/../b")))
        .hasMessageEndingWith("\"/a/../b\": write it as \"/b\"");
    assertThatThrownBy(() -> PluginPolicy.of("Ask", null))
        .hasMessage("unknown credential plugin policy \"Ask\": use AllowAll, DenyAll or Allowlist");
  }
}
