package dev.clientgo.rest;

import dev.clientgo.rest.config.PluginPolicy;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Credential plugins that do not do what they should. */
@DisabledOnOs(OS.WINDOWS)
final class BadPluginTest extends BadInput {

  private static Mishap plugin(String command, String script, String mode) {
    return user(
        "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: %s, command: '%s', args: [-c, '%s'], installHint: get it}"
            .formatted(mode, command, script));
  }

  private static Mishap plugin(String script) {
    return plugin("sh", script, "Never");
  }

  static Stream<Arguments> mishap_isExplained() {
    String who = " (of user \"u\" in kubeconfig DIR/config) ";
    String sh = "credential plugin sh" + who;
    String hint =
        ": it is installed apart from this program, see"
            + " https://kubernetes.io/docs/reference/access-authn-authz/authentication/"
            + "#client-go-credential-plugins\n\nget it";
    return Stream.of(
        row(
            "is not in the PATH",
            plugin("no-such-plugin", "", "Never"),
            "credential plugin no-such-plugin"
                + who
                + "cannot be run: no folder of PATH has it"
                + hint),
        row(
            "is not there",
            plugin("bin/none", "", "Never"),
            "credential plugin DIR/bin/none"
                + who
                + "cannot be run: there is no file DIR/bin/none"
                + hint),
        row(
            "may not be run",
            plugin("./config", "", "Never"),
            "credential plugin DIR/config"
                + who
                + "cannot be run: DIR/config is not executable"
                + hint),
        row(
            "fails",
            plugin("exit 3"),
            sh + "failed with exit code 3: see what it wrote to standard error, or run it by hand"),
        row(
            "hangs",
            test -> {
              RestConfig config = plugin("sleep 600").prepare(test);
              return config.toBuilder()
                  .exec(config.exec().toBuilder().timeout(Duration.ofSeconds(1)).build())
                  .build();
            },
            sh + "did not finish within 1 s and was killed: does it wait for a login?"),
        row("says nothing", plugin("true"), sh + "printed nothing to its standard output"),
        row(
            "prints garbage",
            plugin("echo garbage"),
            sh
                + "printed 8 bytes that are not a JSON object: its standard output may contain only an ExecCredential"),
        row(
            "answers with something else",
            plugin("echo {}"),
            sh
                + "returned kind (none) and apiVersion (none), but is configured for"
                + " ExecCredential and client.authentication.k8s.io/v1"),
        row(
            "has no terminal",
            plugin("sh", "", "Always"),
            sh
                + "must ask the user (interactiveMode Always), but standard input is not a"
                + " terminal"),
        row(
            "names no version",
            user("exec: {command: p}"),
            "invalid configuration: user \"u\" in kubeconfig DIR/config: exec has the apiVersion"
                + " \"\", but must have client.authentication.k8s.io/v1 or"
                + " client.authentication.k8s.io/v1beta1: ask for a newer version of the plugin if"
                + " it knows neither"),
        row(
            "names a version that is gone",
            user("exec: {command: p, apiVersion: client.authentication.k8s.io/v1alpha1}"),
            "invalid configuration: user \"u\" in kubeconfig DIR/config: exec has the apiVersion"
                + " \"client.authentication.k8s.io/v1alpha1\", but must have"
                + " client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1: ask for"
                + " a newer version of the plugin if it knows neither"),
        row(
            "is not allowed",
            test ->
                plugin("true").prepare(test).toBuilder()
                    .pluginPolicy(PluginPolicy.denyAll())
                    .build(),
            sh + "may not be run: policy set to \"DenyAll\""));
  }

  @ParameterizedTest
  @MethodSource
  void mishap_isExplained(Mishap mishap, String text) throws Exception {
    assertExplained(mishap, text);
  }
}
