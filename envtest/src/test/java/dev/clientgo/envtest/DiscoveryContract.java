package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.restmapper.RESTMapping;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Result;
import dev.clientgo.rest.discovery.APIResource;
import dev.clientgo.rest.discovery.CachedDiscoveryClient;
import dev.clientgo.rest.discovery.CategoryExpander;
import dev.clientgo.rest.discovery.DeferredDiscoveryRESTMapper;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.rest.discovery.MemCacheClient;
import dev.clientgo.rest.discovery.OpenAPIClient;
import dev.clientgo.rest.discovery.ServerResources;
import dev.clientgo.rest.discovery.ShortcutExpander;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** This library's discovery client against any API server. */
@Timeout(300)
abstract class DiscoveryContract {

  private static final GroupVersion CORE = new GroupVersion("", "v1");
  private static final GroupVersion APPS = new GroupVersion("apps", "v1");
  private static final String KINDS = "x-kubernetes-group-version-kind";

  /** Returns a client of the server under test. */
  abstract RESTClient client();

  private static GroupVersionResource partial(String resource) {
    return new GroupVersionResource("", "", resource);
  }

  @Test
  void version_isThatOfTheServer() throws Exception {
    assertThat(DiscoveryClient.of(client()).serverVersion().gitVersion())
        .matches("v1\\.\\d+\\.\\d+.*");
  }

  @Test
  void openApi_hasTheSchemaOfAKindAndHowItsListsAreMerged() throws Exception {
    OpenAPIClient openApi = DiscoveryClient.of(client()).openAPIV3();

    assertThat(openApi.paths()).containsKeys("api/v1", "apis/apps/v1").doesNotContainKey("apis/v9");
    Map<String, Object> schemas =
        JsonTree.object(JsonTree.asObject(openApi.spec(APPS)), "components", "schemas");
    Map<String, Object> pod =
        JsonTree.object(schemas, "io.k8s.api.core.v1.PodSpec", "properties", "volumes");
    assertThat(pod)
        .containsEntry("type", "array")
        .containsEntry("x-kubernetes-list-map-keys", List.of("name"))
        .containsEntry("x-kubernetes-patch-merge-key", "name")
        .containsEntry("x-kubernetes-patch-strategy", "merge,retainKeys");
    assertThat(
            JsonTree.object(schemas, "io.k8s.api.apps.v1.DeploymentSpec", "properties", "strategy"))
        .containsEntry("x-kubernetes-patch-strategy", "retainKeys")
        .containsEntry(
            "allOf",
            List.of(Map.of("$ref", "#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy")));
    assertThat(JsonTree.objects(schemas, "io.k8s.api.apps.v1.Deployment", KINDS))
        .containsExactly(Map.of("group", "apps", "version", "v1", "kind", "Deployment"));
  }

  /** Both forms have the same content, except for fields that only the older one has. */
  @Test
  void bothForms_areEquivalent() throws Exception {
    ServerResources aggregated = DiscoveryClient.of(client()).serverGroupsAndResources();
    ServerResources legacy = DiscoveryClient.legacy(client()).serverGroupsAndResources();
    // The real server may still be adding groups; the test's timeout limits the wait.
    while (!aggregated.isComplete()
        || !aggregated.groups().equals(legacy.groups())
        || !aggregated.resources().keySet().equals(legacy.resources().keySet())) {
      aggregated = DiscoveryClient.of(client()).serverGroupsAndResources();
      legacy = DiscoveryClient.legacy(client()).serverGroupsAndResources();
    }

    Map<GroupVersion, List<APIResource>> older = legacy.resources();
    aggregated
        .resources()
        .forEach(
            (version, resources) ->
                assertThat(described(resources))
                    .as(version.toString())
                    .containsExactlyInAnyOrderElementsOf(described(older.get(version))));
  }

  private static List<String> described(List<APIResource> resources) {
    return resources.stream()
        .map(
            r ->
                r.name()
                    + r.singularName()
                    + r.namespaced()
                    + r.kind()
                    + r.shortNames()
                    + r.categories()
                    + r.verbs().stream().sorted().toList())
        .toList();
  }

  @Test
  void mapperOfAClient_findsWhatAPersonTypes() {
    RESTMapping deployments = ShortcutExpander.of(client()).find("deploy.apps");

    assertThat(deployments.kind()).isEqualTo(new GroupVersionKind("apps", "v1", "Deployment"));
    assertThat(deployments.isNamespaced()).isTrue();
  }

  @Test
  void mapper_findsKindsAndResources() {
    DeferredDiscoveryRESTMapper mapper =
        DeferredDiscoveryRESTMapper.of(MemCacheClient.of(DiscoveryClient.of(client())));

    assertThat(mapper.kindFor(partial("deployments")))
        .isEqualTo(new GroupVersionKind("apps", "v1", "Deployment"));
    assertThat(mapper.kindFor(partial("pod"))).isEqualTo(new GroupVersionKind("", "v1", "Pod"));
    assertThat(mapper.restMapping(new GroupKind("", "Node")).scope())
        .isEqualTo(RESTMapping.Scope.ROOT);
    assertThatThrownBy(() -> mapper.kindFor(partial("nothings")))
        .isInstanceOf(NoMatchException.class);
  }

  @Test
  void shortNamesAndCategories_areKnown() throws Exception {
    MemCacheClient cache = MemCacheClient.of(DiscoveryClient.of(client()));
    List<String> warnings = new ArrayList<>();
    ShortcutExpander mapper =
        ShortcutExpander.of(DeferredDiscoveryRESTMapper.of(cache), cache, warnings::add);

    assertThat(mapper.resourceFor(partial("deploy"))).isEqualTo(APPS.withResource("deployments"));
    assertThat(mapper.kindFor(partial("cm"))).isEqualTo(CORE.withKind("ConfigMap"));
    assertThat(warnings).isEmpty();
    assertThat(CategoryExpander.of(cache).expand("all"))
        .contains(new GroupResource("", "pods"), new GroupResource("apps", "deployments"));
  }

  @Test
  void diskCache_returnsTheSame(@TempDir Path directory) throws Exception {
    DiscoveryClient discovery = DiscoveryClient.of(client());
    ServerResources asked =
        CachedDiscoveryClient.of(discovery, directory, Duration.ofHours(1))
            .serverGroupsAndResources();

    CachedDiscoveryClient other =
        CachedDiscoveryClient.of(discovery, directory, Duration.ofHours(1));

    assertThat(other.serverGroupsAndResources()).isEqualTo(asked);
    assertThat(other.isFresh()).isFalse();
  }

  @Test
  void unchangedDocument_isNotSentAgain() throws Exception {
    // The real server may still be adding groups; the test's timeout limits the wait.
    Result again = null;
    while (again == null || again.statusCode() != 304) {
      again = aggregated(aggregated("none").header("ETag").orElse("none"));
    }

    assertThat(again.raw()).isEmpty();
  }

  private Result aggregated(String knownTag) throws Exception {
    return client()
        .get()
        .absPath("/apis")
        .header("Accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
        .header("If-None-Match", knownTag)
        .execute();
  }

  @Test
  void unknownVersion_isNotFound() {
    assertThatThrownBy(
            () ->
                DiscoveryClient.of(client())
                    .serverResourcesForGroupVersion(new GroupVersion("none.example.com", "v1")))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
  }

  /** A mapper that was used before the definition existed finds the new kind. */
  @Test
  void newDefinition_isNoticed() throws Exception {
    DeferredDiscoveryRESTMapper mapper =
        DeferredDiscoveryRESTMapper.of(MemCacheClient.of(DiscoveryClient.of(client())));
    GroupKind kind = new GroupKind("discovery.example.com", "Gadget");
    assertThatThrownBy(() -> mapper.restMapping(kind)).isInstanceOf(NoMatchException.class);

    client()
        .post()
        .absPath("/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
        .body(
            """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"gadgets.discovery.example.com"},
             "spec":{"group":"discovery.example.com","scope":"Namespaced",
              "names":{"plural":"gadgets","singular":"gadget","kind":"Gadget","shortNames":["gdg"]},
              "versions":[{"name":"v1","served":true,"storage":true,
               "schema":{"openAPIV3Schema":{"type":"object",
                "x-kubernetes-preserve-unknown-fields":true}}}]}}\
            """
                .getBytes(UTF_8),
            "application/json")
        .execute();

    // The real server serves the kind after a moment; the test's timeout limits the wait.
    RESTMapping mapping = null;
    while (mapping == null) {
      try {
        mapping = mapper.restMapping(kind);
      } catch (NoMatchException e) {
        Thread.onSpinWait();
      }
    }
    assertThat(mapping.resource())
        .isEqualTo(new GroupVersionResource("discovery.example.com", "v1", "gadgets"));
    assertThat(mapping.scope()).isEqualTo(RESTMapping.Scope.NAMESPACE);
  }
}
