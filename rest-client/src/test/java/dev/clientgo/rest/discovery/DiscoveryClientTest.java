package dev.clientgo.rest.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Asking a server what it serves. The Go tests named are in {@code
 * discovery/discovery_client_test.go} and {@code discovery/aggregated_discovery_test.go}.
 */
@Timeout(300)
final class DiscoveryClientTest {

  private static final GroupVersion CORE = new GroupVersion("", "v1");
  private static final GroupVersion APPS = new GroupVersion("apps", "v1");

  private DiscoveryServer server;

  @BeforeEach
  void start() throws Exception {
    server = new DiscoveryServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void legacy() {
    server
        .json("/api", "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}")
        .legacyResources("/api/v1", "pods Pod po", "pods/status Pod", "services Service svc")
        .legacyGroups("apps/v1 apps/v1beta1", "metrics/v1")
        .legacyResources("/apis/apps/v1", "deployments Deployment deploy")
        .legacyResources("/apis/apps/v1beta1", "deployments Deployment", "olds Old")
        .legacyResources("/apis/metrics/v1", "nodes NodeMetrics");
  }

  private static final String CORE_ITEM =
      """
      {"metadata":{},"versions":[{"version":"v1","freshness":"Current","resources":[
       {"resource":"pods","responseKind":{"group":"","version":"v1","kind":"Pod"},
        "scope":"Namespaced","singularResource":"pod","verbs":["get","list"],"shortNames":["po"],
        "categories":["all"],"subresources":[
         {"subresource":"eviction","verbs":["create"],
          "responseKind":{"group":"policy","version":"v1","kind":"Eviction"}},
         {"subresource":"strange","verbs":["get"]}]},
       {"resource":"unknown","scope":"Cluster","singularResource":"u","verbs":[],"subresources":[
         {"subresource":"scale","verbs":["get"],
          "responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"}}]}]}]}\
      """;

  private static final String APPS_ITEM =
      """
      {"metadata":{"name":"apps"},"versions":[
       {"version":"v2","freshness":"Stale","resources":[]},
       {"version":"v1","freshness":"Current","resources":[
        {"resource":"deployments","responseKind":{"group":"","version":"","kind":"Deployment"},
         "scope":"Namespaced","singularResource":"deployment","verbs":["get"]}]}]}\
      """;

  /* --------------- Aggregated --------------- */

  /** Upstream's NoPeerDiscovery, which has no test there. */
  @Test
  void aggregated_withoutPeers_asksForThisServerAlone() throws Exception {
    server.aggregated("/api", CORE_ITEM).aggregated("/apis", APPS_ITEM);

    assertThat(
            DiscoveryClient.withoutPeers(server.client())
                .serverGroupsAndResources()
                .resources()
                .get(APPS))
        .isNotEmpty();
    assertThat(server.take().getHeaders().get("Accept"))
        .isEqualTo(
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,"
                + "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
                + "application/json");
  }

  /** TestSplitGroupsAndResources, TestAggregatedServerGroupsAndResources. */
  @Test
  void aggregated_saysAllInTwoRequests() throws Exception {
    server
        .aggregated("/api", CORE_ITEM)
        .aggregated("/apis", APPS_ITEM.replace("\"Stale\"", "\"Current\""));

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(server.requests()).containsExactly("/api", "/apis");
    assertThat(server.take().getHeaders().get("Accept"))
        .isEqualTo(
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json");
    assertThat(served.isComplete()).isTrue();
    assertThat(served.problem()).isEmpty();
    assertThat(served.resources().get(CORE))
        .containsExactly(
            new APIResource(
                "pods",
                "pod",
                true,
                "",
                "",
                "Pod",
                List.of("get", "list"),
                List.of("po"),
                List.of("all"),
                null),
            new APIResource(
                "pods/eviction",
                "",
                true,
                "policy",
                "v1",
                "Eviction",
                List.of("create"),
                List.of(),
                List.of(),
                null),
            new APIResource(
                "unknown/scale",
                "",
                false,
                "autoscaling",
                "v1",
                "Scale",
                List.of("get"),
                List.of(),
                List.of(),
                null));
    assertThat(served.resources().get(CORE).get(0).groupVersionKind(CORE))
        .isEqualTo(new GroupVersionKind("", "v1", "Pod"));
    assertThat(served.resources().get(CORE).get(1).groupVersionKind(CORE))
        .isEqualTo(new GroupVersionKind("policy", "v1", "Eviction"));
    assertThat(served.groups())
        .containsExactly(
            new APIGroup("", List.of(CORE), CORE),
            new APIGroup(
                "apps",
                List.of(new GroupVersion("apps", "v2"), APPS),
                new GroupVersion("apps", "v2")));
  }

  /**
   * TestAggregatedServerGroupsAndResourcesWithErrors: asked twice, as what is stale may come back.
   */
  @Test
  void aggregated_staleVersion_isAFailureBesideTheRest() throws Exception {
    server.aggregated("/api", CORE_ITEM).aggregated("/apis", APPS_ITEM);

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(server.requests()).containsExactly("/api", "/apis", "/api", "/apis");
    assertThat(served.groups()).contains(new APIGroup("apps", List.of(APPS), APPS));
    assertThat(served.resources()).containsOnlyKeys(CORE, APPS);
    assertThat(served.failures()).containsOnlyKeys(new GroupVersion("apps", "v2"));
    assertThat(served.problem())
        .hasValue(
            "unable to retrieve the complete list of server APIs: apps/v2: stale GroupVersion"
                + " discovery: apps/v2");
  }

  /** TestSplitGroupsAndResources: of a resource without a kind its parts alone are served. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\"responseKind\":{},"})
  void aggregated_resourceWithoutAKind_hasItsPartsAlone(String kind) throws Exception {
    server
        .aggregated("/api", "")
        .aggregated(
            "/apis",
            "{\"metadata\":{\"name\":\"external.metrics.k8s.io\"},\"versions\":[{\"version\":"
                + "\"v1beta1\",\"resources\":[{\"resource\":\"*\",\"scope\":\"Namespaced\","
                + kind
                + "\"singularResource\":\"\",\"subresources\":[{\"subresource\":\"other\","
                + "\"responseKind\":{\"kind\":\"MetricValueList\"},\"verbs\":[\"get\"]}]}]}]}");
    GroupVersion version = new GroupVersion("external.metrics.k8s.io", "v1beta1");

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(served.groups())
        .containsExactly(new APIGroup("external.metrics.k8s.io", List.of(version), version));
    assertThat(served.resources().get(version))
        .containsExactly(
            new APIResource(
                "*/other",
                "",
                true,
                "",
                "",
                "MetricValueList",
                List.of("get"),
                List.of(),
                List.of(),
                null));
  }

  /** TestSplitGroupsAndResources: a group of nothing but stale versions is there, without them. */
  @Test
  void aggregated_groupThatIsStale_hasNoVersions() throws Exception {
    server
        .aggregated("/api", CORE_ITEM.replace("\"Current\"", "\"Stale\""))
        .aggregated("/apis", APPS_ITEM.replace("\"Current\"", "\"Stale\""));

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(served.groups())
        .containsExactly(new APIGroup("", List.of(), null), new APIGroup("apps", List.of(), null));
    assertThat(served.resources()).isEmpty();
    assertThat(served.failures()).containsOnlyKeys(CORE, APPS, new GroupVersion("apps", "v2"));
  }

  /** TestAggregatedServerGroups: one side that is not aggregated is enough. */
  @Test
  void oneSideNotAggregated_asksForEachVersion() throws Exception {
    legacy();
    server.aggregated("/api", CORE_ITEM);

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(server.requests())
        .containsExactlyInAnyOrder(
            "/api", "/apis", "/api/v1", "/apis/apps/v1", "/apis/apps/v1beta1", "/apis/metrics/v1");
    assertThat(served.resources().get(CORE)).hasSize(3);
  }

  /** TestDiscoveryContentTypeVersion. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList | true",
        "application/json; as=APIGroupDiscoveryList; v=v2; g=apidiscovery.k8s.io | true",
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;charset=utf-8 | true",
        "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList | false",
        "application/json;v=v2;as=APIGroupDiscoveryList | false",
        "application/json;g=apidiscovery.k8s.io;v=v2 | false",
        "application/json | false",
        "application/json; charset=UTF-8 | false",
        "text/json | false",
        "'' | false",
        "text/plain;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList | false",
      })
  void contentType_decides(String contentType, boolean aggregated) {
    assertThat(AggregatedDiscovery.isType(contentType)).isEqualTo(aggregated);
    assertThat(AggregatedDiscovery.isType(null)).isFalse();
  }

  /* --------------- The older form --------------- */

  /** TestGetServerGroupsWithV1Server. */
  @Test
  void legacy_asksForEachVersion() throws Exception {
    legacy();

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(served.isComplete()).isTrue();
    assertThat(served.groups()).extracting(APIGroup::name).containsExactly("", "apps", "metrics");
    assertThat(served.groups().get(1).preferredVersion()).isEqualTo(APPS);
    assertThat(served.resources())
        .containsOnlyKeys(
            CORE, APPS, new GroupVersion("apps", "v1beta1"), new GroupVersion("metrics", "v1"));
  }

  /** TestTimeoutIsSet. */
  @Test
  void timeout_isOursUnlessOneIsConfigured() throws Exception {
    legacy();
    server.discovery().serverGroups();
    assertThat(server.take().getTarget()).isEqualTo("/api?timeout=32s");
    server.take();

    RestConfig config =
        server.client().config().toBuilder().timeout(Duration.ofSeconds(50)).build();
    try (RESTClient client = RESTClient.create(config)) {
      assertThatThrownBy(() -> DiscoveryClient.of(client).serverGroups())
          .isInstanceOf(ApiStatusException.class);
      assertThat(server.take().getTarget()).isEqualTo("/api?timeout=50s");
    }
  }

  /** TestUseLegacyDiscovery. */
  @Test
  void legacyClient_asksInTheOlderFormAlone() throws Exception {
    legacy();

    DiscoveryClient.legacy(server.client()).serverGroups();

    assertThat(server.take().getHeaders().get("Accept")).isEqualTo("application/json");
  }

  /** TestServerPreferredResourcesRetries: twice, then data. */
  @Test
  void brokenVersion_isAFailureBesideTheRest() throws Exception {
    legacy();
    server.fail("/apis/metrics/v1", 503).fail("/apis/apps/v1beta1", 500);

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(server.requests().stream().filter("/apis/metrics/v1"::equals)).hasSize(2);
    assertThat(served.resources()).containsOnlyKeys(CORE, APPS);
    assertThat(served.failures())
        .containsOnlyKeys(new GroupVersion("apps", "v1beta1"), new GroupVersion("metrics", "v1"));
    assertThat(served.problem().orElseThrow())
        .startsWith("unable to retrieve the complete list of server APIs: apps/v1beta1: ")
        .contains(", metrics/v1: ");
  }

  /** TestDiscoveryToleratesMissingCoreGroup: 404 at /api is tolerated, nothing else is. */
  @Test
  void groups_withoutACore_areTolerated() throws Exception {
    legacy();
    server.fail("/api", 404);
    assertThat(server.discovery().serverGroups())
        .extracting(APIGroup::name)
        .containsExactly("apps", "metrics");

    for (int code : new int[] {403, 500}) {
      server.fail("/api", code);
      assertThatThrownBy(() -> server.discovery().serverGroups())
          .isInstanceOf(ApiStatusException.class);
    }
    legacy();
    for (int code : new int[] {403, 404, 500}) {
      server.fail("/apis", code);
      assertThatThrownBy(() -> server.discovery().serverGroups())
          .isInstanceOf(ApiStatusException.class);
    }
  }

  /** TestGetServerResourcesForGroupVersion. */
  @Test
  void resources_ofOneVersion() throws Exception {
    legacy();

    assertThat(server.discovery().serverResourcesForGroupVersion(CORE))
        .extracting(APIResource::name)
        .containsExactly("pods", "pods/status", "services");
    server.fail("/api/v1", 404);
    assertThat(server.discovery().serverResourcesForGroupVersion(CORE)).isEmpty();
    assertThatThrownBy(
            () -> server.discovery().serverResourcesForGroupVersion(new GroupVersion("none", "v1")))
        .isInstanceOf(ApiStatusException.class);
    assertThatThrownBy(
            () -> server.discovery().serverResourcesForGroupVersion(new GroupVersion("", "")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** TestServerPreferredResources, TestServerPreferredNamespacedResources. */
  @Test
  void preferred_takesEachResourceOnce() throws Exception {
    legacy();

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(served.preferred().get(APPS))
        .extracting(APIResource::name)
        .containsExactly("deployments");
    assertThat(served.preferred().get(new GroupVersion("apps", "v1beta1")))
        .extracting(APIResource::name)
        .containsExactly("olds");
    assertThat(served.preferredNamespaced()).isEqualTo(served.preferred());
    assertThat(
            ServerResources.filter(
                served.preferred(), ServerResources.supportingAllVerbs(List.of("watch"))))
        .isEmpty();
    assertThat(
            ServerResources.filter(
                served.preferred(), ServerResources.supportingAllVerbs(List.of("get", "list"))))
        .isEqualTo(served.preferred());
  }

  /** TestServerPreferredResourcesRetries. */
  @Test
  void versionThatFailsOnce_isThere() throws Exception {
    legacy();
    server.failOnce("/apis/metrics/v1", 500);

    assertThat(server.discovery().serverGroupsAndResources().isComplete()).isTrue();
  }

  /** TestServerPreferredNamespacedResources: a resource that others have too is the preferred. */
  @ParameterizedTest
  @CsvSource({
    "v1, v1, v2alpha1",
    "v2alpha1, v2alpha1, v2alpha1",
  })
  void preferred_ofManyVersions_isThatOfTheGroup_orTheFirst(
      String preferred, String jobs, String cronJobs) throws Exception {
    String group =
        "{\"name\":\"batch\",\"versions\":[{\"groupVersion\":\"batch/v1\",\"version\":\"v1\"},"
            + "{\"groupVersion\":\"batch/v2alpha1\",\"version\":\"v2alpha1\"},"
            + "{\"groupVersion\":\"batch/v3alpha1\",\"version\":\"v3alpha1\"}],"
            + "\"preferredVersion\":{\"version\":\""
            + preferred
            + "\"}}";
    server
        .json("/apis", "{\"groups\":[" + group + "]}")
        .legacyResources("/apis/batch/v1", "jobs Job")
        .legacyResources("/apis/batch/v2alpha1", "jobs Job", "cronjobs CronJob")
        .legacyResources("/apis/batch/v3alpha1", "jobs Job", "cronjobs CronJob");

    Map<String, String> versions = new HashMap<>();
    server
        .discovery()
        .serverGroupsAndResources()
        .preferredNamespaced()
        .forEach(
            (version, resources) ->
                resources.forEach(resource -> versions.put(resource.name(), version.version())));

    assertThat(versions).containsOnly(Map.entry("jobs", jobs), Map.entry("cronjobs", cronJobs));
  }

  /** TestServerPreferredNamespacedResources. */
  @Test
  void preferredNamespaced_leavesOutWhatIsOfTheCluster() throws Exception {
    server.aggregated("/api", CORE_ITEM).aggregated("/apis", "");

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(served.preferred().get(CORE))
        .extracting(APIResource::name)
        .contains("unknown/scale");
    assertThat(served.preferredNamespaced().get(CORE))
        .extracting(APIResource::name)
        .contains("pods")
        .doesNotContain("unknown/scale");
  }

  /* --------------- The rest --------------- */

  /** TestGetServerVersion. */
  @Test
  void version_isRead() throws Exception {
    server.json(
        "/version",
        "{\"major\":\"1\",\"minor\":\"36\",\"gitVersion\":\"v1.36.2\",\"gitCommit\":\"c\","
            + "\"buildDate\":\"d\",\"platform\":\"linux/amd64\",\"emulationMajor\":\"1\"}");

    assertThat(server.discovery().serverVersion())
        .isEqualTo(new DiscoveryClient.VersionInfo("1", "36", "v1.36.2", "c", "d", "linux/amd64"));
  }

  @Test
  void answer_thatIsNoJson_isAnError() {
    server.answer("/api", "text/html", "<html>login</html>");
    assertThatThrownBy(() -> server.discovery().serverGroups()).isInstanceOf(CodecException.class);
    server.json("/version", "[]");
    assertThatThrownBy(() -> server.discovery().serverVersion())
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("/version: 200, 2 bytes: the response is not a JSON object");
  }

  /** A strange document reads as far as it makes sense. */
  @Test
  void answer_withUnknownThings_isReadAsFarAsItMakesSense() throws Exception {
    server
        .json("/api", "{\"versions\":[\"v1\",7,null]}")
        .json("/apis", "{\"groups\":[{\"name\":\"g\",\"versions\":\"x\"},7]}")
        .json("/api/v1", "{\"resources\":[{\"name\":\"pods\",\"kind\":3,\"verbs\":{}}, null]}");

    ServerResources served = server.discovery().serverGroupsAndResources();

    assertThat(served.resources().get(CORE))
        .containsExactly(
            new APIResource("pods", "", false, "", "", "", List.of(), List.of(), List.of(), null));
  }
}
