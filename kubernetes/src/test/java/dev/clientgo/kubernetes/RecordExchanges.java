package dev.clientgo.kubernetes;

import static dev.clientgo.kubernetes.ExchangeRecorder.json;
import static dev.clientgo.kubernetes.RecordedObjects.ACCESS_REVIEW;
import static dev.clientgo.kubernetes.RecordedObjects.BROKEN_API_SERVICE;
import static dev.clientgo.kubernetes.RecordedObjects.DEFINITION;
import static dev.clientgo.kubernetes.RecordedObjects.DEPLOYMENT;
import static dev.clientgo.kubernetes.RecordedObjects.DEPLOYMENT_STATUS;
import static dev.clientgo.kubernetes.RecordedObjects.LEASE;
import static dev.clientgo.kubernetes.RecordedObjects.RUNNING;
import static dev.clientgo.kubernetes.RecordedObjects.configMap;
import static dev.clientgo.kubernetes.RecordedObjects.deleteOptions;
import static dev.clientgo.kubernetes.RecordedObjects.eviction;
import static dev.clientgo.kubernetes.RecordedObjects.foo;
import static dev.clientgo.kubernetes.RecordedObjects.owned;
import static dev.clientgo.kubernetes.RecordedObjects.pod;

import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.kubernetes.ExchangeRecorder.Call;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Records the exchanges that {@code WireTest} replays, with the real kube-apiserver. It is no test
 * and is not run as one: the script {@code record-wire} runs it.
 */
final class RecordExchanges {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String GROUP = "/apis/samplecontroller.example.com/v1alpha1";
  private static final String FOOS = GROUP + "/namespaces/default/foos";

  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String MERGE = "application/merge-patch+json";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  @TempDir private Path temporary;

  private ExchangeRecorder server;

  @Test
  @Timeout(300)
  void record() throws Exception {
    Path folder = Files.createDirectories(Path.of(System.getProperty("wire.record")));
    Path tokens = Files.writeString(temporary.resolve("tokens.csv"), ExchangeRecorder.TOKENS);
    String flag = "--token-auth-file=" + tokens;
    try (KubeApiServer started = KubeApiServer.builder().flag(flag).start();
        ExchangeRecorder recorder = new ExchangeRecorder(started, folder)) {
      server = recorder;
      prepare();
      discovery();
      refusals();
      writing();
      patching();
      pages();
      lists();
      pods();
      watches();
      customResources();
      subresources();
      deletions();
      brokenApiService();
      started.restart(); // The watch cache begins again, and knows no older version.
      get("watch-expired-410", "/api/v1/pods?watch=true&resourceVersion=1");
    }
    // A watch cache would remember what etcd has forgotten.
    try (KubeApiServer started =
            KubeApiServer.builder().flag(flag).flag("--watch-cache=false").start();
        ExchangeRecorder recorder = new ExchangeRecorder(started, folder)) {
      server = recorder;
      awaitNamespaces();
      expired(started.etcdUrl());
    }
  }

  private Exchange record(String name, Call call) throws IOException {
    return server.record(name, call);
  }

  private Exchange get(String name, String target) throws IOException {
    return record(name, Call.get(target));
  }

  /* --------------- What there is --------------- */

  private void awaitNamespaces() throws IOException, InterruptedException {
    for (String namespace : new String[] {"default", "kube-public"}) {
      server.await(Call.get("/api/v1/namespaces/" + namespace), it -> it.answer().code() == 200);
    }
  }

  /** There are no controllers, so what they would make is made here. */
  private void prepare() throws IOException, InterruptedException {
    awaitNamespaces();
    server.send(Call.post(DEPLOYMENTS, DEPLOYMENT));
    server.send(Call.patch(DEPLOYMENTS + "/web/status", MERGE, DEPLOYMENT_STATUS));
    for (String name : new String[] {"web-0", "web-1", "web-2"}) {
      server.send(Call.post(PODS, pod(name)));
    }
  }

  /* --------------- Discovery --------------- */

  private void discovery() throws IOException {
    get("version", "/version");
    get("readyz", "/readyz");
    get("api-legacy", "/api");
    get("apis-legacy", "/apis");
    get("api-v1-resources", "/api/v1");
    get("apis-apps-v1-resources", "/apis/apps/v1");
    record("api-aggregated", Call.get("/api").header("Accept", AGGREGATED));
    record("apis-aggregated", Call.get("/apis").header("Accept", AGGREGATED));
    get("openapi-v3-index", "/openapi/v3");
  }

  private void brokenApiService() throws IOException, InterruptedException {
    server.send(Call.post("/apis/apiregistration.k8s.io/v1/apiservices", BROKEN_API_SERVICE));
    server.await(Call.get("/apis/broken.example.com/v1"), it -> it.answer().code() == 503);
    get("api-service-unavailable-503", "/apis/broken.example.com/v1");
    Call groups = Call.get("/apis").header("Accept", AGGREGATED);
    server.await(groups, it -> it.answer().body().utf8().contains("\"Stale\""));
    record("apis-aggregated-stale", groups);
  }

  /* --------------- Who may not, and what is not --------------- */

  private void refusals() throws IOException {
    record("anonymous-forbidden-403", Call.get(MAPS).as(""));
    record("unauthorized-401", Call.get(MAPS).as("wrong"));
    record("forbidden-403", Call.get("/api/v1/namespaces/default/secrets").as("view-token"));
    record(
        "impersonation-forbidden-403",
        Call.get(MAPS).as("view-token").header("Impersonate-User", "admin"));
    get("unknown-path-404", "/apis/nope.example.com/v1/things");
    record("not-acceptable-406", Call.get(MAPS).header("Accept", "image/png"));
    record("method-not-allowed-405", Call.post("/api/v1/componentstatuses", "{}"));
    record("unsupported-media-type-415", Call.post(MAPS, "x").header("Content-Type", "text/plain"));
  }

  /* --------------- Writing --------------- */

  private void writing() throws IOException {
    record("create-configmap", Call.post(MAPS, configMap("wire-a")));
    record("create-dry-run", Call.post(MAPS + "?dryRun=All", configMap("wire-dry")));
    get("get-configmap", MAPS + "/wire-a");
    get("get-not-found-404", MAPS + "/absent");
    record("create-already-exists-409", Call.post(MAPS, configMap("wire-a")));
    record(
        "create-bad-request-400",
        Call.post(MAPS, "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":"));
    record(
        "create-invalid-422",
        Call.post(
            PODS,
            "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"Bad_Name\"},"
                + " \"spec\": {\"containers\": []}}"));
    String unknown = ", \"nope\": 1";
    record(
        "create-unknown-field-strict-400",
        Call.post(MAPS + "?fieldValidation=Strict", configMap("wire-strict", "", unknown)));
    record(
        "create-unknown-field-warning",
        Call.post(MAPS + "?fieldValidation=Warn", configMap("wire-warn", "", unknown)));
    record(
        "create-generate-name",
        Call.post(
            MAPS,
            "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"generateName\":"
                + " \"wire-gen-\"}}"));
    record(
        "update-conflict-409",
        Call.put(MAPS + "/wire-a", configMap("wire-a", ", \"resourceVersion\": \"1\"")));
    terminatingNamespace();
    immutable();
    record(
        "lease-create", Call.post("/apis/coordination.k8s.io/v1/namespaces/default/leases", LEASE));
    record(
        "self-subject-access-review",
        Call.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", ACCESS_REVIEW));
  }

  private void terminatingNamespace() throws IOException {
    String gone = "/api/v1/namespaces/wire-gone";
    server.send(
        Call.post(
            "/api/v1/namespaces",
            "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \"wire-gone\"}}"));
    record("delete-namespace", Call.delete(gone, deleteOptions("")));
    record(
        "create-in-terminating-namespace-403",
        Call.post(gone + "/configmaps", configMap("wire-late")));
  }

  private void immutable() throws IOException {
    String fixed = "/api/v1/namespaces/kube-public/configmaps";
    server.send(Call.post(fixed, configMap("wire-fixed", "", ", \"immutable\": true")));
    record(
        "patch-immutable-422",
        Call.patch(fixed + "/wire-fixed", MERGE, "{\"data\":{\"k\":\"other\"}}"));
  }

  private void patching() throws IOException {
    String map = MAPS + "/wire-a";
    record(
        "patch-json",
        Call.patch(map, JSON_PATCH, "[{\"op\":\"add\",\"path\":\"/data/j\",\"value\":\"1\"}]"));
    record(
        "patch-json-test-failed-422",
        Call.patch(map, JSON_PATCH, "[{\"op\":\"test\",\"path\":\"/data/j\",\"value\":\"2\"}]"));
    record("patch-merge", Call.patch(map, MERGE, "{\"data\":{\"j\":null,\"m\":\"2\"}}"));
    record(
        "patch-strategic", Call.patch(map, STRATEGIC, "{\"metadata\":{\"labels\":{\"s\":\"3\"}}}"));
    String applied = MAPS + "/wire-ssa?fieldManager=";
    record("apply-create", Call.patch(applied + "one", APPLY, owned("1")));
    record("apply-conflict-409", Call.patch(applied + "two", APPLY, owned("2")));
    record("apply-force", Call.patch(applied + "two&force=true", APPLY, owned("2")));
  }

  /* --------------- Reading --------------- */

  private void pages() throws IOException {
    for (int i = 0; i < 7; i++) {
      server.send(Call.post(MAPS, configMap("wire-page-" + i)));
    }
    String page = MAPS + "?limit=3&labelSelector=app%3Dwire";
    JsonNode first = json(get("list-page-1", page));
    JsonNode second = json(get("list-page-2", page + "&continue=" + token(first)));
    get("list-page-3", page + "&continue=" + token(second));
  }

  private static String token(JsonNode list) {
    return list.get("metadata").get("continue").asString();
  }

  private void lists() throws IOException, InterruptedException {
    Call cached = Call.get(MAPS + "?resourceVersion=0");
    server.await(cached, it -> it.answer().body().utf8().contains("wire-page-6"));
    record("list-rv0", cached);
    get("list-empty", "/api/v1/namespaces/kube-public/pods");
    get("list-deployments-all-namespaces", "/apis/apps/v1/deployments");
    get("list-bad-continue-400", MAPS + "?limit=3&continue=bm90YXRva2Vu");
    get("list-bad-field-selector-400", PODS + "?fieldSelector=spec.nope%3D1");
    get("list-bad-label-selector-400", MAPS + "?labelSelector=a%20b%20c");
    get("list-rv-match-without-rv-422", MAPS + "?resourceVersionMatch=Exact");
    get("list-rv-too-large-504", MAPS + "?resourceVersion=99999999&timeoutSeconds=1");
    String large = "/api/v1/namespaces/kube-public/configmaps";
    String text = "0123456789abcdef".repeat(10_000);
    server.send(
        Call.post(
            large, configMap("wire-large").replace("\"k\": \"v\"", "\"k\": \"" + text + "\"")));
    record("list-configmaps-gzip", Call.get(large).header("Accept-Encoding", "gzip"));
  }

  private void pods() throws IOException {
    get("list-pods", PODS);
    get("list-pods-field-selected", PODS + "?fieldSelector=metadata.name%3Dweb-1");
    get("get-pod", PODS + "/web-0");
    record("get-pod-protobuf", Call.get(PODS + "/web-0").header("Accept", PROTOBUF));
    record("get-not-found-protobuf-404", Call.get(PODS + "/absent").header("Accept", PROTOBUF));
    record("list-pods-protobuf", Call.get(PODS).header("Accept", PROTOBUF));
    String table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    record("list-pods-table", Call.get(PODS).header("Accept", table));
    record(
        "list-pods-table-objects",
        Call.get(PODS + "?includeObject=Object").header("Accept", table));
    record(
        "list-pods-partial-metadata",
        Call.get(PODS)
            .header("Accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"));
    get("pod-log-204", PODS + "/web-0/log");
  }

  /* --------------- Watching --------------- */

  private void watches() throws IOException {
    String version = server.send(Call.get(MAPS)).at("/metadata/resourceVersion").asString();
    String map = MAPS + "/wire-w";
    server.send(Call.post(MAPS, configMap("wire-w")));
    server.send(Call.patch(map, MERGE, "{\"data\": {\"k\": \"2\"}}"));
    server.send(Call.patch(map, MERGE, "{\"metadata\": {\"labels\": {\"app\": \"other\"}}}"));
    server.send(Call.delete(map, deleteOptions("")));
    String since = "&resourceVersion=" + version;
    String watch = MAPS + "?watch=true";
    record("watch-events", Call.get(watch + "&allowWatchBookmarks=true" + since).lines(4));
    record("watch-label-selected", Call.get(watch + "&labelSelector=app%3Dwire" + since).lines(3));
    get("watch-server-timeout", watch + since + "&timeoutSeconds=1");
    record(
        "watch-partial-metadata",
        Call.get(watch + since)
            .header("Accept", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io")
            .lines(4));
    record(
        "watch-table",
        Call.get(watch + since)
            .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
            .lines(4));
    record(
        "watch-protobuf", Call.get(watch + since + "&timeoutSeconds=1").header("Accept", PROTOBUF));
    get("watch-rv-too-large", watch + "&resourceVersion=99999999&timeoutSeconds=2");
    record(
        "watch-list-initial-events",
        Call.get(
                watch
                    + "&allowWatchBookmarks=true&sendInitialEvents=true"
                    + "&resourceVersionMatch=NotOlderThan")
            .lines(server.send(Call.get(MAPS)).get("items").size() + 1));
    get("watch-list-missing-match-422", watch + "&sendInitialEvents=true");
    // A server sends a bookmark two seconds before it ends the watch.
    record(
        "watch-pods-bookmarks",
        Call.get(PODS + "?watch=true&allowWatchBookmarks=true&resourceVersion=0&timeoutSeconds=4")
            .lines(4));
  }

  /* --------------- Custom resources --------------- */

  private void customResources() throws IOException, InterruptedException {
    String name = "/foos.samplecontroller.example.com";
    record("crd-create", Call.post(CRDS, DEFINITION));
    server.await(
        Call.get(CRDS + name),
        it -> it.answer().body().utf8().contains("\"Established\",\"status\":\"True\""));
    get("crd-established", CRDS + name);
    server.await(Call.get(FOOS), it -> it.answer().code() == 200);
    get("crd-resources", GROUP);
    record(
        "cr-create",
        Call.post(
            FOOS,
            foo(
                "example",
                "\"deploymentName\": \"example\", \"port\": 8080, \"extra\": {\"any\": [1, \"x\","
                    + " null, {\"deep\": true}]}")));
    record("cr-invalid-422", Call.post(FOOS, foo("bad", "\"replicas\": 0")));
    get("cr-scale-get", FOOS + "/example/scale");
    record(
        "cr-status-patch",
        Call.patch(FOOS + "/example/status", MERGE, "{\"status\":{\"availableReplicas\":1}}"));
    record("cr-strategic-patch-unsupported-415", Call.patch(FOOS + "/example", STRATEGIC, "{}"));
    get("cr-list", FOOS);
    record(
        "cr-table",
        Call.get(FOOS).header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"));
    record("cr-watch", Call.get(FOOS + "?watch=true&resourceVersion=0").lines(1));
    server.await(Call.get("/openapi/v3" + GROUP), it -> it.answer().code() == 200);
    get("openapi-v3-crd-group", "/openapi/v3" + GROUP);
  }

  /* --------------- Subresources --------------- */

  private void subresources() throws IOException {
    String scale = DEPLOYMENTS + "/web/scale";
    get("deployment-scale-get", scale);
    record("deployment-scale-patch", Call.patch(scale, MERGE, "{\"spec\":{\"replicas\":2}}"));
    record(
        "pod-binding",
        Call.post(
            PODS + "/web-2/binding",
            "{\"apiVersion\": \"v1\", \"kind\": \"Binding\", \"metadata\": {\"name\": \"web-2\"},"
                + " \"target\": {\"kind\": \"Node\", \"name\": \"node-1\"}}"));
    get("pod-log-no-node", PODS + "/web-2/log");
    record(
        "pdb",
        Call.post(
            BUDGETS,
            "{\"apiVersion\": \"policy/v1\", \"kind\": \"PodDisruptionBudget\", \"metadata\": {\"name\":"
                + " \"web\"}, \"spec\": {\"minAvailable\": 3, \"selector\": {\"matchLabels\": {\"app\":"
                + " \"web\"}}}}"));
    record("pod-status-patch", Call.patch(PODS + "/web-2/status", STRATEGIC, RUNNING));
    record("eviction-unprocessed-429", Call.post(PODS + "/web-2/eviction", eviction("web-2")));
    server.send(
        Call.patch(
            BUDGETS + "/web/status",
            MERGE,
            "{\"status\": {\"observedGeneration\": 1, \"expectedPods\": 3, \"desiredHealthy\": 3,"
                + " \"currentHealthy\": 1, \"disruptionsAllowed\": 0}}"));
    record("eviction-429-or-201", Call.post(PODS + "/web-2/eviction", eviction("web-2")));
    record("eviction-pending-201", Call.post(PODS + "/web-1/eviction", eviction("web-1")));
  }

  /* --------------- Deleting --------------- */

  private void deletions() throws IOException {
    record(
        "delete-precondition-409",
        Call.delete(MAPS + "/wire-a", deleteOptions(", \"preconditions\": {\"uid\": \"nope\"}")));
    record(
        "delete-background",
        Call.delete(MAPS + "/wire-a", deleteOptions(", \"propagationPolicy\": \"Background\"")));
    record("delete-pod", Call.delete(PODS + "/web-0", deleteOptions("")));
    record("delete-collection", Call.delete(MAPS + "?labelSelector=app%3Dwire", deleteOptions("")));
  }

  /* --------------- Versions that are gone --------------- */

  private void expired(URI etcd) throws IOException {
    for (int i = 0; i < 4; i++) {
      server.send(Call.post(MAPS, configMap("wire-exp-" + i)));
    }
    String page = MAPS + "?limit=2&labelSelector=app%3Dwire";
    JsonNode first = server.send(Call.get(page));
    server.send(Call.post(MAPS, configMap("wire-exp-4")));
    JsonNode now = server.send(Call.get(MAPS));
    server.forget(etcd, now.at("/metadata/resourceVersion").asString());
    get("list-exact-expired-410", MAPS + "?resourceVersion=1&resourceVersionMatch=Exact");
    JsonNode expired = json(get("list-continue-expired-410", page + "&continue=" + token(first)));
    get("list-continue-inconsistent", page + "&continue=" + token(expired));
    get("watch-compacted-410", MAPS + "?watch=true&resourceVersion=1");
  }
}
