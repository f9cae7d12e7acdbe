package dev.clientgo.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.ResourceQuota;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller of the README, in a separate process. */
final class TeamQuotaTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  void main_namespaceOfATeam_getsAQuotaUntilSigterm() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.writeKubeconfig(folder.resolve("kubeconfig"));
      client.resource(Namespace.TYPE).create(namespace("other", Map.of()));
      client.resource(Namespace.TYPE).create(namespace("shop", Map.of("team", "shop")));
      ResourceClient<ResourceQuota> quotas =
          client.resource(ResourceQuota.TYPE).inNamespace("shop");
      Path log = folder.resolve("log");
      Process process = start(log);
      try {
        quotas.await("team", quota -> quota.isPresent(), TIMEOUT);
        quotas.delete("team");
        quotas.await("team", quota -> quota.isPresent(), TIMEOUT);
        process.toHandle().destroy();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(Files.readString(log)).isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        assertThat(client.resource(ResourceQuota.TYPE).list().items()).hasSize(1);
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private Process start(Path log) throws Exception {
    ProcessBuilder java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.clientgo.examples.readme.TeamQuota")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    java.environment().put("KUBECONFIG", folder.resolve("kubeconfig").toString());
    return java.start();
  }

  private static Namespace namespace(String name, Map<String, String> labels) {
    return Namespace.of(n -> n.editMetadata(m -> m.name(name).labels(labels)));
  }
}
