package dev.clientgo.examples.website;

import static dev.clientgo.examples.website.TestSites.TIMEOUT;
import static dev.clientgo.examples.website.TestSites.condition;
import static dev.clientgo.examples.website.TestSites.pagesHash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.Conditions;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.controller.Manager;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.junit.TestNamespace;
import dev.clientgo.examples.website.api.web.v1.Website;
import dev.clientgo.kubectl.Apply;
import dev.clientgo.kubectl.Manifests;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Service;
import dev.clientgo.rest.RESTClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of Websites, on a server. The tests do what the controllers of a cluster would do. */
@SuppressWarnings("try") // An operator works without being called.
abstract class WebsiteContract {

  private TestSites sites;

  @BeforeEach
  void createSystem(RESTClient client, @TestNamespace String namespace) throws Exception {
    sites = new TestSites(client, namespace);
    sites.createSystem();
  }

  @AfterEach
  void deleteSystem(ApiServer server) throws Exception {
    server.deleteNamespace(sites.system());
  }

  @Test
  void create_hasChildrenOfItsOwnAndIsReadyWhenTheyAre(RESTClient client) throws Exception {
    try (Manager operator = sites.start(client)) {
      Website site = sites.create("hello", 2, "hi");
      Website rolling = sites.awaitCondition("hello", "Progressing", Conditions.TRUE);

      ConfigMap pages = sites.maps().get("hello");
      Deployment servers = sites.deployments().get("hello");
      Service service = sites.services().get("hello");
      assertThat(pages.data()).containsExactly(Map.entry("index.html", "hi"));
      assertThat(servers.spec().replicas()).isEqualTo(2);
      assertThat(pagesHash(servers)).isEqualTo(WebsiteChildren.hash(pages.data()));
      assertThat(service.spec().selector()).isEqualTo(servers.spec().selector().matchLabels());
      for (KubernetesObject child : new KubernetesObject[] {pages, servers, service}) {
        assertThat(OwnerReferences.isControlledBy(child, site)).isTrue();
      }
      assertThat(condition(rolling, "Ready").status()).isEqualTo(Conditions.FALSE);
      assertThat(rolling.status().url()).isEqualTo("http://hello." + sites.namespace() + ".svc/");
      assertThat(rolling.metadata().finalizers()).containsExactly(WebsiteReconciler.FINALIZER);
      assertThat(sites.registry())
          .containsEntry(sites.namespace() + ".hello", rolling.status().url());

      sites.rollOut("hello", 2);

      Website ready = sites.awaitCondition("hello", "Ready", Conditions.TRUE);
      assertThat(ready.status().readyReplicas()).isEqualTo(2);
      assertThat(ready.status().observedGeneration()).isEqualTo(1);
      assertThat(condition(ready, "Progressing").status()).isEqualTo(Conditions.FALSE);
      assertThat(condition(ready, "Degraded"))
          .isEqualTo(
              condition(rolling, "Degraded")
                  .with(
                      c ->
                          c.reason(condition(ready, "Ready").reason())
                              .message(condition(ready, "Ready").message())));
    }
    assertThat(sites.reasons())
        .contains(
            "Normal Created CreateConfigMap",
            "Normal Created CreateDeployment",
            "Normal Created CreateService");
  }

  @Test
  void edit_ofThePages_rollsOutNewPods(RESTClient client) throws Exception {
    try (Manager operator = sites.start(client)) {
      sites.createReady("hello", 1, "hi");
      String before = pagesHash(sites.deployments().get("hello"));

      sites.write("hello", "hi again");

      sites.awaitDeployment("hello", d -> !before.equals(pagesHash(d)));
      Website rolling = sites.awaitCondition("hello", "Ready", Conditions.FALSE);
      assertThat(sites.maps().get("hello").data()).containsEntry("index.html", "hi again");
      assertThat(rolling.status().observedGeneration()).isEqualTo(2);
      sites.rollOut("hello", 1);
      sites.awaitCondition("hello", "Ready", Conditions.TRUE);
    }
    assertThat(sites.reasons())
        .contains("Normal Updated UpdateConfigMap", "Normal Updated UpdateDeployment");
  }

  @Test
  void scale_changesTheReplicasOnly(RESTClient client) throws Exception {
    try (Manager operator = sites.start(client)) {
      sites.createReady("hello", 1, "hi");
      Deployment one = sites.deployments().get("hello");

      sites.sites().edit("hello", s -> s.with(w -> w.editSpec(spec -> spec.replicas(3))));

      sites.rollOut("hello", 3);
      sites.awaitSite("hello", site -> Integer.valueOf(3).equals(site.status().readyReplicas()));
      assertThat(sites.deployments().get("hello").spec())
          .isEqualTo(one.spec().with(spec -> spec.replicas(3)));
    }
  }

  @Test
  void children_thatAreChangedOrDeleted_comeBack(RESTClient client) throws Exception {
    try (Manager operator = sites.start(client)) {
      sites.createReady("hello", 1, "hi");

      sites.services().delete("hello");
      sites.services().await("hello", Optional::isPresent, TIMEOUT);
      sites
          .maps()
          .edit("hello", map -> map.with(m -> m.editData(data -> data.put("index.html", "no"))));
      sites
          .maps()
          .await(
              "hello",
              map -> map.isPresent() && map.get().data().equals(Map.of("index.html", "hi")),
              TIMEOUT);
      sites.deployments().edit("hello", d -> d.with(b -> b.editSpec(spec -> spec.replicas(7))));
      sites.awaitDeployment("hello", d -> Integer.valueOf(1).equals(d.spec().replicas()));
    }
  }

  @Test
  void delete_removesTheSiteFromTheRegistry(RESTClient client) throws Exception {
    try (Manager operator = sites.start(client)) {
      sites.createReady("hello", 1, "hi");
      sites.createReady("other", 1, "hi");

      sites.sites().delete("hello");
      sites.sites().await("hello", Optional::isEmpty, TIMEOUT);

      assertThat(sites.registry()).containsOnlyKeys(sites.namespace() + ".other");
    }
    assertThat(sites.reasons()).contains("Normal Unregistered Unregister");
  }

  @Test
  void create_nameThatIsTaken_leavesTheOtherObjectAloneAndSaysSo(RESTClient client)
      throws Exception {
    ConfigMap foreign =
        sites
            .maps()
            .create(ConfigMap.of(sites.namespace(), "hello", m -> m.data(Map.of("a", "b"))));
    try (Manager operator = sites.start(client)) {
      sites.create("hello", 1, "hi");

      Website site = sites.awaitCondition("hello", "Degraded", Conditions.TRUE);

      assertThat(condition(site, "Degraded").reason()).isEqualTo("NameTaken");
      assertThat(condition(site, "Degraded").message())
          .contains("ConfigMap " + sites.namespace() + "/hello: there is one already")
          .contains("belongs to no owner, not to Website " + sites.namespace() + "/hello");
      assertThat(sites.maps().get("hello")).isEqualTo(foreign);
      assertThat(sites.deployments().find("hello")).isPresent();

      sites.maps().delete("hello");
      sites.rollOut("hello", 1);
      sites.awaitCondition("hello", "Ready", Conditions.TRUE);
    }
    assertThat(sites.reasons()).contains("Warning NameTaken ApplyConfigMap");
  }

  /** An earlier version of the operator gave its children other names. */
  @Test
  void children_thatAreNoLongerWanted_areDeleted(RESTClient client) throws Exception {
    try (Manager operator = sites.start(client)) {
      Website site = sites.createReady("hello", 1, "hi");

      sites.createOldChildren(client, site);
      sites.write("hello", "hi again");

      sites.maps().await("old", Optional::isEmpty, TIMEOUT);
      sites.services().await("old", Optional::isEmpty, TIMEOUT);
      sites.deployments().await("old", Optional::isEmpty, TIMEOUT);
      assertThat(sites.services().find("hello")).isPresent();
    }
    assertThat(sites.reasons()).contains("Normal Deleted DeleteService");
  }

  @Test
  void deployment_thatFails_degradesTheSite(RESTClient client) throws Exception {
    try (Manager operator = sites.start(client)) {
      sites.create("hello", 1, "hi");
      sites.awaitDeployment("hello", d -> true);
      sites
          .deployments()
          .editStatus(
              "hello",
              d ->
                  d.with(
                      b ->
                          b.editStatus(
                              s ->
                                  s.addConditions(
                                      c ->
                                          c.type("Progressing")
                                              .status("False")
                                              .reason("ProgressDeadlineExceeded")
                                              .message("has timed out progressing")))));

      Website site = sites.awaitCondition("hello", "Degraded", Conditions.TRUE);

      assertThat(condition(site, "Ready").reason()).isEqualTo("ProgressDeadlineExceeded");
    }
  }

  @Test
  void twoReplicas_oneLeads_andTheOtherTakesOver(RESTClient client, ApiServer server)
      throws Exception {
    try (RESTClient second = RESTClient.create(server.restConfig())) {
      Manager leader = sites.start(client);
      try (leader) {
        assertThat(leader.awaitReady(TIMEOUT)).isTrue();
        sites.createReady("hello", 1, "hi");
      }
      try (Manager first = sites.start(client)) {
        assertThat(first.awaitReady(TIMEOUT)).isTrue();
        try (Manager standby = sites.start(second)) {
          sites.write("hello", "by the first");
          sites.awaitCondition("hello", "Ready", Conditions.FALSE);
          assertThat(standby.isLeader()).isFalse();

          first.close();
          sites.rollOut("hello", 1);
          sites.awaitCondition("hello", "Ready", Conditions.TRUE);

          assertThat(standby.isLeader()).isTrue();
        }
      }
    }
  }

  @Test
  void pages_areServedOverHttp(RESTClient client) throws Exception {
    try (Manager operator = sites.start(client)) {
      assertThat(operator.awaitReady(TIMEOUT)).isTrue();
      sites.createReady("hello", 1, "hi");

      assertThat(get(operator, "/healthz").statusCode()).isEqualTo(200);
      assertThat(get(operator, "/readyz").body()).contains("[+]controller-website-operator ok");
      assertThat(get(operator, "/metrics").body())
          .containsPattern(
              "controller_runtime_reconcile_total\\{controller=\"website-operator\",result=\"success\"\\}"
                  + " [1-9]");
    }
  }

  private static HttpResponse<String> get(Manager operator, String path) throws Exception {
    int port = operator.metricsAddress().orElseThrow().getPort();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TIMEOUT)
                .build(),
            BodyHandlers.ofString());
  }

  @Test
  void sample_isAWebsite(RESTClient client) throws Exception {
    Apply.with(client, "test")
        .dryRun()
        .run(Manifests.read(Path.of("config/sample.yaml")))
        .orThrow();
  }

  @Test
  void definition_refusesWhatCannotBeServed() {
    assertThatThrownBy(() -> sites.sites().create(TestSites.site("hello", 101, "hi")))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.getMessage()).contains("spec.replicas"));
  }
}
