package dev.clientgo.examples.website;

import static dev.clientgo.examples.website.TestSites.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.junit.TestKubeconfig;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.rest.RESTClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Websites on the embedded server, and what only its record of requests can tell. */
@ApiServerTest(crds = "src/main/crds", server = ApiServerTest.Server.EMBEDDED)
@SuppressWarnings("try") // An operator works without being called.
final class EmbeddedWebsiteTest extends WebsiteContract {

  private static final Set<String> READS = Set.of("get", "list", "watch");
  private static final String USER_AGENT = "website-operator-test";

  @Test
  void quiet_nothingChanges_nothingIsWritten(
      EmbeddedApiServer server, RESTClient client, @TestNamespace String namespace)
      throws Exception {
    TestSites sites = new TestSites(client, namespace);
    try (Manager operator = sites.start(client)) {
      sites.createReady("hello", 1, "hi");
      sites.createReady("other", 1, "hi");
      Controller controller = operator.controllers().get(0);
      server.clearRequests();

      // Each is reconciled again, although nothing has changed.
      for (int i = 0; i < 20; i++) {
        controller.enqueue(new Request(namespace, "hello"));
        controller.enqueue(new Request(namespace, "other"));
      }
      // The renewals of the lease measure the time: four take two seconds.
      server.awaitRequests(4, request -> request.matches("update", "leases"));

      assertThat(server.requests())
          .filteredOn(request -> !READS.contains(request.verb()))
          .allMatch(
              request ->
                  request.resource().equals("leases") || request.resource().equals("events"));
    }
  }

  @Test
  void requests_areThoseThatTheManifestPermits(
      EmbeddedApiServer server, RESTClient client, @TestNamespace String namespace)
      throws Exception {
    TestSites sites = new TestSites(client, namespace);
    try (RESTClient own =
            RESTClient.create(server.restConfig().toBuilder().userAgent(USER_AGENT).build());
        Manager operator = sites.start(own)) {
      sites.createReady("hello", 1, "hi");
      sites.write("hello", "hi again");
      sites.rollOut("hello", 1);
      sites.sites().delete("hello");
      sites.sites().await("hello", Optional::isEmpty, TIMEOUT);
    }

    // The client of the leader election has a suffix.
    Set<String> used =
        server.requests().stream()
            .filter(request -> request.header("User-Agent").orElse("").startsWith(USER_AGENT))
            .flatMap(request -> Permissions.used(request).stream())
            .collect(Collectors.toCollection(TreeSet::new));
    // Servers before 1.32 do not stream the first list.
    List.copyOf(used).stream()
        .filter(permission -> permission.startsWith("watch "))
        .forEach(permission -> used.add(permission.replace("watch ", "list ")));
    used.add("get web.example.com websites"); // If another client changes the finalizers meanwhile.
    used.add("patch events.k8s.io events"); // If an event repeats.
    used.add("update web.example.com websites/finalizers"); // See the manifest.
    assertThat(used).isEqualTo(Permissions.granted(Path.of("config/rbac.yaml")));
  }

  @Test
  void main_sigterm_givesTheLeaseBack(
      RESTClient client,
      @TestNamespace String namespace,
      @TestKubeconfig Path kubeconfig,
      @TempDir Path folder)
      throws Exception {
    TestSites sites = new TestSites(client, namespace);
    Path log = folder.resolve("log");
    ProcessBuilder java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    java.environment().put("KUBECONFIG", kubeconfig.toString());
    java.environment().put("POD_NAMESPACE", sites.system());
    java.environment().put("HTTP_PORT", "0");
    Process process = java.start();
    try {
      sites.createReady("hello", 1, "hi");

      process.toHandle().destroy();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(Files.readString(log)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
      Lease lease =
          client.resource(Lease.TYPE).inNamespace(sites.system()).get(WebsiteOperator.NAME);
      assertThat(lease.spec().holderIdentity()).isEmpty();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
