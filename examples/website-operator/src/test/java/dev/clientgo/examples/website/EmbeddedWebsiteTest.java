package dev.clientgo.examples.website;

import static dev.clientgo.examples.website.TestSites.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.Permissions;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.junit.TestKubeconfig;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Websites on the embedded server, and what only its record of requests can tell. */
@ApiServerTest(crds = "src/main/crds", server = ApiServerTest.Server.EMBEDDED)
@SuppressWarnings("try") // An operator works without being called.
final class EmbeddedWebsiteTest extends WebsiteContract {

  private static final Set<String> READS = Set.of("get", "list", "watch");
  private static final Settings SETTINGS =
      new Settings("website-system", 0, 0, TIMEOUT, Duration.ofSeconds(4));

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
  void permissions_ofTheManifest_areThoseThatTheOperatorUses(
      EmbeddedApiServer server, RESTClient client, @TestNamespace String namespace)
      throws Exception {
    TestSites sites = new TestSites(client, namespace);
    RestConfig account = server.enforce(Path.of("config/rbac.yaml"));
    try (RESTClient own = RESTClient.create(account)) {
      try (Manager operator = WebsiteOperator.manager(own, SETTINGS)) {
        operator.start();
        Website site = sites.createReady("hello", 1, "hi");
        sites.createOldChildren(client, site);
        sites.write("hello", "hi again");
        sites.deployments().await("old", Optional::isEmpty, TIMEOUT);
        sites.services().await("old", Optional::isEmpty, TIMEOUT);
        sites.maps().await("old", Optional::isEmpty, TIMEOUT);
        sites.rollOut("hello", 1);
        sites.sites().delete("hello");
        sites.sites().await("hello", Optional::isEmpty, TIMEOUT);
      }
      // If another client changes the finalizers meanwhile, and if an event repeats.
      own.resource(Website.TYPE).inNamespace(namespace).find("hello");
      ResourceClient<Event> events = own.resource(Event.TYPE).inNamespace(namespace);
      assertThatThrownBy(() -> events.patch("none", Patch.merge("{}")))
          .hasMessageContaining("not found");

      Permissions permissions = server.permissions(account).anywhere(namespace);
      permissions.assertSufficient();
      // See the manifest: the embedded server lacks the plugin that demands the permission.
      assertThat(permissions.unused())
          .isEqualTo(
              """
              apiVersion: rbac.authorization.k8s.io/v1
              kind: ClusterRole
              metadata:
                name: website-operator
              rules:
              - apiGroups:
                - web.example.com
                resources:
                - websites/finalizers
                verbs:
                - update
              """);
    } finally {
      server.deleteNamespace(SETTINGS.namespace());
    }
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
    java.environment().put("METRICS_PORT", "0");
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
