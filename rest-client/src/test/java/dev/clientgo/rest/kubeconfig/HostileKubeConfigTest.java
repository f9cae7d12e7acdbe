package dev.clientgo.rest.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kubeconfigs from a writer who must not rule this process, such as those of a Secret. */
final class HostileKubeConfigTest {

  private static String kubeconfig(String cluster, String user) {
    return """
        clusters: [{name: c, cluster: {server: 'https://h', %s}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
        .formatted(cluster, user);
  }

  /** Each way to run a program here, or to send a file of this machine away, is refused. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exec                  | exec: {apiVersion: client.authentication.k8s.io/v1, command: touch}
          exec                  | exec: {}
          auth-provider         | auth-provider: {name: oidc, config: {idp-issuer-url: 'https://h'}}
          tokenFile             | tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token
          tokenFile             | token: t, tokenFile: ../token
          client-certificate    | client-certificate: /etc/passwd
          client-key            | client-key: /etc/ssl/key, client-certificate-data: eA==
          """)
  void user_thatActsOnThisMachine_isRefused(String field, String user) {
    String text = kubeconfig("", user);

    assertThatThrownBy(() -> KubeConfig.parseUntrusted(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("user \"u\" has " + field + ",")
        .hasMessageNotContaining("/var/run");
  }

  /** An entry that no context uses is refused, too: the program may choose another context. */
  @Test
  void problems_ofAllEntries_areNamedTogether() {
    String text =
        """
        clusters:
        - {name: c, cluster: {server: 'https://h', certificate-authority: ca.crt}}
        users:
        - {name: good, user: {token: t}}
        - {name: bad, user: {tokenFile: t, client-key: k}}
        """;

    assertThatThrownBy(() -> KubeConfig.parseUntrusted(text))
        .hasMessageContaining("cluster \"c\" has certificate-authority, a file of this machine")
        .hasMessageContaining("user \"bad\" has client-key, a file of this machine")
        .hasMessageContaining("user \"bad\" has tokenFile, a file of this machine")
        .hasMessageNotContaining("good");
  }

  /** All that acts only on the named cluster is allowed. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "token: t",
        "username: u, password: p",
        "client-certificate-data: eA==, client-key-data: eA==",
        "token: t, as: jane",
        "exec: null, tokenFile: ''"
      })
  void user_withCredentialsInTheText_isAllowed(String user) {
    String text = kubeconfig("certificate-authority-data: eA==, proxy-url: 'http://p:1'", user);

    assertThat(KubeConfig.parseUntrusted(text)).isEqualTo(KubeConfig.parse(text));
  }

  /** A hostile text fails with an error that can be caught, and soon. */
  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- "})
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void deepText_isRefused(String nesting) {
    String text = "users: " + (nesting.startsWith("-") ? "\n" : "") + nesting.repeat(100_000);

    assertThatThrownBy(() -> KubeConfig.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("the kubeconfig, line ")
        .hasMessageContaining("nested deeper than 500 levels");
  }

  /** Aliases that double at each line do not fill the memory. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void aliases_thatExplode_areRefused() {
    StringBuilder text = new StringBuilder("extensions:\n- &a0 {name: x}\n");
    for (int i = 1; i < 40; i++) {
      text.append("- &a").append(i).append(" {name: n").append(i);
      text.append(", extension: [*a").append(i - 1).append(", *a").append(i - 1).append("]}\n");
    }

    assertThatThrownBy(() -> KubeConfig.parse(text.toString())).isInstanceOf(ConfigException.class);
  }

  /** Few aliases, each for three of those before it, would be 43 million values. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void fewAliases_thatMultiply_areRefused() {
    StringBuilder text = new StringBuilder("extensions:\n- name: x\n  extension:\n  - &a0 1\n");
    for (int i = 1; i <= 16; i++) {
      String below = "*a" + (i - 1);
      text.append("  - &a%d [%s, %s, %s]\n".formatted(i, below, below, below));
    }

    assertThatThrownBy(() -> KubeConfig.parse(text.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("the kubeconfig, line 16, ")
        .hasMessageContaining("more than 1000000 values, its aliases resolved");
  }

  /**
   * A list within itself has no end, and would exhaust the stack of whatever compares or writes.
   */
  @Test
  void alias_withinItsOwnAnchor_isRefused() {
    assertThatThrownBy(
            () -> KubeConfig.parse("extensions: &a [{name: x, extension: *a}]").hashCode())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("the alias *a stands within its own anchor");
  }
}
