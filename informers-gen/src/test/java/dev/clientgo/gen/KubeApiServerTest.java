package dev.clientgo.gen;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.gen.cli.InformersGen;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.discovery.DiscoveryClient;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The real server as input: its own groups and a CRD. */
final class KubeApiServerTest {

  private static final Path CRONTAB = Path.of("src/test/resources/golden/crontab/crd.yaml");
  private static final String DISCOVERY =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  private static final String CRONTAB_PATH = "apis/stable.example.com/v1";

  @TempDir private Path folder;

  @Test
  void generate_kubeApiServer_givesItsGroupsAndItsCrds() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    Path kubeconfig = folder.resolve("kubeconfig");
    Path schema = folder.resolve("schema.json");
    Generation generation;
    String version;
    try (KubeApiServer server = KubeApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.writeKubeconfig(kubeconfig);
      install(client);
      version = DiscoveryClient.of(client).serverVersion().minor();

      generation = Generator.builder("com.example.api").server(kubeconfig, null).build().generate();
      distill(kubeconfig, schema);
    }

    assertThat(generation.report().problems()).isEmpty();
    assertThat(kinds(generation)).contains("v1/Pod", "stable.example.com/v1/CronTab");
    Generation builtIn =
        Generator.builder("com.example.api").kubernetes().input(CRONTAB).build().generate();
    if (Integer.parseInt(version) >= 37) { // That of the schema in this repository.
      assertThat(kinds(generation)).containsAll(kinds(builtIn));
    } else {
      assertThat(kinds(builtIn)).containsAll(kinds(generation));
    }
    assertThat(
            Generator.builder("com.example.api").input(schema).build().generate().files().keySet())
        .isEqualTo(generation.files().keySet());
    Generation few =
        Generator.builder("com.example.api")
            .input(schema)
            .only("Pod")
            .only("CronTab")
            .build()
            .generate();
    Compiled compiled = Compiled.of(few);
    String cronTab =
        "{\"apiVersion\":\"stable.example.com/v1\",\"kind\":\"CronTab\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"cronSpec\":\"*"
            + " * * * *\",\"image\":\"i\",\"replicas\":2,\"concurrencyPolicy\":\"Allow\"}}";
    String written = compiled.roundTrip("com.example.api.stable.v1.CronTab", cronTab);
    assertThat(JsonMapper.shared().readTree(written))
        .isEqualTo(JsonMapper.shared().readTree(cronTab));
    System.out.println("the real server: " + generation.report().summary());
  }

  private static void distill(Path kubeconfig, Path schema) {
    StringWriter err = new StringWriter();
    assertThat(
            InformersGen.commandLine()
                .setErr(new PrintWriter(err, true))
                .execute("distill", "--kubeconfig", kubeconfig + "", "--output", schema + ""))
        .as(err.toString())
        .isZero();
  }

  private static Set<String> kinds(Generation generation) {
    return generation.report().generated().stream()
        .map(each -> each.apiVersion() + "/" + each.kind())
        .collect(Collectors.toSet());
  }

  /** Creates the CRD and waits until the server serves and describes it. */
  private static void install(RESTClient client) throws Exception {
    client
        .post()
        .absPath("apis", "apiextensions.k8s.io", "v1", "customresourcedefinitions")
        .body(Files.readAllBytes(CRONTAB), "application/yaml")
        .execute()
        .raw();
    Clock clock = Clock.system();
    for (int tries = 0; tries < 300; tries++) {
      if (read(client, "application/json", "openapi", "v3").contains(CRONTAB_PATH)
          && read(client, DISCOVERY, "apis").contains("\"crontabs\"")) {
        return;
      }
      clock.sleep(Duration.ofMillis(100));
    }
    throw new AssertionError("the server does not describe the CRD");
  }

  private static String read(RESTClient client, String accept, String... path)
      throws InterruptedException {
    return new String(client.get().absPath(path).header("Accept", accept).execute().raw(), UTF_8);
  }
}
