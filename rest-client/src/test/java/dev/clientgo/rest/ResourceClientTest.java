package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.ApplyOptions;
import dev.clientgo.apimachinery.meta.CreateOptions;
import dev.clientgo.apimachinery.meta.DeleteOptions;
import dev.clientgo.apimachinery.meta.DeletionPropagation;
import dev.clientgo.apimachinery.meta.FieldValidation;
import dev.clientgo.apimachinery.meta.GetOptions;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.meta.PatchOptions;
import dev.clientgo.apimachinery.meta.Preconditions;
import dev.clientgo.apimachinery.meta.UpdateOptions;
import dev.clientgo.apimachinery.patch.JsonPatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.runtime.ListSink;
import dev.clientgo.apimachinery.runtime.ResourceList;
import dev.clientgo.apimachinery.runtime.ResourceType;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What each verb sends, and what it makes of the answer. */
@Timeout(30)
final class ResourceClientTest {

  private static final ResourceType<Unstructured> DEPLOYMENT =
      Unstructured.type(new GroupVersionKind("apps", "v1", "Deployment"), "deployments", true);
  private static final ResourceType<Unstructured> NODE =
      Unstructured.type(new GroupVersionKind("", "v1", "Node"), "nodes", false);

  private final RecordingClock clock = new RecordingClock();
  private TestServer server;
  private RESTClient client;
  private ResourceClient<Unstructured> deployments;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD);
    deployments = client.resource(DEPLOYMENT).inNamespace("ns");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static String object(String name, String version) {
    return """
    {"apiVersion":"apps/v1","kind":"Deployment",
     "metadata":{"name":"%s","namespace":"ns","resourceVersion":"%s"},"spec":{"replicas":1}}"""
        .formatted(name, version);
  }

  private static MockResponse answer(String name, String version) {
    return TestServer.json(200, object(name, version));
  }

  private static Unstructured web() {
    return Unstructured.parse(object("web", "7"));
  }

  private void assertSent(String request, String body) throws InterruptedException {
    RecordedRequest sent = server.takeRequest();
    assertThat(sent.getMethod() + " " + sent.getTarget()).isEqualTo(request);
    assertThat(sent.getBody() == null ? "" : sent.getBody().utf8()).isEqualTo(body);
  }

  /* --------------- One object --------------- */

  @Test
  void get_readsAnObject() throws Exception {
    server.enqueue(answer("web", "7"));

    assertThat(deployments.get("web").metadata().resourceVersion()).isEqualTo("7");
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments/web", "");
  }

  @Test
  void get_ofAClusterResource_hasNoNamespace() throws Exception {
    server.enqueue(TestServer.json(200, "{\"kind\":\"Node\",\"apiVersion\":\"v1\"}"));

    assertThat(client.resource(NODE).get("n1").kind()).isEqualTo("Node");
    assertSent("GET /api/v1/nodes/n1", "");
  }

  @Test
  void get_ofWhatIsNotThere_isAnError() {
    server.enqueue(new MockResponse.Builder().code(404).build());

    assertThatThrownBy(() -> deployments.get("web"))
        .isInstanceOfSatisfying(
            ApiStatusException.class,
            e -> {
              assertThat(e.isNotFound()).isTrue();
              assertThat(e).hasMessageContaining("(get deployments.apps web)");
            });
  }

  @Test
  void create_sendsTheObject() throws Exception {
    server.enqueue(TestServer.json(201, object("web", "8")));

    Unstructured created =
        deployments.create(web(), CreateOptions.builder().fieldManager("me").dryRun(true).build());

    assertThat(created.metadata().resourceVersion()).isEqualTo("8");
    assertSent(
        "POST /apis/apps/v1/namespaces/ns/deployments?dryRun=All&fieldManager=me", web().toJson());
  }

  @Test
  void writes_withoutNamespace_goWhereTheObjectLives() throws Exception {
    ResourceClient<Unstructured> everywhere = client.resource(DEPLOYMENT);
    server.enqueue(answer("web", "8"), answer("web", "9"), answer("web", "9"));

    everywhere.create(web());
    everywhere.update(web());
    everywhere.updateStatus(web());

    assertSent("POST /apis/apps/v1/namespaces/ns/deployments", web().toJson());
    assertSent("PUT /apis/apps/v1/namespaces/ns/deployments/web", web().toJson());
    assertSent("PUT /apis/apps/v1/namespaces/ns/deployments/web/status", web().toJson());
  }

  @Test
  void patch_sendsItsType() throws Exception {
    server.always(answer("web", "8"));
    Map<String, Object> change = Map.of("spec", Map.of("replicas", 2));

    deployments.patch("web", Patch.merge(change));
    deployments.patch("web", Patch.strategicMerge(change));
    deployments.patch("web", Patch.json(JsonPatch.of(List.of())));
    deployments.patch(
        "web",
        Patch.apply(Unstructured.CODEC, web()),
        PatchOptions.builder().fieldManager("me").force(true).build());

    assertPatch("", "application/merge-patch+json", "{\"spec\":{\"replicas\":2}}");
    assertPatch("", "application/strategic-merge-patch+json", "{\"spec\":{\"replicas\":2}}");
    assertPatch("", "application/json-patch+json", "[]");
    assertPatch("?fieldManager=me&force=true", "application/apply-patch+yaml", web().toJson());
  }

  private void assertPatch(String end, String type, String body) throws InterruptedException {
    RecordedRequest sent = server.takeRequest();
    assertThat(sent.getMethod() + " " + sent.getTarget())
        .isEqualTo("PATCH /apis/apps/v1/namespaces/ns/deployments/web" + end);
    assertThat(sent.getHeaders().get("Content-Type")).isEqualTo(type);
    assertThat(sent.getBody().utf8()).isEqualTo(body);
  }

  @Test
  void apply_sendsTheConfiguration_underAName() throws Exception {
    server.always(answer("web", "8"));
    ApplyOptions me = ApplyOptions.of("me");

    deployments.apply(web(), me);
    client.resource(DEPLOYMENT).apply(web(), me.force().dryRun());
    deployments.applyStatus(web(), me);
    deployments.apply("web", Patch.apply(Unstructured.CODEC, web()), me);

    String type = "application/apply-patch+yaml";
    assertPatch("?fieldManager=me", type, web().toJson());
    assertPatch("?dryRun=All&fieldManager=me&force=true", type, web().toJson());
    assertPatch("/status?fieldManager=me", type, web().toJson());
    assertPatch("?fieldManager=me", type, web().toJson());
  }

  @Test
  void apply_ofWhatWasRead_isRefused() {
    Unstructured read = web().with(List.of(Map.of("manager", "m")), "metadata", "managedFields");

    assertThatThrownBy(() -> deployments.apply(read, ApplyOptions.of("me")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("managed fields already set");
    assertThatThrownBy(() -> deployments.apply("web", Patch.merge(Map.of()), ApplyOptions.of("me")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no apply patch");
  }

  @Test
  void options_areSent() throws Exception {
    server.always(answer("web", "8"));

    deployments.get("web", GetOptions.builder().resourceVersion("0").build());
    deployments.update(
        web(), UpdateOptions.builder().fieldValidation(FieldValidation.STRICT).build());
    deployments.updateStatus(web(), UpdateOptions.builder().dryRun(true).build());

    String path = " /apis/apps/v1/namespaces/ns/deployments/web";
    assertSent("GET" + path + "?resourceVersion=0", "");
    assertSent("PUT" + path + "?fieldValidation=Strict", web().toJson());
    assertSent("PUT" + path + "/status?dryRun=All", web().toJson());
  }

  /* --------------- Subresources --------------- */

  private static final String SCALE =
      """
      {"apiVersion":"autoscaling/v1","kind":"Scale",\
      "metadata":{"name":"web","resourceVersion":"7"},\
      "spec":{"replicas":2},"status":{"replicas":1,"selector":"app=web"}}""";

  /** TestGetScale, TestUpdateScale and TestPatchScale in scale/client_test.go. */
  @Test
  void scale_isReadAndWritten() throws Exception {
    server.always(TestServer.json(200, SCALE));

    Scale scale = deployments.scale().get("web");
    deployments.scale().update("web", scale.withReplicas(5));
    deployments.scale().patch("web", Patch.merge(Map.of("spec", Map.of("replicas", 5))));

    assertThat(scale.replicas()).isEqualTo(2);
    assertThat(scale.status()).isEqualTo(new Scale.Status(1, "app=web"));
    String path = " /apis/apps/v1/namespaces/ns/deployments/web/scale";
    assertSent("GET" + path, "");
    assertSent("PUT" + path, SCALE.replace(":2}", ":5}"));
    assertSent("PATCH" + path, "{\"spec\":{\"replicas\":5}}");
  }

  @Test
  void scale_withoutReplicas_isNone() {
    Scale scale = JsonReader.fromBytes(Scale.CODEC, "{\"spec\":{}}".getBytes(UTF_8));

    assertThat(scale.spec()).isEqualTo(new Scale.Spec(null));
    assertThat(scale.replicas()).isZero();
  }

  @Test
  void subresource_thatIsADeed_needsNoObjectAsAnswer() throws Exception {
    server.enqueue(TestServer.json(201, "{\"kind\":\"Status\",\"status\":\"Success\"}"));

    deployments
        .subresource("eviction")
        .submit("web", web(), CreateOptions.builder().dryRun(true).build());

    assertSent(
        "POST /apis/apps/v1/namespaces/ns/deployments/web/eviction?dryRun=All", web().toJson());
  }

  @Test
  void subresource_hasAllVerbs() throws Exception {
    server.always(answer("web", "8"));
    SubresourceClient<Unstructured> part = deployments.subresource("part");

    part.create("web", web(), CreateOptions.NONE);
    part.get("web", GetOptions.builder().resourceVersion("3").build());
    part.apply("web", web(), ApplyOptions.of("me"));
    part.delete("web", DeleteOptions.NONE);

    String path = " /apis/apps/v1/namespaces/ns/deployments/web/part";
    assertSent("POST" + path, web().toJson());
    assertSent("GET" + path + "?resourceVersion=3", "");
    assertSent("PATCH" + path + "?fieldManager=me", web().toJson());
    assertSent("DELETE" + path, "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
    assertThat(part).hasToString("part of apps/v1, Resource=deployments in ns");
  }

  @Test
  void delete_sendsOptions() throws Exception {
    server.enqueue(TestServer.json(200, "{}"), TestServer.json(200, "{}"));

    deployments.delete("web");
    deployments.delete(
        "web",
        DeleteOptions.builder()
            .gracePeriod(Duration.ZERO)
            .propagationPolicy(DeletionPropagation.FOREGROUND)
            .preconditions(new Preconditions("u", "7"))
            .dryRun(true)
            .build());

    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments/web",
        "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments/web",
        "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"gracePeriodSeconds\":0,"
            + "\"preconditions\":{\"uid\":\"u\",\"resourceVersion\":\"7\"},"
            + "\"propagationPolicy\":\"Foreground\",\"dryRun\":[\"All\"]}");
  }

  @Test
  void deleteCollection_sendsSelectors() throws Exception {
    server.enqueue(TestServer.json(200, "{}"));

    deployments.deleteCollection(ListOptions.builder().labelSelector("a=b").build());

    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments?labelSelector=a%3Db",
        "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\"}");
  }

  /* --------------- Edit --------------- */

  @Test
  void edit_sendsTheDifferenceAndTheVersion() throws Exception {
    server.enqueue(answer("web", "7"), answer("web", "8"));

    Unstructured edited = deployments.edit("web", object -> object.with(3L, "spec", "replicas"));

    assertThat(edited.metadata().resourceVersion()).isEqualTo("8");
    server.takeRequest();
    RecordedRequest patch = server.takeRequest();
    assertThat(patch.getMethod()).isEqualTo("PATCH");
    assertThat(patch.getHeaders().get("Content-Type")).isEqualTo("application/merge-patch+json");
    assertThat(patch.getBody().utf8())
        .isEqualTo("{\"spec\":{\"replicas\":3},\"metadata\":{\"resourceVersion\":\"7\"}}");
  }

  /** A type that knows of containers no more than name and image. */
  @SuppressWarnings("unchecked") // Containers are maps.
  private static final JsonCodec<Unstructured> OLD_TYPE =
      new JsonCodec<>() {
        @Override
        public Unstructured read(JsonReader in) {
          Unstructured object = Unstructured.CODEC.read(in);
          List<Object> known = new ArrayList<>();
          for (Object container : object.nestedList("spec", "containers").orElseThrow()) {
            Map<String, Object> map = new TreeMap<>((Map<String, Object>) container);
            map.keySet().retainAll(List.of("name", "image"));
            known.add(map);
          }
          return object.with(Map.of("containers", known), "spec");
        }

        @Override
        public void write(JsonWriter out, Unstructured value) {
          Unstructured.CODEC.write(out, value);
        }
      };

  @Test
  void edit_ofAListElement_keepsWhatTheTypeDoesNotKnow() throws Exception {
    ResourceType<Unstructured> old =
        ResourceType.namespaced(DEPLOYMENT.kind(), "deployments", OLD_TYPE);
    String sent =
        """
        {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},
         "spec":{"new":1,"containers":[{"name":"a","image":"1","x":{"y":2}},
         {"name":"b","image":"1","x":3},{"name":"c","image":"1","x":4}]}}""";
    server.enqueue(TestServer.json(200, sent), TestServer.json(200, sent));
    List<Map<String, String>> changed =
        List.of(
            Map.of("name", "c", "image", "1"),
            Map.of("name", "a", "image", "2"),
            Map.of("name", "d", "image", "1"));

    client
        .resource(old)
        .inNamespace("ns")
        .edit("web", object -> object.with(changed, "spec", "containers"));

    server.takeRequest();
    assertThat(JsonReader.of(server.takeRequest().getBody().toByteArray()).nextTree())
        .isEqualTo(
            JsonReader.of(
                    """
                    {"spec":{"containers":[{"name":"c","image":"1","x":4},
                     {"name":"a","image":"2","x":{"y":2}},{"name":"d","image":"1"}]},
                     "metadata":{}}"""
                        .getBytes(UTF_8))
                .nextTree());
  }

  @Test
  void edit_thatChangesNothing_sendsNothing() throws Exception {
    server.enqueue(answer("web", "7"));

    assertThat(deployments.edit("web", object -> object).metadata().resourceVersion())
        .isEqualTo("7");
    assertThat(server.requestCount()).isEqualTo(1);
  }

  /** TestRetryOnConflict in util/retry. */
  @Test
  void edit_afterAConflict_beginsAnew() throws Exception {
    MockResponse conflict =
        TestServer.json(
            409,
            "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"Conflict\",\"code\":409}");
    server.enqueue(answer("web", "7"), conflict, answer("web", "8"), answer("web", "9"));

    deployments.edit("web", object -> object.with(3L, "spec", "replicas"));

    assertThat(server.requestCount()).isEqualTo(4);
    assertThat(clock.sleeps())
        .singleElement(as(InstanceOfAssertFactories.DURATION))
        .isBetween(Duration.ofMillis(10), Duration.ofMillis(11));

    for (int i = 0; i < 5; i++) {
      server.enqueue(answer("web", "7"), conflict);
    }
    assertThatThrownBy(() -> deployments.edit("web", object -> object.with(3L, "spec", "replicas")))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isConflict()).isTrue());
    assertThat(server.requestCount()).isEqualTo(14);
  }

  @Test
  void editStatus_goesToTheStatus() throws Exception {
    server.enqueue(answer("web", "7"), answer("web", "8"));

    deployments.editStatus("web", object -> object.with(1L, "status", "replicas"));

    assertSent("GET /apis/apps/v1/namespaces/ns/deployments/web/status", "");
    assertPatch(
        "/status",
        "application/merge-patch+json",
        "{\"status\":{\"replicas\":1},\"metadata\":{\"resourceVersion\":\"7\"}}");
  }

  /* --------------- Many objects --------------- */

  private static MockResponse list(String next, String... names) {
    List<String> items = new ArrayList<>();
    for (String name : names) {
      items.add(object(name, "1"));
    }
    return TestServer.json(
        200,
        """
        {"kind":"DeploymentList","apiVersion":"apps/v1",
         "metadata":{"resourceVersion":"42","continue":"%s"},"items":[%s]}"""
            .formatted(next, String.join(",", items)));
  }

  @Test
  void list_followsPages() throws Exception {
    server.enqueue(list("next page", "a", "b"), list("", "c"));

    ResourceList<Unstructured> all =
        deployments.list(ListOptions.builder().limit(2L).resourceVersion("0").build());

    assertThat(all).extracting(object -> object.metadata().name()).containsExactly("a", "b", "c");
    assertThat(all.metadata().resourceVersion()).isEqualTo("42");
    assertThat(all.metadata().continueToken()).isNull();
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments?limit=2&resourceVersion=0", "");
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments?continue=next+page&limit=2", "");
  }

  private static MockResponse expired() {
    return TestServer.json(
        410, "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"Expired\",\"code\":410}");
  }

  /** TestListPager_List in tools/pager: "two pages, expired second with fallback". */
  @Test
  void list_whoseVersionIsForgotten_beginsAnewAndAtOnce() throws Exception {
    server.enqueue(list("next", "a", "b"), expired(), list("", "a", "b", "c"));
    ListOptions options = ListOptions.builder().limit(2L).resourceVersion("5").build();

    assertThat(deployments.list(options)).hasSize(3);

    assertSent("GET /apis/apps/v1/namespaces/ns/deployments?limit=2&resourceVersion=5", "");
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments?continue=next&limit=2", "");
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments?resourceVersion=5", "");
  }

  @Test
  void list_whoseFirstPageIsExpired_isAnError() {
    server.enqueue(expired());

    assertThatThrownBy(() -> deployments.list(ListOptions.builder().limit(2L).build()))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.isResourceExpired()).isTrue());
  }

  @Test
  void eachListItem_followsPages_andDoesNotBeginAnew() throws Exception {
    List<String> names = new ArrayList<>();
    ListSink<Unstructured> sink = item -> names.add(item.metadata().name());
    server.enqueue(list("next", "a", "b"), list("", "c"), list("next", "a"), expired());

    assertThat(deployments.eachListItem(ListOptions.NONE, sink).resourceVersion()).isEqualTo("42");
    assertThat(names).containsExactly("a", "b", "c");
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments?limit=500", "");
    assertSent("GET /apis/apps/v1/namespaces/ns/deployments?continue=next&limit=500", "");

    assertThatThrownBy(() -> deployments.eachListItem(ListOptions.NONE, sink))
        .isInstanceOf(ApiStatusException.class);
  }

  @Test
  void list_inAllNamespaces_isOneRequest() throws Exception {
    server.enqueue(list("", "a"));

    client.resource(DEPLOYMENT).list(ListOptions.NONE);

    assertSent("GET /apis/apps/v1/deployments", "");
  }

  @Test
  void list_intoASink_handsOverItemsWhileTheRestIsOnItsWay() throws Exception {
    EndlessBody body = new EndlessBody(TestServer.Wire.HTTP_1_1);
    server.enqueue(body.response());
    BlockingQueue<String> names = new LinkedBlockingQueue<>();
    ListSink<Unstructured> sink = item -> names.add(item.metadata().name());
    body.send("{\"kind\":\"DeploymentList\",\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[");
    body.send(object("a", "1")).send(",");

    TestThread<ListMeta> list = TestThread.start(() -> deployments.list(ListOptions.NONE, sink));

    assertThat(names.poll(10, TimeUnit.SECONDS)).isEqualTo("a");
    body.send(object("b", "1")).send("]}").end();
    assertThat(list.result().resourceVersion()).isEqualTo("5");
    assertThat(names.poll()).isEqualTo("b");
  }

  @Test
  void list_brokenOff_isATransportError() throws Exception {
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n";
    try (RawServer raw = RawServer.start(RawServer.send(head + "{\"items\":[" + object("a", "1")));
        RESTClient other = RESTClient.create(RestConfig.builder(raw.url()).build())) {
      assertThatThrownBy(() -> other.resource(DEPLOYMENT).list(ListOptions.NONE))
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CONNECTION_LOST));
    }
  }

  @Test
  void list_thatIsNone_isACodecError() {
    server.enqueue(TestServer.json(200, "{\"kind\":\"Deployment\"}"));

    assertThatThrownBy(() -> deployments.list(ListOptions.NONE)).isInstanceOf(CodecException.class);
    assertThat(client.transport().openResponses()).isZero();
  }

  @Test
  void list_withASinkThatThrows_isClosed() {
    server.enqueue(list("", "a", "b"));

    assertThatThrownBy(
            () ->
                deployments.list(
                    ListOptions.NONE,
                    item -> {
                      throw new ArithmeticException("mine");
                    }))
        .isInstanceOf(ArithmeticException.class);
    assertThat(client.transport().openResponses()).isZero();
  }

  @Test
  void watch_sendsItsOptions() throws Exception {
    server.enqueue(TestServer.json(200, ""));

    try (Watch<Unstructured> watch =
        deployments.watch(
            ListOptions.builder()
                .resourceVersion("5")
                .allowWatchBookmarks(true)
                .timeout(Duration.ofMinutes(5))
                .build())) {
      assertThat(watch.next()).isEmpty();
    }
    assertSent(
        "GET /apis/apps/v1/namespaces/ns/deployments?allowWatchBookmarks=true&resourceVersion=5"
            + "&timeoutSeconds=300&watch=true",
        "");
  }

  /* --------------- Wrong use --------------- */

  @Test
  void namespaces_areAskedForAndRefusedWhereTheyBelong() {
    ResourceClient<Unstructured> everywhere = client.resource(DEPLOYMENT);

    assertThatThrownBy(() -> everywhere.get("web"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("say in which one, by inNamespace");
    assertThatThrownBy(() -> everywhere.deleteCollection(ListOptions.NONE))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> client.resource(NODE).inNamespace("ns"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not live in namespaces");
    assertThatThrownBy(() -> everywhere.inNamespace(""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> everywhere.inNamespace("../kube-system"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> deployments.update(Unstructured.parse("{\"kind\":\"D\",\"apiVersion\":\"v1\"}")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no name");
  }
}
