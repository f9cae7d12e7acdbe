package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.rest.config.RequestHead;
import dev.clientgo.rest.config.RequestInterceptor;
import dev.clientgo.rest.config.ResponseHead;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.rest.internal.net.Timeouts;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Interceptors see each attempt of each kind of request, in order, and leave nothing open. */
@Timeout(300)
final class InterceptorTest {

  private static final ResourceType<Unstructured> PODS =
      Unstructured.type(new GroupVersionKind("", "v1", "Pod"), "pods", true);

  private final RecordingClock clock = new RecordingClock();
  private final List<String> log = new ArrayList<>();
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private RESTClient client(RequestInterceptor... interceptors) {
    return client(server, interceptors);
  }

  private RESTClient client(TestServer of, RequestInterceptor... interceptors) {
    RESTClient.Builder builder =
        RESTClient.builder(of.config().build()).clock(clock, Timeouts.STANDARD);
    for (RequestInterceptor each : interceptors) {
      builder.addInterceptor(each);
    }
    return builder.build();
  }

  private RequestInterceptor named(String name) {
    return (request, next) -> {
      log.add(name + " " + request.attempt());
      ResponseHead response = next.send(request);
      log.add(name + " " + response.code());
      return response;
    };
  }

  private static MockResponse fine() {
    return TestServer.json(200, "{}");
  }

  @Test
  void everyKindOfRequest_isIntercepted() throws Exception {
    server
        .mock()
        .setDispatcher(
            new Dispatcher() {
              @Override
              public MockResponse dispatch(RecordedRequest request) {
                String target = request.getTarget();
                if (target.startsWith("/version")) {
                  return TestServer.json(200, "{\"major\":\"1\",\"minor\":\"36\"}");
                } else if (target.contains("watch=true")) {
                  return TestServer.json(200, "");
                } else if (String.valueOf(request.getHeaders().get("Accept")).contains("Table")) {
                  return TestServer.json(
                      200,
                      "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\","
                          + "\"columnDefinitions\":[],\"rows\":[]}");
                }
                return TestServer.json(
                    200, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}");
              }
            });
    GroupVersionResource pods = PODS.resource();
    try (RESTClient client =
        client(
            (request, next) -> {
              log.add(request.method() + " " + request.pathTemplate());
              return next.send(request.withHeader("X-Trace", "t1"));
            })) {
      client.get().absPath("/healthz").execute();
      client.resource(PODS).inNamespace("ns").get("a");
      client.dynamic(pods).inNamespace("ns").get("a");
      client.metadata(pods).inNamespace("ns").get("a");
      client.table(pods).inNamespace("ns").list(ListOptions.NONE);
      try (Watch<Unstructured> watch = client.resource(PODS).watch(ListOptions.NONE)) {
        assertThat(watch.next()).isEmpty();
      }
      DiscoveryClient.of(client).serverVersion();

      assertThat(log)
          .containsExactly(
              "GET /{prefix}",
              "GET /api/v1/namespaces/{namespace}/pods/{name}",
              "GET /api/v1/namespaces/{namespace}/pods/{name}",
              "GET /api/v1/namespaces/{namespace}/pods/{name}",
              "GET /api/v1/namespaces/{namespace}/pods",
              "GET /api/v1/pods",
              "GET /{prefix}");
      for (int i = 0; i < log.size(); i++) {
        assertThat(server.takeRequest().getHeaders().get("X-Trace")).isEqualTo("t1");
      }
      assertThat(client.transport().openResponses()).isZero();
    }
  }

  @Test
  void interceptors_runInTheirOrder_onceForEachAttempt() throws Exception {
    server.enqueue(
        new MockResponse.Builder().code(503).addHeader("Retry-After", "1").build(), fine());
    try (RESTClient client = client(named("outer"), named("inner"))) {
      client.get().absPath("/x").execute();
    }

    assertThat(log)
        .containsExactly(
            "outer 1",
            "inner 1",
            "inner 503",
            "outer 503",
            "outer 2",
            "inner 2",
            "inner 200",
            "outer 200");
  }

  @Test
  void renewedCredentials_areAnotherAttempt_andNeverSeen() throws Exception {
    AtomicInteger token = new AtomicInteger();
    server.enqueue(new MockResponse.Builder().code(401).build(), fine());
    List<RequestHead> seen = new ArrayList<>();
    try (RESTClient client =
        RESTClient.builder(
                server.config().bearerTokenSource(() -> "t" + token.incrementAndGet()).build())
            .addInterceptor(
                (request, next) -> {
                  seen.add(request);
                  return next.send(request);
                })
            .build()) {
      client.get().absPath("/x").execute();
    }

    assertThat(seen).hasSize(2).allMatch(request -> request.header("Authorization").isEmpty());
    assertThat(server.takeRequest().getHeaders().get("Authorization")).isEqualTo("Bearer t1");
    assertThat(server.takeRequest().getHeaders().get("Authorization")).isEqualTo("Bearer t2");
  }

  @Test
  void headers_canBeChangedAndRemoved() throws Exception {
    server.enqueue(fine());
    try (RESTClient client =
        client(
            (request, next) -> {
              assertThat(request.header("user-agent")).isPresent();
              return next.send(
                  request
                      .withHeader("user-agent", "mine")
                      .withHeader("AUTHORIZATION", "Bearer own")
                      .withoutHeader("accept"));
            })) {
      client.get().absPath("/x").execute();
    }

    RecordedRequest sent = server.takeRequest();
    assertThat(sent.getHeaders().values("User-Agent")).containsExactly("mine");
    assertThat(sent.getHeaders().values("Authorization")).containsExactly("Bearer own");
    assertThat(sent.getHeaders().values("Accept")).isEmpty();
  }

  @Test
  void refusal_reachesTheCaller_andNothingIsSent() throws Exception {
    IllegalStateException refusal = new IllegalStateException("this program only reads");
    try (RESTClient client =
        client(
            (request, next) -> {
              if (!request.isReadOnly()) {
                throw refusal;
              }
              return next.send(request);
            })) {
      assertThatThrownBy(() -> client.resource(PODS).inNamespace("ns").delete("a"))
          .isSameAs(refusal);
      server.enqueue(fine());
      client.get().absPath("/x").execute();
    }

    assertThat(server.requestCount()).isEqualTo(1);
    assertThat(server.takeRequest().getMethod()).isEqualTo("GET");
  }

  @ParameterizedTest
  @EnumSource
  void throwingAfterTheResponse_closesIt(TestServer.Wire wire) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    EndlessBody body = new EndlessBody(wire).send("{");
    try (TestServer of = TestServer.start(wire).enqueue(body.response(), fine());
        RESTClient client =
            client(
                of,
                (request, next) -> {
                  ResponseHead response = next.send(request);
                  if (calls.incrementAndGet() == 1) {
                    throw new IllegalStateException("late");
                  }
                  return response;
                })) {
      assertThatThrownBy(() -> client.get().absPath("/x").stream()).hasMessage("late");
      assertThat(client.transport().openResponses()).isZero();

      assertThat(client.get().absPath("/x").execute().statusCode()).isEqualTo(200);
      body.end();
    }
  }

  @Test
  void lostConnection_isRetried_asIfItWereReal() throws Exception {
    server.enqueue(fine());
    try (RESTClient client =
        client(
            (request, next) -> {
              log.add(request.toString().replace(server.url(), "") + " " + request.attempt());
              if (request.attempt() == 1) {
                throw new TransportException(
                    TransportException.Kind.CONNECTION_LOST, "cut on purpose", null);
              }
              return next.send(request);
            })) {
      client.get().absPath("/x").execute();
      assertThatThrownBy(() -> client.post().absPath("/x").execute())
          .hasMessageContaining("cut on purpose");
    }

    assertThat(log).containsExactly("GET /x 1", "GET /x 2", "POST /x 1");
  }

  @Test
  void interruption_inAnInterceptor_endsTheCall() throws Exception {
    try (RESTClient client =
        client(
            (request, next) -> {
              new CountDownLatch(1).await();
              return next.send(request);
            })) {
      TestThread<Result> call = TestThread.start(() -> client.get().absPath("/x").execute());
      call.awaitIn("proceed").interrupt();

      assertThat(call.failure()).isInstanceOf(InterruptedException.class);
    }
    assertThat(server.requestCount()).isZero();
  }

  @Test
  void nothingReturned_isAnError() throws Exception {
    AtomicReference<ResponseHead> kept = new AtomicReference<>();
    server.enqueue(fine(), fine(), fine());
    try (RESTClient client =
        client(
            (request, next) -> {
              ResponseHead before = kept.getAndSet(null);
              if (before != null) {
                next.send(request);
                return before;
              }
              kept.set(next.send(request));
              return new ResponseHead(200, Map.of());
            })) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> client.get().absPath("/x").execute())
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("GET " + server.url() + "/x has returned another response");
      }
      assertThat(client.transport().openResponses()).isZero();
    }
    try (RESTClient client = client((request, next) -> new ResponseHead(200, Map.of()))) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("/x has not sent it: return the result of next.send(request)");
    }
  }

  @Test
  void sendingTwiceOrElsewhere_isAnError() throws Exception {
    server.enqueue(fine());
    AtomicReference<RequestInterceptor.Next> kept = new AtomicReference<>();
    AtomicReference<RequestHead> head = new AtomicReference<>();
    try (RESTClient client =
        client(
            (request, next) -> {
              kept.set(next);
              head.set(request);
              next.send(request);
              return next.send(request);
            })) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("only once: the client itself retries");
      assertThatThrownBy(() -> kept.get().send(head.get()))
          .isInstanceOf(IllegalStateException.class);
      assertThat(client.transport().openResponses()).isZero();
    }
    try (RESTClient client =
        client(
            (request, next) ->
                CompletableFuture.supplyAsync(
                        () -> {
                          try {
                            return next.send(request);
                          } catch (InterruptedException e) {
                            throw new CompletionException(e);
                          }
                        })
                    .join())) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasMessageContaining("in the thread that calls it");
    }
    assertThat(server.requestCount()).isEqualTo(1);
  }

  @Test
  void anotherMethod_isAnError() throws Exception {
    try (RESTClient client =
        client(
            (request, next) ->
                next.send(
                    new RequestHead(
                        "DELETE", request.url(), request.pathTemplate(), 1, request.headers())))) {
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has made DELETE")
          .hasMessageContaining("it may change headers");
    }
    assertThat(server.requestCount()).isZero();
  }

  @Test
  void heads_showNoHeaders_andRefuseBadOnes() {
    RequestHead request =
        new RequestHead("GET", URI.create("https://h/x?a=b"), "/x", 1, Map.of())
            .withHeader("X-Key", "SECRET");

    assertThat(request).hasToString("GET https://h/x?a=b");
    assertThat(new ResponseHead(200, request.headers())).hasToString("200");
    assertThat(new ResponseHead(200, request.headers()).header("x-key")).contains("SECRET");
    assertThat(request.withHeader("x-key", "two").headers())
        .isEqualTo(Map.of("x-key", List.of("two")));
    assertThatThrownBy(() -> request.withHeader("X Key", "a"))
        .hasMessage("not the name of a header: \"X Key\"");
    assertThatThrownBy(() -> request.withHeader("X-Key", "SECRET\nEvil: x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("SECRET");
  }
}
