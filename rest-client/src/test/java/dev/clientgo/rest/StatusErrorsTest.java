package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.NegotiatedSerializer;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import mockwebserver3.MockResponse;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How responses become results and errors; the Go tests named are in {@code rest/request_test.go}.
 */
final class StatusErrorsTest {

  private TestServer server;
  private RESTClient client;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    client = RESTClient.create(server.config().build());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private Request pod() {
    return client
        .get()
        .groupVersion(new GroupVersion("", "v1"))
        .namespace("ns")
        .resource("pods")
        .name("a")
        .maxRetries(0);
  }

  private ApiStatusException error(MockResponse answer) {
    server.enqueue(answer);
    return catchThrowableOfType(ApiStatusException.class, () -> pod().execute());
  }

  private static MockResponse answer(int code, String contentType, String body) {
    MockResponse.Builder response = new MockResponse.Builder().code(code).body(body);
    if (!contentType.isEmpty()) {
      response.setHeader("Content-Type", contentType);
    }
    return response.build();
  }

  /** TestTransformResponse, TestTransformUnstructuredError. */
  @Test
  void error_withAStatus_isThatStatus() {
    ApiStatusException error =
        error(
            answer(
                404,
                "application/json",
                """
                {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
                 "message":"pods \\"a\\" not found","reason":"NotFound",
                 "details":{"name":"a","kind":"pods"},"code":404}\
                """));

    assertThat(error).hasMessage("pods \"a\" not found");
    assertThat(error.isNotFound()).isTrue();
    assertThat(error.isUnexpectedServerError()).isFalse();
  }

  @Test
  void error_withAStatusOfAnotherCode_keepsWhatTheStatusSays() {
    ApiStatusException error =
        error(
            answer(
                500,
                "application/json; charset=utf-8",
                """
                {"kind":"Status","status":"Failure","message":"gone","reason":"Expired","code":410}\
                """));

    assertThat(error.isResourceExpired()).isTrue();
    assertThat(error.code()).isEqualTo(410);
  }

  @Test
  void error_inPlainText_isMadeFromCodeAndText() {
    ApiStatusException error = error(answer(403, "text/plain", "  not you\n"));

    assertThat(error.isForbidden()).isTrue();
    assertThat(error.isUnexpectedServerError()).isTrue();
    assertThat(error).hasMessage("not you (get pods a)");
  }

  /** The response for a custom resource that is not installed, or not in that version. */
  @Test
  void notFound_ofACollection_saysWhatToLookAt() {
    server.enqueue(answer(404, "text/plain; charset=utf-8", "404 page not found\n"));

    Request widgets =
        client.get().groupVersion(new GroupVersion("example.com", "v2")).resource("widgets");

    assertThatThrownBy(widgets::execute)
        .hasMessage(
            "the server could not find the requested resource (get widgets.example.com): GET"
                + " %s/apis/example.com/v2/widgets is not a path of the server: is the resource"
                + " installed, and is this version of it served?",
            server.url());
  }

  /** Whatever is asked of a kind that is not installed, the answer says the same. */
  @Test
  void notFound_ofAnObjectOfAKindThatIsNotInstalled_saysWhatToLookAt() {
    server.always(answer(404, "text/plain; charset=utf-8", "404 page not found\n"));
    ResourceClient<Unstructured> widgets =
        client.dynamic(new GroupVersionResource("example.com", "v2", "widgets")).inNamespace("n");
    Unstructured widget =
        Unstructured.of(
            Map.of(
                "apiVersion",
                "example.com/v2",
                "kind",
                "Widget",
                "metadata",
                Map.of("name", "a", "namespace", "n")));

    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> widgets.get("a"),
            () -> widgets.list(ListOptions.NONE),
            () -> widgets.watch(ListOptions.NONE),
            () -> widgets.create(widget),
            () -> widgets.update(widget),
            () -> widgets.updateStatus(widget),
            () -> widgets.patch("a", Patch.merge(Map.of())),
            () -> widgets.delete("a"),
            () -> widgets.deleteCollection(ListOptions.NONE))) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue())
          .hasMessageContaining("/apis/example.com/v2/namespaces/n/widgets")
          .hasMessageEndingWith(
              " is not a path of the server: is the resource installed, and is this version of it"
                  + " served?");
    }
  }

  /** A pod behind a proxy path has its own pages, and not all of them. */
  @Test
  void notFound_ofAPageBehindAProxy_isNotAboutResources() {
    server.enqueue(answer(404, "text/plain", "404 page not found\n"));

    assertThatThrownBy(() -> pod().subResource("proxy", "page").execute())
        .isInstanceOf(ApiStatusException.class)
        .hasMessage("the server could not find the requested resource (get pods a)");
  }

  @Test
  void error_withoutAType_countsAsText() {
    assertThat(error(answer(415, "", "no such type"))).hasMessageContaining("no such type");
  }

  /** TestTransformResponseNegotiate. Unlike there, the status stays what the server has said. */
  @Test
  void error_whoseTypeIsNone_namesIt() {
    ApiStatusException error = error(answer(404, "application/,others", "{}"));

    assertThat(error.isNotFound()).isTrue();
    assertThat(error)
        .hasMessage(
            "the server could not find the requested resource (get pods a): GET"
                + " %s/api/v1/namespaces/ns/pods/a: its Content-Type is not a media type:"
                + " application/,others",
            server.url());
  }

  /** TestTransformResponseNegotiate, of a success. */
  @ParameterizedTest
  @ValueSource(strings = {"application/,others", ",,"})
  void success_whoseTypeIsNone_isNoObject(String type) throws Exception {
    server.enqueue(answer(200, type, "{\"kind\":\"Pod\"}"));

    Result result = pod().execute();

    for (ThrowingCallable into :
        List.<ThrowingCallable>of(
            () -> result.into(Unstructured.CODEC),
            () -> result.into(NegotiatedSerializer.json(Unstructured.CODEC)))) {
      ApiStatusException error = catchThrowableOfType(ApiStatusException.class, into);
      assertThat(error.isInternalError()).isTrue();
      assertThat(error.code()).isEqualTo(500);
      assertThat(error)
          .hasMessage(
              "Internal error occurred: GET %s/api/v1/namespaces/ns/pods/a: its Content-Type is not"
                  + " a media type: %s",
              server.url(), type);
    }
    assertThat(result.raw()).isNotEmpty();
  }

  @Test
  void error_ofAnotherType_doesNotQuoteTheBody() {
    ApiStatusException error = error(answer(500, "application/octet-stream", "\u0001secret"));

    assertThat(error.isInternalError()).isTrue();
    assertThat(error.getMessage()).doesNotContain("secret").contains("unknown");
  }

  /** TestTransformUnstructuredError has bodies that claim to be what they are not. */
  @Test
  void error_thatIsNoJson_isMadeFromTheCode() {
    ApiStatusException error = error(answer(404, "application/json", "<html>"));

    assertThat(error.isNotFound()).isTrue();
    assertThat(error)
        .hasMessage(
            "the server could not find the requested resource (get pods a): GET"
                + " %s/api/v1/namespaces/ns/pods/a is not a path of the server: is the resource"
                + " installed, and is this version of it served?",
            server.url());
  }

  /** TestTransformResponse, TestTransformUnstructuredError: nothing but the code. */
  @ParameterizedTest
  @CsvSource({
    "GET, 400, BadRequest",
    "GET, 401, Unauthorized",
    "GET, 403, Forbidden",
    "GET, 404, NotFound",
    "PUT, 409, Conflict",
    "POST, 409, AlreadyExists",
    "GET, 422, Invalid",
    "GET, 500, InternalError",
  })
  void error_withoutABody_isMadeFromVerbAndCode(String verb, int code, String reason) {
    server.enqueue(answer(code, "", ""));
    Request request =
        client
            .verb(verb)
            .groupVersion(new GroupVersion("", "v1"))
            .namespace("ns")
            .resource("foo")
            .name("bar")
            .maxRetries(0);

    ApiStatusException error = catchThrowableOfType(ApiStatusException.class, request::execute);

    assertThat(error.code()).isEqualTo(code);
    assertThat(error.status().reason()).isEqualTo(reason);
    assertThat(error.isUnexpectedServerError()).isTrue();
    assertThat(error).hasMessageContainingAll("foo", "bar");
  }

  /**
   * TestTransformUnstructuredError: a failure in the body goes before the code, be it without an
   * apiVersion; what is no failure, or does not say that it is a status, does not.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'kind':'Status','apiVersion':'v1','status':'Failure','code':404} | 404 | false",
        "{'kind':'Status','status':'Failure','code':404} | 404 | false",
        "{'kind':'Status','apiVersion':'v1','status':'Success','code':404} | 400 | true",
        "{'status':'Failure','code':404} | 400 | true",
        "{} | 400 | true",
      },
      quoteCharacter = '"')
  void error_withAStatusOfAnotherCode_isThatStatus(String body, int code, boolean fromTheCode) {
    ApiStatusException error = error(answer(400, "application/json", body.replace('\'', '"')));

    assertThat(error.code()).isEqualTo(code);
    assertThat(error.isUnexpectedServerError()).isEqualTo(fromTheCode);
    assertThat(error.isBadRequest()).isEqualTo(fromTheCode);
  }

  /** TestTransformResponseNegotiate, TestTransformResponse: what cannot be read is not quoted. */
  @ParameterizedTest
  @CsvSource({
    "401, application/json",
    "401, application/vnd.kubernetes.protobuf",
    "404, application/unrecognized",
  })
  void error_thatCannotBeRead_isMadeFromTheCode(int code, String type) {
    ApiStatusException error = error(answer(code, type, "aaaaa"));

    assertThat(error.code()).isEqualTo(code);
    assertThat(error.getMessage()).doesNotContain("aaaaa");
  }

  /** As in JSON: a status that is no success is an error, whatever the code. */
  @Test
  void success_withAFailureInProtobuf_isNone() {
    String failure = "k8s\0\n\f\n\2v1\22\6Status\22\t\22\7Failure";

    assertThat(error(answer(200, "application/vnd.kubernetes.protobuf", failure)).status().status())
        .isEqualTo("Failure");
  }

  @Test
  void error_withAnObjectThatIsNoStatus_isMadeFromTheCode() {
    assertThat(error(answer(409, "application/json", "{\"kind\":\"Pod\"}")).isConflict()).isTrue();
  }

  /** As of a dynamic client that was told no namespace. */
  @ParameterizedTest
  @CsvSource({
    "404, NotFound, the server could not find the requested resource",
    "405, MethodNotAllowed, the server does not allow this method on the requested resource"
  })
  void error_thatSaysNoMore_isLocated(int code, String reason, String message) throws Exception {
    server.always(
        answer(
            code,
            "application/json",
            "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\""
                + reason
                + "\",\"message\":\""
                + message
                + "\",\"code\":"
                + code
                + "}"));
    String installed = ": is the resource installed, and is this version of it served?";
    ResourceClient<Unstructured> things =
        client.dynamic(new GroupVersionResource("", "v1", "things"));

    assertThatThrownBy(() -> things.get("a"))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessage(
            message
                + " (GET "
                + server.url()
                + "/api/v1/things/a)"
                + (code == 404 ? installed : ".")
                + " If the resource lives in namespaces, say in which one.");
    assertThatThrownBy(() -> things.inNamespace("n").get("a"))
        .hasMessage(
            message
                + " (GET "
                + server.url()
                + "/api/v1/namespaces/n/things/a)"
                + (code == 404 ? installed : ""));
  }

  @Test
  void error_withLongText_isCut() {
    ApiStatusException error = error(answer(502, "text/html", "x".repeat(10_000)));

    assertThat(error.getMessage()).hasSizeLessThan(3_000);
  }

  @Test
  void error_withRetryAfter_saysWhen() {
    server.enqueue(
        answer(429, "text/plain", "busy").newBuilder().setHeader("Retry-After", "7").build());

    assertThatThrownBy(() -> pod().execute())
        .isInstanceOfSatisfying(
            ApiStatusException.class,
            e -> assertThat(e.retryAfter()).contains(Duration.ofSeconds(7)));
  }

  @Test
  void error_thatIsAWebPage_saysSoInItsWords() {
    ApiStatusException error =
        error(
            answer(
                502,
                "text/html; charset=utf-8",
                "<html><style>p {}</style><body>\n<h1>502 Bad Gateway</h1><p>nginx</body></html>"));

    assertThat(error.getMessage())
        .contains("not from an API server but a web page (502 Bad Gateway nginx): check the URL");
  }

  /** Upstream follows redirects, with the credentials. */
  @Test
  void redirect_isNotFollowedButReported() {
    ApiStatusException error =
        error(
            answer(302, "text/html", "")
                .newBuilder()
                .setHeader("Location", "https://login.example/")
                .build());

    assertThat(error.code()).isEqualTo(302);
    assertThat(error).hasMessageContaining("https://login.example/");
    assertThat(server.requestCount()).isEqualTo(1);
  }

  /** TestTransformResponse: a Status that is no success is an error, whatever the code. */
  @Test
  void success_withAFailureInIt_isAnError() {
    assertThat(
            error(
                answer(
                    200,
                    "application/json",
                    "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"Conflict\",\"code\":409}")))
        .matches(ApiStatusException::isConflict);
  }

  @Test
  void success_withASuccessInIt_isNone() throws Exception {
    server.enqueue(answer(200, "application/json", "{\"kind\":\"Status\",\"status\":\"Success\"}"));

    assertThat(pod().execute().statusCode()).isEqualTo(200);
  }

  @Test
  void result_tellsWhatHappened() throws Exception {
    server.enqueue(answer(201, "application/json", "{\"kind\":\"A\",\"apiVersion\":\"v1\"}"));

    Result result = pod().execute();

    assertThat(result.wasCreated()).isTrue();
    assertThat(result.contentType()).hasValue("application/json");
    assertThat(result.into(Unstructured.CODEC).kind()).isEqualTo("A");
    assertThat(new String(result.raw(), java.nio.charset.StandardCharsets.UTF_8)).contains("\"A\"");
  }

  /** TestResultIntoWithErrReturnsErr, TestResultIntoWithNoBodyReturnsErr. */
  @Test
  void result_withoutBody_isNoObject() throws Exception {
    server.enqueue(answer(200, "application/json", ""));
    Result result = pod().execute();

    assertThatThrownBy(() -> result.into(Unstructured.CODEC))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("0-length response with status code 200");
  }

  @Test
  void stream_ofAnError_throwsIt() {
    server.enqueue(answer(403, "text/plain", "no"));

    assertThatThrownBy(() -> pod().stream()).isInstanceOf(ApiStatusException.class);
    assertThat(client.transport().openResponses()).isZero();
  }
}
