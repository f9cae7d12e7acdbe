package dev.clientgo.kubernetes;

import static dev.clientgo.kubernetes.Checks.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.restmapper.RESTMapper;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.rest.discovery.APIGroup;
import dev.clientgo.rest.discovery.APIResource;
import dev.clientgo.rest.discovery.DeferredDiscoveryRESTMapper;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.rest.discovery.MemCacheClient;
import dev.clientgo.rest.discovery.OpenAPIClient;
import dev.clientgo.rest.discovery.OpenAPIGroupVersion;
import dev.clientgo.rest.discovery.ServerResources;
import dev.clientgo.rest.discovery.ShortcutExpander;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Discovery: the resources that a server serves. */
final class DiscoveryChecks {

  private static final GroupVersion CORE = new GroupVersion("", "v1");
  private static final GroupVersion APPS = new GroupVersion("apps", "v1");

  private DiscoveryChecks() {}

  static void addTo(Map<String, Checks.Check> all) {
    all.put("version", DiscoveryChecks::version);
    all.put("readyz", DiscoveryChecks::readyz);
    all.put("api-legacy", it -> legacyGroups(it.and("apis-legacy")));
    all.put("apis-legacy", it -> legacyGroups(it.and("api-legacy")));
    all.put("api-v1-resources", DiscoveryChecks::coreResources);
    all.put("apis-apps-v1-resources", DiscoveryChecks::appsResources);
    all.put("api-aggregated", it -> aggregated(it.and("apis-aggregated")));
    all.put("apis-aggregated", it -> mapper(it.and("api-aggregated")));
    all.put("apis-aggregated-stale", it -> stale(it.and("api-aggregated")));
    all.put("api-service-unavailable-503", DiscoveryChecks::unavailable);
    all.put("openapi-v3-index", DiscoveryChecks::openApiIndex);
    all.put("openapi-v3-crd-group", DiscoveryChecks::openApiDocument);
  }

  private static void version(Replay it) throws InterruptedException {
    DiscoveryClient.VersionInfo version = DiscoveryClient.of(it.client()).serverVersion();

    assertThat(version.major()).isEqualTo("1");
    assertThat(version.minor()).isEqualTo("36");
    assertThat(version.gitVersion()).startsWith("v1.36.");
    assertThat(version.platform()).contains("/");
  }

  private static void readyz(Replay it) throws InterruptedException {
    byte[] answer = it.client().get().absPath("/readyz").execute().raw();

    assertThat(new String(answer, UTF_8)).isEqualTo("ok");
  }

  private static void legacyGroups(Replay it) throws InterruptedException {
    List<APIGroup> groups = DiscoveryClient.legacy(it.client()).serverGroups();

    assertThat(groups.get(0)).isEqualTo(new APIGroup("", List.of(CORE), CORE));
    assertThat(groups).contains(new APIGroup("apps", List.of(APPS), APPS));
    assertThat(groups)
        .extracting(APIGroup::name)
        .contains("batch", "rbac.authorization.k8s.io", "apiextensions.k8s.io");
  }

  private static void coreResources(Replay it) throws InterruptedException {
    List<APIResource> resources =
        DiscoveryClient.of(it.client()).serverResourcesForGroupVersion(CORE);

    assertThat(resources).hasSameSizeAs(it.json().get("resources"));
    APIResource pods = find(resources, "pods");
    assertThat(pods.namespaced()).isTrue();
    assertThat(pods.singularName()).isEqualTo("pod");
    assertThat(pods.shortNames()).containsExactly("po");
    assertThat(pods.categories()).containsExactly("all");
    assertThat(pods.supports(Set.of("get", "list", "watch", "deletecollection"))).isTrue();
    assertThat(pods.storageVersionHash()).isNotEmpty();
    assertThat(find(resources, "nodes").namespaced()).isFalse();
    assertThat(find(resources, "pods/eviction").groupVersionKind(CORE))
        .isEqualTo(new GroupVersionKind("policy", "v1", "Eviction"));
  }

  private static void appsResources(Replay it) throws InterruptedException {
    List<APIResource> resources =
        DiscoveryClient.of(it.client()).serverResourcesForGroupVersion(APPS);

    assertThat(find(resources, "deployments").shortNames()).containsExactly("deploy");
    assertThat(find(resources, "deployments").groupVersionKind(APPS))
        .isEqualTo(APPS.withKind("Deployment"));
    assertThat(find(resources, "deployments/scale").groupVersionKind(APPS))
        .isEqualTo(new GroupVersionKind("autoscaling", "v1", "Scale"));
  }

  private static APIResource find(List<APIResource> resources, String name) {
    return resources.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  /** Both forms of discovery say the same. */
  private static void aggregated(Replay it) throws InterruptedException {
    ServerResources found = DiscoveryClient.of(it.client()).serverGroupsAndResources();

    assertThat(found.isComplete()).isTrue();
    assertThat(kinds(found.resources().get(CORE), CORE))
        .isEqualTo(kinds(it.other("api-v1-resources"), CORE));
    assertThat(kinds(found.resources().get(APPS), APPS))
        .isEqualTo(kinds(it.other("apis-apps-v1-resources"), APPS));
    assertThat(found.groups()).extracting(APIGroup::name).startsWith("").contains("apps", "batch");
  }

  private static Set<String> kinds(List<APIResource> resources, GroupVersion version) {
    return resources.stream()
        .map(each -> each.name() + " " + each.groupVersionKind(version) + " " + each.namespaced())
        .collect(Collectors.toSet());
  }

  private static Set<String> kinds(Exchange legacy, GroupVersion version) {
    JsonNode document = JsonMapper.shared().readTree(legacy.answer().body().utf8());
    return document.get("resources").values().stream()
        .map(
            each -> {
              String kind = each.get("kind").asString();
              GroupVersionKind full =
                  each.has("version")
                      ? new GroupVersionKind(
                          each.path("group").asString(""), each.get("version").asString(), kind)
                      : version.withKind(kind);
              return each.get("name").asString() + " " + full + " " + each.get("namespaced");
            })
        .collect(Collectors.toSet());
  }

  private static void mapper(Replay it) {
    MemCacheClient discovery = MemCacheClient.of(DiscoveryClient.of(it.client()));
    List<String> warnings = new ArrayList<>();
    RESTMapper mapper =
        ShortcutExpander.of(DeferredDiscoveryRESTMapper.of(discovery), discovery, warnings::add);

    RESTMapping deployment = mapper.restMapping(new GroupKind("apps", "Deployment"));
    assertThat(deployment.resource()).isEqualTo(APPS.withResource("deployments"));
    assertThat(deployment.scope()).isEqualTo(RESTMapping.Scope.NAMESPACE);
    assertThat(mapper.restMapping(new GroupKind("", "Node")).scope())
        .isEqualTo(RESTMapping.Scope.ROOT);
    assertThat(mapper.resourceFor(new GroupVersionResource("", "", "po")))
        .isEqualTo(CORE.withResource("pods"));
    assertThat(mapper.kindFor(new GroupVersionResource("", "", "crd")))
        .isEqualTo(new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"));
    assertThat(warnings).isEmpty();
  }

  private static void stale(Replay it) throws InterruptedException {
    ServerResources found = DiscoveryClient.of(it.client()).serverGroupsAndResources();

    assertThat(found.failures()).containsOnlyKeys(new GroupVersion("broken.example.com", "v1"));
    assertThat(found.problem())
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .contains("broken.example.com/v1: stale GroupVersion discovery"));
    assertThat(found.resources()).containsKeys(CORE, APPS);
  }

  private static void unavailable(Replay it) {
    ApiStatusException error =
        refused(
            503,
            StatusReason.SERVICE_UNAVAILABLE,
            () ->
                DiscoveryClient.of(it.client())
                    .serverResourcesForGroupVersion(
                        new GroupVersion(it.segment(1), it.segment(2))));

    assertThat(error.isServiceUnavailable()).isTrue();
    assertThat(error.statusCause(CauseType.UNEXPECTED_SERVER_RESPONSE))
        .hasValueSatisfying(cause -> assertThat(cause.message()).isEqualTo("service unavailable"));
  }

  private static void openApiIndex(Replay it) throws InterruptedException {
    OpenAPIClient openApi = DiscoveryClient.of(it.client()).openAPIV3();

    Map<String, OpenAPIGroupVersion> paths = openApi.paths();
    assertThat(paths).hasSameSizeAs(it.json().get("paths"));
    assertThat(paths.get("apis/apps/v1").serverRelativeURL())
        .startsWith("/openapi/v3/apis/apps/v1?hash=");
    assertThat(openApi.groupVersions()).contains(CORE, APPS);
  }

  private static void openApiDocument(Replay it) throws InterruptedException {
    byte[] document =
        OpenAPIClient.document(it.client(), it.exchange().question().target())
            .schema(OpenAPIClient.JSON);

    JsonNode schemas = JsonMapper.shared().readTree(document).at("/components/schemas");
    JsonNode foo = schemas.get("com.example.samplecontroller.v1alpha1.Foo");
    assertThat(foo.at("/properties/spec/required/0").asString()).isEqualTo("deploymentName");
  }
}
