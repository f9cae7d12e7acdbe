package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.runtime.ListSink;
import dev.clientgo.apimachinery.runtime.ResourceType;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
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
        deployments.create(web(), WriteOptions.builder().fieldManager("me").dryRun().build());

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
  void patch_sendsItsTypeAndSubresource() throws Exception {
    server.enqueue(answer("web", "8"), answer("web", "9"));

    deployments.patch("web", Patch.merge(Map.of("spec", Map.of("replicas", 2))), "scale");
    deployments.patch(
        "web",
        Patch.apply(Unstructured.CODEC, web()),
        WriteOptions.builder().fieldManager("me").force().build());

    RecordedRequest merge = server.takeRequest();
    assertThat(merge.getTarget()).isEqualTo("/apis/apps/v1/namespaces/ns/deployments/web/scale");
    assertThat(merge.getHeaders().get("Content-Type")).isEqualTo("application/merge-patch+json");
    assertThat(merge.getBody().utf8()).isEqualTo("{\"spec\":{\"replicas\":2}}");
    RecordedRequest apply = server.takeRequest();
    assertThat(apply.getTarget())
        .isEqualTo("/apis/apps/v1/namespaces/ns/deployments/web?fieldManager=me&force=true");
    assertThat(apply.getHeaders().get("Content-Type")).isEqualTo("application/apply-patch+yaml");
  }

  @Test
  void delete_sendsOptions() throws Exception {
    server.enqueue(TestServer.json(200, "{}"), TestServer.json(200, "{}"));

    deployments.delete("web");
    deployments.delete(
        "web",
        DeleteOptions.builder()
            .gracePeriod(Duration.ZERO)
            .propagationPolicy(DeleteOptions.PropagationPolicy.FOREGROUND)
            .preconditionUid("u")
            .preconditionResourceVersion("7")
            .dryRun()
            .build());

    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments/web",
        "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"}");
    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments/web",
        "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0,"
            + "\"preconditions\":{\"uid\":\"u\",\"resourceVersion\":\"7\"},"
            + "\"propagationPolicy\":\"Foreground\",\"dryRun\":[\"All\"]}");
  }

  @Test
  void deleteCollection_sendsSelectors() throws Exception {
    server.enqueue(TestServer.json(200, "{}"));

    deployments.deleteCollection(ListOptions.builder().labelSelector("a=b").build());

    assertSent(
        "DELETE /apis/apps/v1/namespaces/ns/deployments?labelSelector=a%3Db",
        "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"}");
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
    assertThat(clock.sleeps()).containsExactly(Duration.ofMillis(10));

    for (int i = 0; i < 5; i++) {
      server.enqueue(answer("web", "7"), conflict);
    }
    assertThatThrownBy(() -> deployments.edit("web", object -> object.with(3L, "spec", "replicas")))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isConflict()).isTrue());
    assertThat(server.requestCount()).isEqualTo(14);
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
