package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists and watches of many objects. */
@Timeout(300)
final class ResourceListTest extends ResourceClientFixture {

  private static MockResponse list(String next, String... names) {
    List<String> items = new ArrayList<>();
    for (String name : names) {
      items.add(object(name, "1"));
    }
    return TestServer.json(
        200,
        """
        {"kind":"DeploymentList","apiVersion":"apps/v1",
         "metadata":{"resourceVersion":"42","continue":"%s"},"items":[%s]}\
        """
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

    assertThat(names.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
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
}
