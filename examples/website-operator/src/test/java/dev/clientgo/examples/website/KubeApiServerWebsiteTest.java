package dev.clientgo.examples.website;

import static dev.clientgo.examples.website.TestSites.TIMEOUT;
import static dev.clientgo.examples.website.TestSites.condition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.Conditions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.controller.CacheSyncException;
import dev.clientgo.controller.Manager;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubectl.Apply;
import dev.clientgo.kubectl.Manifests;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.kubernetes.rbac.v1.ClusterRole;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Websites on the real kube-apiserver, and what only that can tell: permissions and CEL rules. */
@ApiServerTest(crds = "src/main/crds", server = ApiServerTest.Server.REAL)
@SuppressWarnings("try") // An operator works without being called.
final class KubeApiServerWebsiteTest extends WebsiteContract {

  private static final String SYSTEM = "website-system";

  /** Applies the manifests, and returns a client with the permissions of the operator's account. */
  private static RESTClient account(KubeApiServer server, RESTClient client) throws Exception {
    Manifests manifests =
        Manifests.read(Path.of("config/namespace.yaml"))
            .and(Manifests.read(Path.of("config/rbac.yaml")))
            .and(Manifests.read(Path.of("config/operator.yaml")));
    Apply.with(client, "test").force().run(manifests).orThrow();
    return RESTClient.create(
        KubeConfig.parse(
                server.kubeconfig(
                    "system:serviceaccount:" + SYSTEM + ":website-operator",
                    List.of("system:serviceaccounts", "system:serviceaccounts:" + SYSTEM)))
            .restConfig());
  }

  private static Settings settings(Duration cacheSyncTimeout) {
    return new Settings(SYSTEM, 0, 0, cacheSyncTimeout, Duration.ofSeconds(4));
  }

  @Test
  void permissions_ofTheManifest_suffice(
      KubeApiServer server, RESTClient client, @TestNamespace String namespace) throws Exception {
    TestSites sites = new TestSites(client, namespace);
    try (RESTClient account = account(server, client);
        Manager operator = WebsiteOperator.manager(account, settings(TIMEOUT))) {
      operator.start();
      Website site = sites.createReady("hello", 1, "hi");
      sites.createOldChildren(client, site);
      sites.write("hello", "hi again");
      sites.deployments().await("old", Optional::isEmpty, TIMEOUT);
      sites.awaitCondition("hello", "Ready", Conditions.FALSE);
      sites.rollOut("hello", 1);
      sites.awaitCondition("hello", "Ready", Conditions.TRUE);
      sites.sites().delete("hello");
      sites.sites().await("hello", Optional::isEmpty, TIMEOUT);
    } finally {
      server.deleteNamespace(SYSTEM);
    }
    assertThat(sites.reasons())
        .contains("Normal Created CreateDeployment", "Normal Unregistered Unregister")
        .noneMatch(reason -> reason.startsWith("Warning"));
  }

  @Test
  void permissions_toWatchServicesAreMissing_theOperatorFailsAndNamesThem(
      KubeApiServer server, RESTClient client) throws Exception {
    try (RESTClient account = account(server, client);
        Manager operator = WebsiteOperator.manager(account, settings(Duration.ofSeconds(10)))) {
      withoutServices(client);
      Poll.every(Duration.ofMillis(50)).atMost(TIMEOUT).until(() -> isForbidden(account));
      operator.start();

      assertThatThrownBy(operator::awaitEnd)
          .isInstanceOf(CacheSyncException.class)
          .hasMessageContaining("services")
          .hasMessageContaining("list")
          .hasMessageContaining("watch");
    } finally {
      server.deleteNamespace(SYSTEM);
    }
  }

  @Test
  void permissionsToWriteServicesAreMissing_theSiteIsDegradedAndSaysSo(
      KubeApiServer server, RESTClient client, @TestNamespace String namespace) throws Exception {
    TestSites sites = new TestSites(client, namespace);
    try (RESTClient account = account(server, client);
        Manager operator = WebsiteOperator.manager(account, settings(TIMEOUT))) {
      operator.start();
      assertThat(operator.awaitReady(TIMEOUT)).isTrue();
      withoutServices(client);
      Poll.every(Duration.ofMillis(50)).atMost(TIMEOUT).until(() -> isForbidden(account));
      sites.create("hello", 1, "hi");

      Website site = sites.awaitCondition("hello", "Degraded", Conditions.TRUE);

      assertThat(condition(site, "Degraded").reason()).isEqualTo("ServerRefused");
      assertThat(condition(site, "Degraded").message())
          .contains("website-operator", "cannot patch resource \"services\"");
    } finally {
      server.deleteNamespace(SYSTEM);
    }
    assertThat(sites.reasons()).contains("Warning ChildFailed ApplyService");
  }

  private static void withoutServices(RESTClient client) throws InterruptedException {
    client
        .resource(ClusterRole.TYPE)
        .edit(
            "website-operator",
            role ->
                role.with(
                    r ->
                        r.editRules(
                            rules ->
                                rules.removeIf(rule -> rule.resources().contains("services")))));
  }

  private static boolean isForbidden(RESTClient client) throws InterruptedException {
    try {
      client.resource(Service.TYPE).list();
      return false;
    } catch (ApiStatusException e) {
      return e.isForbidden();
    }
  }

  @Test
  void definition_refusesNamesThatNoServiceMayHave(
      RESTClient client, @TestNamespace String namespace) {
    TestSites sites = new TestSites(client, namespace);

    assertThatThrownBy(() -> sites.create("1st", 1, "hi"))
        .hasMessageContaining("the name must be a DNS label");
    assertThatThrownBy(() -> sites.sites().create(page("a/b"))).hasMessageContaining("a page may");
  }

  private static Website page(String file) {
    return TestSites.site("hello", 1, "hi")
        .with(w -> w.editSpec(s -> s.editPages(pages -> pages.put(file, "hi"))));
  }
}
