package dev.clientgo.examples.podservice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.ServedObjects;
import dev.clientgo.envtest.junit.ApiServerTest;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pod service on the embedded server, and its behaviour when something goes wrong. */
@ApiServerTest(server = ApiServerTest.Server.EMBEDDED, reset = true)
final class EmbeddedPodServiceTest extends PodServiceContract {

  /** More than the sockets on both sides hold. */
  private static final int CHANGES = 30;

  private static final String LARGE = "x".repeat(250_000);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/pods?lable=app | /pods has no parameter \"lable\"; it has [continue, label, limit,",
        "/pods?node=a&node=b | the parameter \"node\" is there twice",
        "/pods?label=app+in+( | label=app in (: ",
        "/pods?phase=running | phase=running: not one of Failed, Pending, Running,",
        "/pods?owner=web | owner=web: not KIND/NAME, such as ReplicaSet/web-5d8",
        "/pods?limit=0 | limit=0: not a number from 1 to 1000",
        "/pods?limit=many | limit=many: not a number from 1 to 1000",
        "/pods?continue=%21 | continue=!: not a token of a page before",
        "/pods?resourceVersion=new | the version new is not a number from 1",
        "/watch?limit=5 | /watch has no parameter \"limit\"; it has [label, namespace, node,",
        "/healthz?verbose | /healthz has no parameter \"verbose\"; it has []"
      })
  void badInput_isNamed(String path, String message) throws Exception {
    HttpResponse<String> response = get(path);

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).nestedString("message").orElse("")).startsWith(message);
    assertThat(json(response).nestedString("reason")).contains("BadRequest");
  }

  @Test
  void healthz_beforeTheFirstList_saysThatTheCacheIsNotFull(
      EmbeddedApiServer server, RESTClient client) throws Exception {
    service.close();
    server.faults().on(request -> request.path().endsWith("/pods")).always().answer(500);
    service = startWithoutWaiting(client, OPTIONS);

    HttpResponse<String> health = get("/healthz");

    assertThat(health.statusCode()).isEqualTo(503);
    assertThat(health.body())
        .contains("\"status\":\"has no first list yet: ")
        .doesNotContain("ageSeconds");
    assertThat(get("/pods").statusCode()).isEqualTo(503);
    assertThat(get("/watch").statusCode()).isEqualTo(503);
  }

  @Test
  void healthz_ofASilentServer_saysThatTheCacheIsTooOld(RESTClient client) throws Exception {
    service.close();
    service = start(client, new PodServiceOptions(5, 1, WAIT, WAIT, WAIT, Duration.ofNanos(1)));

    HttpResponse<String> health = get("/healthz");

    assertThat(health.statusCode()).isEqualTo(503);
    assertThat(health.body()).contains("\"status\":\"was last confirmed by the server ");
    assertThat(get("/pods").statusCode()).isEqualTo(200);
  }

  @Test
  void healthz_ofACacheThatCouldDecodeNoPod_saysSo(EmbeddedApiServer server, RESTClient client)
      throws Exception {
    service.close();
    Map<String, Object> metadata = Map.of("namespace", namespace, "name", "bad");
    server
        .objects(Pod.TYPE.resource())
        .put(
            Unstructured.of(
                Map.of("apiVersion", "v1", "kind", "Pod", "metadata", metadata, "spec", "none")));
    service = start(client, OPTIONS);

    HttpResponse<String> health = get("/healthz");

    assertThat(health.statusCode()).isEqualTo(503);
    assertThat(health.body()).contains("\"status\":\"is empty: 1 object omitted");
  }

  @Test
  void stream_acrossANewListWithADeletion_endsAsExpired(EmbeddedApiServer server) throws Exception {
    create("a", "web", "node-1");
    Pod b = create("b", "web", "node-1");
    String version = b.metadata().resourceVersion();
    get("/pods?resourceVersion=" + version);
    try (EventStream stream =
        EventStream.open(http, url("/watch?resourceVersion=" + version), "")) {
      server.stop();
      server.objects(Pod.TYPE.resource()).delete(namespace, "a");
      server.faults().expireResourceVersions();
      server.restart();

      EventStream.Event error = stream.take();

      assertThat(error.type()).isEqualTo("ERROR");
      assertThat(error.data().nestedLong("code")).contains(410L);
      assertThat(stream.next()).isEmpty();
    }
    HttpResponse<String> old = get("/watch?resourceVersion=" + version);
    assertThat(old.statusCode()).isEqualTo(410);
    assertThat(old.body()).contains("list the pods again");
    String now = json(get("/pods")).metadata().resourceVersion();
    try (EventStream stream = EventStream.open(http, url("/watch?resourceVersion=" + now), "")) {
      create("c", "web", "node-1");
      assertThat(stream.take().name()).isEqualTo("ADDED c");
    }
  }

  @Test
  void stream_ofAClientThatDoesNotRead_isClosed(EmbeddedApiServer server, RESTClient client)
      throws Exception {
    service.close();
    service = start(client, new PodServiceOptions(5, 1, WAIT, Duration.ofSeconds(1), WAIT, WAIT));
    try (Socket stuck = openWithoutReading()) {
      assertThat(get("/watch").statusCode()).isEqualTo(429); // One stream is the limit.
      changeALot(server);

      awaitNoStream();

      assertThat(stuck.isConnected()).isTrue();
    }
  }

  @Test
  void stream_ofASlowClient_endsAsExpired(EmbeddedApiServer server, RESTClient client)
      throws Exception {
    service.close();
    service = start(client, new PodServiceOptions(5, 1, WAIT, WAIT, WAIT, WAIT));
    try (Socket slow = openWithoutReading()) {
      changeALot(server);

      String all = new String(slow.getInputStream().readAllBytes(), UTF_8);

      assertThat(all.substring(all.length() - 2000)).contains("event: ERROR", "\"code\":410");
    }
  }

  /** Opens a stream on a socket that holds little. */
  private Socket openWithoutReading() throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout((int) WAIT.toMillis());
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port()));
    socket
        .getOutputStream()
        .write("GET /watch HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
    InputStream in = socket.getInputStream();
    StringBuilder begin = new StringBuilder();
    while (begin.indexOf("BOOKMARK") < 0) {
      int next = in.read();
      assertThat(next).isNotNegative();
      begin.append((char) next);
    }
    return socket;
  }

  /** Changes a pod often, and waits until the service has the last change. */
  private void changeALot(EmbeddedApiServer server) throws Exception {
    create("large", "web", "node-1");
    ServedObjects objects = server.objects(Pod.TYPE.resource());
    for (int i = 0; i < CHANGES; i++) {
      objects.put(
          objects
              .get(namespace, "large")
              .orElseThrow()
              .with(LARGE + i, "metadata", "annotations", "text"));
    }
    assertThat(get("/pods?limit=1&node=node-2&resourceVersion=" + server.resourceVersion()))
        .extracting(HttpResponse::statusCode)
        .isEqualTo(200);
  }

  private void awaitNoStream() throws Exception {
    Poll.every(Duration.ofMillis(20))
        .atMost(WAIT)
        .until(() -> get("/healthz").body().contains("\"streams\":0"));
  }

  @Test
  void close_endsStreams() throws Exception {
    try (EventStream stream = EventStream.open(http, url("/watch"), "")) {
      assertThat(stream.take().type()).isEqualTo("BOOKMARK");

      service.close();

      assertThat(stream.next()).isEmpty();
    }
  }
}
