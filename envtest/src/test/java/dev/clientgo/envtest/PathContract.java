package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Discovery, health, representations, and unknown paths. */
abstract class PathContract extends Contract {

  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  private static final String PARTIAL =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
  private static final String PARTIAL_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  private static Map<String, Object> named(List<Map<String, Object>> all, String name) {
    return all.stream()
        .filter(one -> name.equals(one.get("name")) || name.equals(one.get("resource")))
        .findFirst()
        .orElseThrow();
  }

  /* --------------- Discovery --------------- */

  @Test
  void version_namesTheRelease() {
    Answer version = must(200, api().get("/version"));

    assertThat(version.at("major")).isEqualTo("1");
    assertThat(version.at("minor")).isIn("35", "36", "37");
    assertThat((String) version.at("gitVersion")).startsWith("v1." + version.at("minor") + ".");
  }

  @Test
  void api_older_namesV1() {
    Answer api = must(200, api().get("/api"));

    assertThat(api.at("kind")).isEqualTo("APIVersions");
    assertThat(api.at("versions")).isEqualTo(List.of("v1"));
    assertThat(api.at("serverAddressByClientCIDRs", "0", "clientCIDR")).isEqualTo("0.0.0.0/0");
  }

  @Test
  void apis_older_namesGroupsAndPreferredVersions() {
    Answer apis = must(200, api().get("/apis"));

    assertThat(apis.at("kind")).isEqualTo("APIGroupList");
    assertThat(apis.at("apiVersion")).isEqualTo("v1");
    Map<String, Object> apps = named(JsonTree.objects(apis.json(), "groups"), "apps");
    assertThat(JsonTree.string(apps, "preferredVersion", "groupVersion")).isEqualTo("apps/v1");
    assertThat(JsonTree.objects(apps, "versions"))
        .containsExactly(Map.of("groupVersion", "apps/v1", "version", "v1"));
  }

  @Test
  void apis_oneGroup_isAnApiGroup() {
    Answer group = must(200, api().get("/apis/apps"));

    assertThat(group.at("kind")).isEqualTo("APIGroup");
    assertThat(group.at("name")).isEqualTo("apps");
    assertThat(group.at("preferredVersion", "version")).isEqualTo("v1");
  }

  @Test
  void resources_coreGroup_areComplete() {
    Answer list = must(200, api().get("/api/v1"));

    assertThat(list.at("kind")).isEqualTo("APIResourceList");
    assertThat(list.at("groupVersion")).isEqualTo("v1");
    List<Map<String, Object>> all = JsonTree.objects(list.json(), "resources");
    assertThat(all)
        .map(one -> one.get("name"))
        .contains("configmaps", "secrets", "services", "serviceaccounts", "nodes", "events")
        .contains("endpoints", "pods/status", "namespaces/finalize", "nodes/status");
    assertThat(named(all, "pods"))
        .containsEntry("singularName", "pod")
        .containsEntry("namespaced", true)
        .containsEntry("kind", "Pod")
        .containsEntry("shortNames", List.of("po"))
        .containsEntry("categories", List.of("all"))
        .containsEntry(
            "verbs",
            List.of(
                "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"));
    assertThat(named(all, "pods/status"))
        .containsEntry("singularName", "")
        .containsEntry("verbs", List.of("get", "patch", "update"));
    assertThat(named(all, "namespaces"))
        .containsEntry("namespaced", false)
        .containsEntry(
            "verbs", List.of("create", "delete", "get", "list", "patch", "update", "watch"));
  }

  @ParameterizedTest
  @CsvSource({
    "/apis/apps/v1, deployments, Deployment, deploy",
    "/apis/batch/v1, cronjobs, CronJob, cj",
    "/apis/networking.k8s.io/v1, ingresses, Ingress, ing",
    "/apis/networking.k8s.io/v1, networkpolicies, NetworkPolicy, netpol",
    "/apis/policy/v1, poddisruptionbudgets, PodDisruptionBudget, pdb",
    "/apis/storage.k8s.io/v1, storageclasses, StorageClass, sc",
    "/apis/apiextensions.k8s.io/v1, customresourcedefinitions, CustomResourceDefinition, crd"
  })
  void resources_ofAGroup_areListed(String path, String name, String kind, String shortName) {
    Answer list = must(200, api().get(path));

    assertThat(list.at("apiVersion")).isEqualTo("v1");
    Map<String, Object> resource = named(JsonTree.objects(list.json(), "resources"), name);
    assertThat(resource).containsEntry("kind", kind);
    assertThat(JsonTree.strings(resource, "shortNames")).contains(shortName);
  }

  @Test
  void aggregated_core_isOneDocument() {
    Answer answer = must(200, api().get("/api", "Accept", AGGREGATED + ",application/json"));

    assertThat(answer.header("Content-Type")).isEqualTo(AGGREGATED);
    assertThat(answer.at("kind")).isEqualTo("APIGroupDiscoveryList");
    assertThat(answer.at("apiVersion")).isEqualTo("apidiscovery.k8s.io/v2");
    assertThat(answer.at("items", "0", "versions", "0", "freshness")).isEqualTo("Current");
    Map<String, Object> pods =
        named(
            JsonTree.objects(
                JsonTree.asObject(answer.at("items", "0", "versions", "0")), "resources"),
            "pods");
    assertThat(pods)
        .containsEntry("scope", "Namespaced")
        .containsEntry("singularResource", "pod")
        .containsEntry("responseKind", Map.of("group", "", "version", "", "kind", "Pod"));
    assertThat(JsonTree.objects(pods, "subresources"))
        .map(one -> one.get("subresource"))
        .contains("status");
  }

  @Test
  void aggregated_groups_areOneDocument() {
    Answer answer = must(200, api().get("/apis", "Accept", AGGREGATED));

    assertThat(JsonTree.objects(answer.json(), "items"))
        .map(group -> JsonTree.string(group, "metadata", "name"))
        .contains("apps", "batch", "coordination.k8s.io", "apiextensions.k8s.io")
        .doesNotContain("");
  }

  @Test
  void aggregated_sameTag_isNotSentAgain() {
    Answer first = api().get("/apis", "Accept", AGGREGATED);
    assertThat(first.header("Etag")).matches("\"[0-9A-F]{128}\"");
    assertThat(first.header("Vary")).isEqualTo("Accept");

    // The real server may still be adding the kinds of other tests.
    List<Answer> again = new ArrayList<>();
    eventually(() -> again.add(aggregatedAgain()) && again.get(again.size() - 1).code() == 304);
    assertThat(again.get(again.size() - 1).text()).isEmpty();
  }

  private Answer aggregatedAgain() {
    String tag = api().get("/apis", "Accept", AGGREGATED).header("Etag");
    return api().get("/apis", "Accept", AGGREGATED, "If-None-Match", tag);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"application/json," + AGGREGATED, AGGREGATED + ";q=0.5, application/json"})
  void aggregated_bothFormsAccepted_isPreferred(String accept) {
    Answer answer = api().get("/apis", "Accept", accept);

    assertThat(answer.at("kind")).isEqualTo("APIGroupDiscoveryList");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/healthz", "/livez", "/readyz"})
  void health_isOk(String path) {
    eventually(() -> api().get(path).code() == 200);
    assertThat(api().get(path).text()).isEqualTo("ok");
  }

  /* --------------- Unknown paths --------------- */

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/v1/nope",
        "/api/v2/pods",
        "/apis/apps/v1/nope",
        "/apis/apps/v2/deployments",
        "/api/v1/pods/x",
        "/api/v1/namespaces/default/nodes",
        "/api/v1/namespaces/default/namespaces",
        "/api/v1/namespaces/default/configmaps/x/nope"
      })
  void get_unknownPathInAServedGroup_isAStatus(String path) {
    assertFailure(
        api().get(path), 404, "NotFound", "the server could not find the requested resource");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nope", "/apis/nope.example.com/v1", "/apis/nope.example.com/v1/things"})
  void get_unknownPath_isPlainText(String path) {
    Answer answer = api().get(path);

    assertThat(answer.code()).isEqualTo(404);
    assertThat(answer.text()).isEqualTo("404 page not found\n");
    assertThat(answer.header("Content-Type")).startsWith("text/plain");
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, configmaps",
    "PATCH, configmaps",
    "POST, configmaps/x",
    "POST, pods/x/status",
    "DELETE, pods/x/status"
  })
  void method_unsupported_isNotAllowed(String method, String path) {
    assertFailure(
        api().send(method, core(path), "{}", "Content-Type", MERGE_PATCH),
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource");
  }

  @Test
  void create_acrossNamespaces_isNotAllowed() {
    assertFailure(
        api().post("/api/v1/configmaps", "{}"),
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource");
  }

  /* --------------- Representations --------------- */

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/*",
        "application/json;q=0.8",
        "image/png, application/json",
        "application/json;stream=watch, application/json"
      })
  void get_acceptsJson_isJson(String accept) {
    create("a");

    Answer answer = must(200, api().get(configMap("a"), "Accept", accept));

    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
  }

  @Test
  void get_acceptsOtherTypesOnly_isNotAcceptable() {
    Answer answer = api().get(configMaps(), "Accept", "image/png");

    assertFailure(answer, 406, "NotAcceptable", "application/json");
  }

  @Test
  void create_bodyOfAnotherType_isUnsupported() {
    assertFailure(
        api().post(configMaps(), "x", "Content-Type", "text/plain"),
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: ");
  }

  @Test
  void create_typeWithCharset_isAccepted() {
    must(
        201,
        api()
            .post(
                configMaps(),
                "{'metadata':{'name':'a'}}",
                "Content-Type",
                "application/json; charset=utf-8"));
  }

  @Test
  void get_partialMetadata_returnsOnlyMetadata() {
    Answer created = create("a", ",'labels':{'x':'y'}");

    Answer partial = must(200, api().get(configMap("a"), "Accept", PARTIAL));

    assertThat(partial.json()).containsOnlyKeys("kind", "apiVersion", "metadata");
    assertThat(partial.at("kind")).isEqualTo("PartialObjectMetadata");
    assertThat(partial.at("apiVersion")).isEqualTo("meta.k8s.io/v1");
    assertThat(partial.at("metadata")).isEqualTo(created.at("metadata"));
  }

  @Test
  void list_partialMetadata_returnsOnlyMetadata() {
    create("a");

    Answer partial = must(200, api().get(configMaps(), "Accept", PARTIAL_LIST));

    assertThat(partial.at("kind")).isEqualTo("PartialObjectMetadataList");
    assertThat(partial.at("apiVersion")).isEqualTo("meta.k8s.io/v1");
    assertThat(partial.at("items", "0", "kind")).isEqualTo("PartialObjectMetadata");
    assertThat(partial.at("items", "0", "apiVersion")).isEqualTo("meta.k8s.io/v1");
    assertThat(partial.at("items", "0", "metadata", "name")).isEqualTo("a");
    assertThat(JsonTree.asObject(partial.at("items", "0"))).doesNotContainKey("data");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json, " + PARTIAL_LIST + " | ConfigMapList",
        PARTIAL_LIST + ", application/json | PartialObjectMetadataList",
        PARTIAL_LIST + ";q=0.5, application/json | ConfigMapList",
        "*/*, " + PARTIAL_LIST + " | PartialObjectMetadataList",
        "application/json;as=Nope;g=meta.k8s.io;v=v1, application/json | ConfigMapList",
        "text/html, */*;q=0.1 | ConfigMapList",
        PARTIAL + " | Status",
        "application/*, application/JSON | Status"
      })
  void list_acceptsSeveral_returnsTheMostPreferred(String accept, String kind) {
    assertThat(api().get(configMaps(), "Accept", accept).at("kind")).isEqualTo(kind);
  }

  @Test
  void watch_partialMetadata_sendsOnlyMetadata() {
    create("a");

    try (Events events =
        api().watch(configMaps() + "?watch=true&resourceVersion=0", "Accept", PARTIAL)) {
      assertThat(events.next().object())
          .containsOnlyKeys("kind", "apiVersion", "metadata")
          .containsEntry("kind", "PartialObjectMetadata");
    }
  }

  @Test
  void get_unusualCharacters_areUnchanged() {
    String value =
        "h\\u00e9llo \\u2638 \\ud83d\\ude00 tab\\t\\\"quote\\\" \\\\ \\u2028 \\u0001 </a>";

    Answer created =
        must(
            201,
            api().post(configMaps(), "{'metadata':{'name':'a'},'data':{'k':'" + value + "'}}"));

    assertThat(created.at("data", "k"))
        .isEqualTo("h\u00e9llo \u2638 \ud83d\ude00 tab\t\"quote\" \\ \u2028 \u0001 </a>");
  }
}
