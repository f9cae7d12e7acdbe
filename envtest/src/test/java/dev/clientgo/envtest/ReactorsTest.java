package dev.clientgo.envtest;

import static dev.clientgo.envtest.Reactors.Reactor.inTurn;
import static dev.clientgo.envtest.Reactors.Reactor.once;
import static dev.clientgo.envtest.Reactors.Reactor.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.envtest.Reactors.Reactor;
import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions that answer in place of the server. */
@Timeout(300)
@ApiServerTest(server = ApiServerTest.Server.EMBEDDED, reset = true)
final class ReactorsTest {

  private static final GroupVersionResource MAPS = new GroupVersionResource("", "v1", "configmaps");
  private static final String PATH = "/api/v1/namespaces/default/configmaps";
  private static final String TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

  private EmbeddedApiServer server;
  private Reactors reactors;
  private TestClient api;

  @BeforeEach
  void start(EmbeddedApiServer shared) {
    server = shared;
    reactors = shared.reactors();
    api = TestClient.of(shared);
  }

  @AfterEach
  void stop() {
    api.close();
    server.reset(); // Other classes share it.
  }

  private static Unstructured map(String name, String value) {
    return Unstructured.parseYaml(
            """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %s, namespace: default, resourceVersion: "7"}
            data: {k: "%s"}
            """
                .formatted(name, value))
        .get(0);
  }

  private int create(String name) {
    return api.post(PATH, "{'metadata':{'name':'" + name + "'}}").code();
  }

  /* --------------- Order --------------- */

  @Test
  void firstReactor_thatDoesNotPass_answers() {
    reactors.prepend("create", "configmaps", request -> Reaction.error(500));
    reactors.prepend("create", "configmaps", request -> Reaction.error(409));
    reactors.append("create", "configmaps", request -> Reaction.error(503));
    assertThat(create("a")).isEqualTo(409);

    Reactors.Registration pass = reactors.prepend("*", "*", request -> Reaction.pass());
    assertThat(create("a")).isEqualTo(409);
    pass.close();
    pass.close();
    assertThat(create("a")).isEqualTo(409);

    reactors.clear();
    assertThat(create("a")).isEqualTo(201);
  }

  @Test
  void append_isAskedBeforeTheServer_afterAllOthers() {
    reactors.append("get", "configmaps", request -> Reaction.object(map("a", "appended")));
    reactors.prepend("get", "configmaps", once(request -> Reaction.object(map("a", "first"))));

    assertThat(api.get(PATH + "/a").at("data", "k")).isEqualTo("first");
    assertThat(api.get(PATH + "/a").at("data", "k")).isEqualTo("appended");
  }

  @Test
  void close_removesOneReactor() {
    Reactor same = request -> Reaction.error(418);
    Reactors.Registration first = reactors.prepend("create", "configmaps", same);
    Reactors.Registration second = reactors.prepend("create", "configmaps", same);

    first.close();
    assertThat(create("a")).isEqualTo(418);
    second.close();
    assertThat(create("a")).isEqualTo(201);
  }

  @Test
  void reset_removesReactors() {
    reactors.prepend("*", "*", request -> Reaction.error(500));

    server.reset();

    assertThat(create("a")).isEqualTo(201);
  }

  @Test
  void times_passesLaterRequestsOn() {
    reactors.prepend("create", "configmaps", times(2, request -> Reaction.error(500)));
    reactors.prepend(
        "get", "configmaps", inTurn(Reaction.object(map("a", "1")), Reaction.error(404)));

    assertThat(List.of(create("a"), create("a"), create("a"))).containsExactly(500, 500, 201);
    assertThat(api.get(PATH + "/a").at("data", "k")).isEqualTo("1");
    assertThat(api.get(PATH + "/a").code()).isEqualTo(404);
    assertThat(api.get(PATH + "/a").code()).isEqualTo(200);
    assertThatThrownBy(() -> times(0, request -> Reaction.pass()))
        .hasMessage("count must be positive, is 0");
  }

  @Test
  void times_manyThreads_reactsExactlySoOften() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    reactors.prepend("create", "configmaps", times(10, request -> Reaction.error(500)));
    CountDownLatch begin = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int thread = 0; thread < 4; thread++) {
      String name = "t" + thread + "-";
      threads.execute(
          () -> {
            await(begin);
            for (int i = 0; i < 10; i++) {
              refused.addAndGet(create(name + i) == 500 ? 1 : 0);
            }
          });
    }
    begin.countDown();
    threads.shutdown();

    assertThat(threads.awaitTermination(50, TimeUnit.SECONDS)).isTrue();
    assertThat(refused).hasValue(10);
    assertThat(server.objects(MAPS).list()).hasSize(30);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /* --------------- What a reactor covers --------------- */

  @Test
  void resource_mayNameGroupAndSubresource() {
    String deployments = "/apis/apps/v1/namespaces/default/deployments";
    api.post(deployments, "{'metadata':{'name':'web'},'spec':{'replicas':1}}");
    reactors.prepend("get", "deployments.apps/scale", request -> Reaction.error(409));
    reactors.prepend("get", "deployments.other", request -> Reaction.error(500));
    reactors.prepend("update", "*/status", request -> Reaction.error(503));

    assertThat(api.get(deployments + "/web").code()).isEqualTo(200);
    assertThat(api.get(deployments + "/web/scale").code()).isEqualTo(409);
    assertThat(api.put(deployments + "/web/status", "{'metadata':{'name':'web'}}").code())
        .isEqualTo(503);
  }

  @Test
  void resourceWithoutSubresource_coversThemAll_discoveryNever() {
    reactors.prepend("*", "pods", request -> Reaction.error(409));
    reactors.prepend("*", "*", once(request -> Reaction.error(503)));

    assertThat(api.get("/api/v1").code()).isEqualTo(200);
    assertThat(api.get(PATH).code()).isEqualTo(503);
    assertThat(api.get("/api/v1/namespaces/default/pods/a/status").code()).isEqualTo(409);
    assertThat(api.delete("/api/v1/namespaces/default/pods").code()).isEqualTo(409);
    assertThat(api.get(PATH).code()).isEqualTo(200);
  }

  /* --------------- Answers --------------- */

  @Test
  void error_namesResourceAndObject() {
    reactors.prepend("get", "configmaps", request -> Reaction.error(409));
    Answer byCode = api.get(PATH + "/a");
    reactors.prepend(
        "get",
        "configmaps",
        request -> {
          throw ApiStatusException.forbidden(
              new GroupResource("", "configmaps"), request.name(), "because");
        });
    Answer thrown = api.get(PATH + "/b");

    assertThat(byCode.reason()).isEqualTo("Conflict");
    assertThat(byCode.at("details", "name")).isEqualTo("a");
    assertThat(byCode.at("details", "kind")).isEqualTo("configmaps");
    assertThat(thrown.code()).isEqualTo(403);
    assertThat(thrown.message()).isEqualTo("configmaps \"b\" is forbidden: because");
  }

  @Test
  void failedAssertion_reachesTheClient() {
    reactors.prepend(
        "create",
        "configmaps",
        request -> {
          assertThat(request.object().metadata().name()).isEqualTo("b");
          return Reaction.pass();
        });

    Answer refused = api.post(PATH, "{'metadata':{'name':'a'}}");

    assertThat(refused.code()).isEqualTo(500);
    assertThat(refused.message()).contains("\"b\"", "\"a\"");
    assertThat(create("b")).isEqualTo(201);
  }

  @Test
  void object_isSentAsTheClientWantsIt() {
    reactors.prepend("get", "configmaps", request -> Reaction.object(map("a", "1")));

    Answer whole = api.get(PATH + "/a");
    Answer table = api.get(PATH + "/a", "Accept", TABLE);
    Answer metadata =
        api.get(
            PATH + "/a", "Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");

    assertThat(whole.at("kind")).isEqualTo("ConfigMap");
    assertThat(whole.at("apiVersion")).isEqualTo("v1");
    assertThat(whole.resourceVersion()).isEqualTo("7");
    assertThat(table.at("kind")).isEqualTo("Table");
    assertThat(table.at("rows", "0", "cells", "0")).isEqualTo("a");
    assertThat(metadata.at("kind")).isEqualTo("PartialObjectMetadata");
    assertThat(metadata.at("data")).isNull();
    assertThat(server.objects(MAPS).list()).isEmpty();
  }

  @Test
  void create_echoesWhatWasSent() {
    reactors.prepend("create", "configmaps", request -> Reaction.object(request.object()));

    Answer created = api.post(PATH, "{'metadata':{'name':'a'},'data':{'k':'v'}}");

    assertThat(created.code()).isEqualTo(201);
    assertThat(created.at("kind")).isEqualTo("ConfigMap");
    assertThat(created.at("data", "k")).isEqualTo("v");
    assertThat(server.objects(MAPS).list()).isEmpty();
  }

  @Test
  void object_ofAnotherKind_isSentUnchanged() {
    Unstructured scale =
        Unstructured.parse(
            "{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"Scale\",\"spec\":{\"replicas\":3}}");
    reactors.prepend("get", "deployments/scale", request -> Reaction.object(scale));

    Answer answer = api.get("/apis/apps/v1/namespaces/default/deployments/web/scale");

    assertThat(answer.at("kind")).isEqualTo("Scale");
    assertThat(answer.at("spec", "replicas")).isEqualTo(3L);
  }

  @Test
  void kind_thatIsNotServed_isAnswered() {
    Unstructured usage =
        Unstructured.of(Map.of("usage", Map.of("cpu", "1")))
            .withType("metrics.k8s.io/v1beta1", "PodMetrics");
    reactors.prepend("list", "pods.metrics.k8s.io", request -> Reaction.list(List.of(usage)));
    reactors.prepend("get", "pods.metrics.k8s.io", request -> Reaction.object(usage));
    String path = "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods";

    assertThat(api.get(path + "/a").at("usage", "cpu")).isEqualTo("1");
    assertThat(api.get(path).at("kind")).isEqualTo("PodMetricsList");
    assertThat(api.get(path).at("items", "0", "usage", "cpu")).isEqualTo("1");
  }

  @Test
  void list_isReadInPages(RESTClient client) throws Exception {
    reactors.prepend(
        "list",
        "configmaps",
        request ->
            request.query("continue").isEmpty()
                ? Reaction.page(List.of(map("a", "1")), "more")
                : Reaction.page(List.of(map("b", "2")), ""));
    ResourceClient<Unstructured> maps = client.dynamic(MAPS).inNamespace("default");

    assertThat(maps.list().items())
        .extracting(map -> map.metadata().name())
        .containsExactly("a", "b");
    assertThat(api.get(PATH + "?continue=more").itemNames()).containsExactly("b");
    assertThat(api.get(PATH, "Accept", TABLE).at("rows", "0", "cells", "0")).isEqualTo("a");
    assertThat(api.get(PATH).at("kind")).isEqualTo("ConfigMapList");
  }

  @Test
  void typedObjects_areSent(RESTClient client) throws Exception {
    ResourceType<PartialObjectMetadata> type = ResourceType.metadata(MAPS);
    PartialObjectMetadata typed = map("a", "1").to(type.codec());
    reactors.prepend("get", "configmaps", request -> Reaction.object(type, typed));
    reactors.prepend("list", "configmaps", request -> Reaction.list(type, List.of(typed)));
    ResourceClient<PartialObjectMetadata> maps = client.resource(type).inNamespace("default");

    assertThat(maps.get("a").metadata().name()).isEqualTo("a");
    assertThat(maps.list().items()).hasSize(1);
  }

  @Test
  void success_answersADelete() {
    create("a");
    reactors.prepend("delete", "configmaps", request -> Reaction.success());
    reactors.prepend("deletecollection", "configmaps", request -> Reaction.success());

    assertThat(api.delete(PATH + "/a").at("status")).isEqualTo("Success");
    assertThat(api.delete(PATH).at("status")).isEqualTo("Success");
    assertThat(server.objects(MAPS).list()).hasSize(1);
  }

  /* --------------- Passing on --------------- */

  @Test
  void passThen_changesTheAnswer_notTheObject() {
    create("a");
    reactors.append(
        "get",
        "configmaps",
        request -> Reaction.passThen(object -> object.with("changed", "data", "k")));

    assertThat(api.get(PATH + "/a").at("data", "k")).isEqualTo("changed");
    assertThat(server.objects(MAPS).get("default", "a").orElseThrow().nested("data")).isEmpty();
    assertThat(api.get(PATH + "/b").code()).isEqualTo(404);
  }

  @Test
  void passThen_fails_theWriteHasTakenPlace() {
    reactors.prepend(
        "create",
        "configmaps",
        request ->
            Reaction.passThen(
                object -> {
                  throw ApiStatusException.serverTimeout(
                      new GroupResource("", "configmaps"), "create", 1);
                }));

    assertThat(create("a")).isEqualTo(500);
    assertThat(server.objects(MAPS).list()).hasSize(1);
  }

  @Test
  void passedRequests_areDoneAsSent() {
    reactors.prepend("*", "*", request -> Reaction.pass());

    assertThat(api.post(PATH + "?dryRun=All", "{'metadata':{'name':'a'}}").code()).isEqualTo(201);
    assertThat(server.objects(MAPS).list()).isEmpty();
    create("b");
    try (Events events = api.watch(PATH + "?watch=true&resourceVersion=0")) {
      assertThat(events.next()).asString().isEqualTo("ADDED b");
    }
    assertThat(api.get(PATH, "Accept", TABLE).at("kind")).isEqualTo("Table");
  }

  @Test
  void faults_applyToReactions() {
    reactors.prepend("get", "configmaps", request -> Reaction.object(map("a", "1")));
    server.faults().on(request -> request.matches("get", "configmaps")).warn("slow");

    Answer answer = api.get(PATH + "/a");

    assertThat(answer.header("Warning")).contains("slow");
    assertThat(answer.at("data", "k")).isEqualTo("1");
  }

  /* --------------- Watches --------------- */

  @Test
  void watch_sendsTheScriptAndThenWhatTheTestSends() throws Exception {
    create("stored");
    reactors.prepend(
        "watch",
        "configmaps",
        request ->
            Reaction.watch(
                new WatchEvent.Added<>(map("a", "1")), new WatchEvent.Bookmark<>("9", false)));
    try (Events events = api.watch(PATH + "?watch=true&resourceVersion=5")) {
      assertThat(events.next()).asString().isEqualTo("ADDED a");
      assertThat(events.next().resourceVersion()).isEqualTo("9");
      OpenWatch watch = server.awaitWatches(1).get(0);
      create("other");
      watch.send(new WatchEvent.Modified<>(map("a", "2")));
      watch.send(new WatchEvent.Deleted<>(map("a", "2")));
      watch.send(new WatchEvent.Failed<>(ApiStatusException.resourceExpired("too old")));

      assertThat(events.next()).asString().isEqualTo("MODIFIED a");
      assertThat(events.next()).asString().isEqualTo("DELETED a");
      assertThat(events.next().object()).containsEntry("code", 410L);
      watch.end();
      assertThat(events.rest()).isEmpty();
    }
  }

  @Test
  void watch_asTable_andAnswerToAnythingElse() {
    reactors.prepend(
        "*", "configmaps", request -> Reaction.watch(new WatchEvent.Added<>(map("a", "1"))));

    try (Events events = api.watch(PATH + "?watch=true", "Accept", TABLE)) {
      assertThat(events.next().object()).containsEntry("kind", "Table");
    }
    assertThat(api.get(PATH).message()).contains("a watch, which cannot answer list configmaps");
  }

  @Test
  void watch_eventThatNoServerSends_isRefused() throws Exception {
    reactors.prepend("watch", "configmaps", request -> Reaction.watch());
    try (Events events = api.watch(PATH + "?watch=true")) {
      assertThat(events.code()).isEqualTo(200);
      OpenWatch watch = server.awaitWatches(1).get(0);

      assertThatThrownBy(() -> watch.send(new WatchEvent.Failed<>(new ConfigException("x"))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ApiStatusException");
    }
  }

  @Test
  void watch_drivesAnInformer(SharedInformerFactory factory) throws Exception {
    reactors.prepend("watch", "configmaps", request -> Reaction.watch());
    SharedIndexInformer<Unstructured> informer =
        factory.dynamic(MAPS).inNamespace("default").informer();
    factory.start();
    OpenWatch watch = server.awaitWatches(1).get(0);
    watch.send(new WatchEvent.Added<>(map("a", "1")));

    Await.await(informer).untilFound("default/a");
    watch.send(new WatchEvent.Deleted<>(map("a", "1")));
    Await.await(informer).until("it is empty", cache -> cache.list().isEmpty());
  }

  /* --------------- Objects --------------- */

  @Test
  void put_storesObjectsOfAnyKindAndTheirNamespaces() throws Exception {
    server.installCrds(Path.of("src/test/crds"));
    server.put(
        Unstructured.parseYaml(
            """
            apiVersion: v1
            kind: Node
            metadata: {name: node}
            ---
            apiVersion: example.com/v1
            kind: Widget
            metadata: {name: w, namespace: fresh}
            status: {phase: Ready}
            """));

    assertThat(api.get("/api/v1/nodes/node").code()).isEqualTo(200);
    assertThat(api.get("/apis/example.com/v1/namespaces/fresh/widgets/w").at("status", "phase"))
        .isEqualTo("Ready");
    assertThat(api.post("/api/v1/namespaces/fresh/pods", "{'metadata':{'name':'p'}}").code())
        .isEqualTo(201);
    assertThatThrownBy(() -> server.put(map("a", "1").withType("no.such/v1", "Kind")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Kind")
        .hasMessageContaining("is not served");
  }
}
