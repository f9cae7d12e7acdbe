package dev.clientgo.rest.internal.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ExecConfig.InteractiveMode;
import dev.clientgo.rest.config.PluginPolicy;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The settings of an exec plugin: its hint, its environment, its cluster, and the policy that
 * allows it.
 */
@Timeout(300)
@DisabledOnOs(OS.WINDOWS)
final class ExecPluginConfigTest extends ExecPluginFixture {

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

  /**
   * An entry without a folder means the program in {@code PATH}, and no other of that name: a path
   * that is the same once it is normalized, a neighbour in another folder, a link.
   */
  @Test
  void policy_ofAName_allowsOnlyTheProgramInPath() throws Exception {
    Path allowed = Files.createDirectory(directory.resolve("bin"));
    String name = "aws-" + directory.getFileName();
    Path here = Path.of(name).toAbsolutePath();
    Path link = directory.resolve("link");
    PluginPolicy policy = PluginPolicy.allowlist(List.of(name));
    try {
      for (Path folder : List.of(allowed, directory, here.getParent())) {
        String script = "#!/bin/sh\ncat <<'END'\n" + TOKEN + "\nEND\n";
        Path plugin = Files.writeString(folder.resolve(name), script);
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
      }
      Files.createSymbolicLink(link, allowed.resolve(name));

      assertThat(runWith(policy, name, allowed).token()).isEqualTo("foo-bar");
      assertThat(runWith(policy, allowed + "/" + name, allowed).token()).isEqualTo("foo-bar");
      for (String other : List.of("./" + name, "x/../" + name, directory + "/" + name, "" + link)) {
        assertThatThrownBy(() -> runWith(policy, other, allowed))
            .hasMessageContaining("credential plugin " + other)
            .hasMessageContaining(" is not permitted by the credential plugin allowlist [" + name);
      }
    } finally {
      Files.deleteIfExists(here);
    }
    // Nothing is run if it is not there, whatever the list says.
    assertThatThrownBy(() -> runWith(policy, name, directory.resolve("empty")))
        .hasMessageContaining("cannot be run: no folder of PATH has it");
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
