package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.rest.config.ImpersonationConfig;
import dev.clientgo.rest.config.InClusterConfig;
import dev.clientgo.rest.config.PluginPolicy;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/clients.md} before the hooks, which are compiled here. */
final class CredentialsPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** Is not run: it needs a kubeconfig. */
  static List<RestConfig> found() {
    RestConfig config = KubeConfigLoader.standard().load();
    RestConfig staging =
        KubeConfigLoader.builder().context("staging").namespace("web").build().load();
    RestConfig given =
        KubeConfigLoader.builder().file(Path.of("admin.conf")).timeout("30s").build().load();
    RestConfig pod = InClusterConfig.load();
    return List.of(config, staging, given, pod);
  }

  static RestConfig built() {
    return RestConfig.builder("https://10.0.0.1:6443")
        .certificateAuthority(Path.of("ca.crt"))
        .clientCertificate(Path.of("client.crt"))
        .clientKey(Path.of("client.key"))
        .impersonate(ImpersonationConfig.builder("jane").group("developers").build())
        .build();
  }

  static RestConfig restricted(RestConfig config) {
    return config.toBuilder()
        .pluginPolicy(PluginPolicy.allowlist(List.of("aws", "kubelogin")))
        .build();
  }

  static RESTClient logging(RestConfig config) {
    RESTClient client = RESTClient.builder(config).logBodies(1024).build();
    return client;
  }

  @Test
  void examples_areThoseOfThisClass() throws IOException {
    String here =
        squeezed(
            Files.readString(Path.of("src/test/java/dev/clientgo/rest/CredentialsPageTest.java")));
    String page = Files.readString(Path.of("../docs/clients.md"));
    Matcher examples = EXAMPLE.matcher(page.substring(0, page.indexOf("\n## Hooks\n")));
    int count = 0;
    while (examples.find()) {
      assertThat(here).contains(squeezed(examples.group(1)));
      count++;
    }

    assertThat(count).isEqualTo(4);
    assertThat(built().isTls()).isTrue();
    assertThat(restricted(built()).pluginPolicy().toString()).contains("kubelogin");
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
