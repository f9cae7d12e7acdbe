package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@link Manager#run} in a process that gets SIGTERM. */
@Timeout(300)
@EnabledOnOs(value = OS.LINUX, disabledReason = "the test sends signals with kill")
final class ManagerSignalTest {

  @TempDir private Path folder;

  @Test
  void sigterm_letsTheReconcileFinish_andGivesTheLeaseBack() throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    Path log = folder.resolve("log");
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.writeKubeconfig(kubeconfig);
      ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
      maps.create(ConfigMap.of("default", "x", m -> {}));
      Process process = start(kubeconfig, log);
      try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
        assertThat(output.readLine()).isEqualTo("begins");
        Lease held = client.resource(Lease.TYPE).inNamespace("default").get("operator");
        assertThat(held.spec().holderIdentity()).isNotEmpty();

        process.toHandle().destroy(); // SIGTERM; Process.destroy() would close the output, too.
        assertThat(output.readLine()).isEqualTo("terminates");
        client
            .resource(Secret.TYPE)
            .inNamespace("default")
            .create(Secret.of("default", "x", s -> {}));

        assertThat(output.readLine()).isEqualTo("ends");
        assertThat(output.readLine()).isEqualTo("returned");
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(128 + 15);
        assertThat(maps.find("written")).isPresent();
        Lease released = client.resource(Lease.TYPE).inNamespace("default").get("operator");
        assertThat(released.spec().holderIdentity()).isNullOrEmpty();
        // A slow machine may log that the election waits for the server.
        assertThat(Files.readString(log))
            .contains("INFO: run has returned")
            .doesNotContain("Reconcile failed", "did not end", "lease is held", "SEVERE");
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static Process start(Path kubeconfig, Path log) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Djava.util.logging.manager=" + LastingLogManager.class.getName(),
            "-cp",
            System.getProperty("java.class.path"),
            ManagerProgram.class.getName(),
            kubeconfig.toString())
        .redirectError(log.toFile())
        .start();
  }
}
