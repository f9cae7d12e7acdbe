package dev.clientgo.rest.internal.auth;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.ExecConfig.InteractiveMode;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.policy.RequestPolicies;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Exec plugins that are shell scripts. */
abstract class ExecPluginFixture {

  static final String TOKEN =
      """
      {"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",
       "status":{"token":"foo-bar"}}\
      """;

  @TempDir Path directory;

  /** A plugin that a shell interprets. */
  static ExecConfig.Builder script(String script) {
    return ExecConfig.builder(ExecConfig.V1, "sh")
        .args(List.of("-c", script))
        .interactiveMode(InteractiveMode.NEVER)
        .origin("user \"dev\" in kubeconfig /home/me/.kube/config");
  }

  static ExecConfig.Builder answering(String answer) {
    return script("cat <<'END'\n" + answer + "\nEND");
  }

  static ExecPlugin plugin(ExecConfig config, boolean terminal) {
    return plugin(config, terminal, RestConfig.builder("https://foo").build(), null);
  }

  static ExecPlugin plugin(
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

  static ExecCredential run(ExecConfig.Builder config) throws InterruptedException {
    return plugin(config.build(), false).run();
  }

  static void assertFails(ExecConfig.Builder config, String problem) {
    assertThatThrownBy(() -> run(config))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "credential plugin "
                + config.build().command()
                + " (of user \"dev\" in kubeconfig /home/me/.kube/config) "
                + problem);
  }
}
