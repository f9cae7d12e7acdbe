package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.rest.config.RequestRateLimiter;
import dev.clientgo.rest.config.ResponseHead;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of hooks in {@code docs/clients.md}, which are compiled and run here. */
@Timeout(300)
final class ClientHooksPageTest {

  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private final Spans tracer = new Spans();
  private final Vault vault = new Vault();
  private TestServer server;
  private RestConfig config;

  /** Stands for a tracing library. */
  private static final class Spans {
    final List<String> ended = new ArrayList<>();

    Span start(String name) {
      return new Span(ended, name);
    }
  }

  private static final class Span implements AutoCloseable {
    final List<String> ended;
    String text;

    Span(List<String> ended, String text) {
      this.ended = ended;
      this.text = text;
    }

    String id() {
      return "00-1";
    }

    void setStatus(int code) {
      text = text + " " + code;
    }

    @Override
    public void close() {
      ended.add(text);
    }
  }

  /** Stands for a secret store. */
  private static final class Vault {
    String read(String path) {
      return "token-of-" + path;
    }
  }

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    server.always(TestServer.json(200, "{}"));
    config = server.config().build();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private RecordedRequest sentBy(RESTClient client) throws InterruptedException {
    try (client) {
      client.get().absPath("/x").execute();
    }
    return server.takeRequest();
  }

  @Test
  void header_isAdded() throws Exception {
    RESTClient client =
        RESTClient.builder(config)
            .addInterceptor(
                (request, next) ->
                    next.send(request.withHeader("X-Request-Id", UUID.randomUUID().toString())))
            .build();

    assertThat(sentBy(client).getHeaders().get("X-Request-Id")).hasSize(36);
  }

  @Test
  void attempts_areTraced() throws Exception {
    RESTClient client =
        RESTClient.builder(config)
            .addInterceptor(
                (request, next) -> {
                  try (Span span = tracer.start(request.method() + " " + request.pathTemplate())) {
                    ResponseHead response = next.send(request.withHeader("traceparent", span.id()));
                    span.setStatus(response.code());
                    return response;
                  }
                })
            .build();

    assertThat(sentBy(client).getHeaders().get("traceparent")).isEqualTo("00-1");
    assertThat(tracer.ended).containsExactly("GET /{prefix} 200");
  }

  @Test
  void writes_areRefused() throws Exception {
    RESTClient readOnly =
        RESTClient.builder(config)
            .addInterceptor(
                (request, next) -> {
                  if (!request.isReadOnly()) {
                    throw new UnsupportedOperationException("this program only reads: " + request);
                  }
                  return next.send(request);
                })
            .build();

    try (readOnly) {
      assertThatThrownBy(() -> readOnly.delete().absPath("/x").execute())
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageStartingWith("this program only reads: DELETE http://");
    }
    assertThat(server.requestCount()).isZero();
  }

  @Test
  void userAgent_isSet() throws Exception {
    RestConfig named = config.toBuilder().userAgent("shop-operator/1.2").build();

    assertThat(sentBy(RESTClient.create(named)).getHeaders().get("User-Agent"))
        .isEqualTo("shop-operator/1.2");
  }

  @Test
  void tokens_comeFromAFunction() throws Exception {
    RestConfig authenticated =
        config.anonymous().toBuilder().bearerTokenSource(() -> vault.read("cluster")).build();

    assertThat(sentBy(RESTClient.create(authenticated)).getHeaders().get("Authorization"))
        .isEqualTo("Bearer token-of-cluster");
  }

  @Test
  void requests_areLimited() throws Exception {
    RESTClient limited =
        RESTClient.builder(config).rateLimiter(RequestRateLimiter.tokenBucket(5, 10)).build();

    sentBy(limited);
    RecordingClock clock = new RecordingClock();
    RequestRateLimiter clientGo = RequestRateLimiter.tokenBucket(5, 10, clock);
    for (int i = 0; i < 10; i++) {
      assertThat(clientGo.reserve()).isZero();
    }
    assertThat(clientGo.reserve()).isEqualTo(Duration.ofMillis(200));
    assertThat(clientGo.reserve()).isEqualTo(Duration.ofMillis(400));
  }

  @Test
  void examples_areThoseOfThisClass() throws IOException {
    String here =
        squeezed(
            Files.readString(Path.of("src/test/java/dev/clientgo/rest/ClientHooksPageTest.java")));
    String page = Files.readString(Path.of("../docs/clients.md"));
    String hooks = page.substring(page.indexOf("\n## Hooks\n"), page.indexOf("\n## Discovery\n"));
    Matcher examples = EXAMPLE.matcher(hooks);
    int count = 0;
    while (examples.find()) {
      assertThat(here).contains(squeezed(examples.group(1)));
      count++;
    }

    assertThat(count).isEqualTo(5);
  }

  private static String squeezed(String code) {
    return code.replaceAll("\\s+", "");
  }
}
