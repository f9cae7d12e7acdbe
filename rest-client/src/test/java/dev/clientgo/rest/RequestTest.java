package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.rest.config.RestConfig;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.function.UnaryOperator;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a request is put together; the Go tests named are in {@code rest/request_test.go}. */
final class RequestTest {

  private static final GroupVersion CORE = new GroupVersion("", "v1");
  private static final GroupVersion APPS = new GroupVersion("apps", "v1");

  private TestServer server;
  private RESTClient client;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_1_1);
    server.always(TestServer.json(200, "{}"));
    client = RESTClient.create(server.config().build());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private String path(UnaryOperator<Request> steps) {
    Request request = steps.apply(client.get());
    String uri = request.uri().toString();
    return uri.substring(server.url().length());
  }

  private static String pathOn(String serverUrl, UnaryOperator<Request> steps) {
    try (RESTClient client = RESTClient.create(RestConfig.builder(serverUrl).build())) {
      return steps.apply(client.get()).uri().toString();
    }
  }

  /* --------------- Path --------------- */

  @Test
  void uri_ofCoreObject_isBelowApi() {
    assertThat(path(r -> r.groupVersion(CORE).namespace("ns").resource("pods").name("a")))
        .isEqualTo("/api/v1/namespaces/ns/pods/a");
  }

  /** TestRequestOrdersNamespaceInPath, TestRequestOrdersSubResource. */
  @Test
  void uri_ofSubresource_doesNotDependOnTheOrderOfCalls() {
    assertThat(
            path(
                r ->
                    r.subResource("scale")
                        .suffix("extra")
                        .name("web")
                        .resource("deployments")
                        .namespace("ns")
                        .groupVersion(APPS)))
        .isEqualTo("/apis/apps/v1/namespaces/ns/deployments/web/scale/extra");
  }

  @Test
  void uri_ofResource_isLowerCase() {
    assertThat(path(r -> r.groupVersion(CORE).resource("Pods"))).isEqualTo("/api/v1/pods");
  }

  /** TestRequestSetsNamespace; the empty one is as none. */
  @Test
  void uri_withEmptyNamespace_meansAll() {
    assertThat(path(r -> r.groupVersion(CORE).namespace("").resource("pods")))
        .isEqualTo("/api/v1/pods");
  }

  @Test
  void uri_withPrefix_addsToIt() {
    assertThat(path(r -> r.prefix("first", "second").prefix("third/fourth").suffix("end")))
        .isEqualTo("/first/second/third/fourth/end");
  }

  /** TestAbsPath, TestRequestAbsPathPreservesTrailingSlash. */
  @ParameterizedTest
  @CsvSource({
    "http://h, /, http://h/",
    "http://h, '', http://h/",
    "http://h, /abc, http://h/abc",
    "http://h, /abc/, http://h/abc/",
    "http://h, abc/, http://h/abc/",
    "http://h/, /abc/, http://h/abc/",
    "http://h/p, /abc, http://h/p/abc",
    "http://h/p/, /abc/, http://h/p/abc/",
    "http://h/p/q/, /a/b/c/, http://h/p/q/a/b/c/",
    "http://h/p, healthz, http://h/p/healthz",
  })
  void absPath_isBelowThePathOfTheServer(String server, String path, String expected) {
    assertThat(pathOn(server, r -> r.absPath(path))).isEqualTo(expected);
  }

  /** TestRequestAbsPathJoins. */
  @Test
  void absPath_ofSegments_joinsThem() {
    assertThat(path(r -> r.prefix("gone").absPath("a", "b/c/"))).isEqualTo("/a/b/c");
  }

  /** TestRequestURI. */
  @Test
  void requestURI_replacesPathAndParameters() {
    assertThat(
            path(
                r ->
                    r.param("foo", "a")
                        .prefix("other")
                        .requestURI("/test?foo=b&a=b&c=1&c=2&d=1%20%2B&e")))
        .isEqualTo("/test?a=b&c=1&c=2&d=1+%2B&e=&foo=b");
    assertThat(path(r -> r.param("foo", "a").requestURI("/test"))).isEqualTo("/test");
  }

  /** TestRequestURIContext. Unlike there, dots do not lead out of the path of the server. */
  @ParameterizedTest
  @ValueSource(strings = {"/test?c=1&c=2", "test?c=1&c=2", "../test?c=1&c=2"})
  void requestURI_isBelowThePathOfTheServer(String uri) {
    assertThat(pathOn("http://h/context", r -> r.param("foo", "a").prefix("other").requestURI(uri)))
        .isEqualTo("http://h/context/test?c=1&c=2");
  }

  /** TestRequestPreservesBaseTrailingSlash. */
  @Test
  void uri_ofNothing_isThatOfTheServer() {
    assertThat(pathOn("http://h/path/", r -> r)).isEqualTo("http://h/path/");
    assertThat(pathOn("http://h", r -> r)).isEqualTo("http://h/");
  }

  @Test
  void uri_escapesWhatANameMayHold() {
    assertThat(path(r -> r.groupVersion(CORE).resource("x").name("system:a b?c#d")))
        .isEqualTo("/api/v1/x/system:a%20b%3Fc%23d");
  }

  /* --------------- Parameters --------------- */

  /** TestUnacceptableParamNames: what we set ourselves elsewhere may be set here, too. */
  @Test
  void param_timeout_isAParameterLikeAnyOther() {
    assertThat(path(r -> r.absPath("x").param("timeout", "42"))).isEqualTo("/x?timeout=42");
  }

  /** TestRequestParam. */
  @Test
  void param_ofTheSameName_addsAValue() {
    assertThat(path(r -> r.absPath("x").param("foo", "a").param("bar", "1").param("foo", "b")))
        .isEqualTo("/x?bar=1&foo=a&foo=b");
  }

  /** Go's url.Values: sorted by name, a space is a plus. */
  @Test
  void param_isEncodedAsInGo() {
    assertThat(path(r -> r.absPath("x").param("s", "a in (b, c),d!=e~*")))
        .isEqualTo("/x?s=a+in+%28b%2C+c%29%2Cd%21%3De~%2A");
  }

  /** TestRequestVersionedParams, TestRequestVersionedParamsFromListOptions. */
  @Test
  void options_areAdded() {
    ListOptions options =
        ListOptions.builder().resourceVersion("1").labelSelector("a=b").limit(5L).build();
    assertThat(path(r -> r.absPath("x").param("foo", "a").options(options)))
        .isEqualTo("/x?foo=a&labelSelector=a%3Db&limit=5&resourceVersion=1");
    ListOptions more =
        ListOptions.builder().resourceVersion("2").timeout(Duration.ofSeconds(10)).build();
    assertThat(path(r -> r.absPath("x").options(options).options(more)))
        .isEqualTo(
            "/x?labelSelector=a%3Db&limit=5&resourceVersion=1&resourceVersion=2&timeoutSeconds=10");
  }

  /** TestRestClientTimeout is about when it ends; this is what the server is told. */
  @ParameterizedTest
  @CsvSource({"1000, 1s", "32000, 32s", "1500, 1.5s", "5, 0.005s", "600000, 600s"})
  void timeout_isSentWithItsUnit(long millis, String expected) {
    assertThat(path(r -> r.absPath("x").timeout(Duration.ofMillis(millis))))
        .isEqualTo("/x?timeout=" + expected);
    assertThat(path(r -> r.absPath("x").timeout(Duration.ofNanos(1_500)))).endsWith("=0.0000015s");
  }

  /** A duration that means "forever" does not fit into nanoseconds. */
  @Test
  void timeout_ofManyYears_isNone() throws Exception {
    Duration forEver = Duration.ofMillis(Long.MAX_VALUE);
    client.get().absPath("x").timeout(forEver).execute();

    try (RESTClient other =
        RESTClient.create(server.config().timeout(forEver).watchIdleTimeout(forEver).build())) {
      other.get().absPath("x").watch(Unstructured.CODEC, DecodeContext.create()).close();
    }
  }

  /* --------------- Wrong arguments --------------- */

  /** TestInvalidSegments. */
  @ParameterizedTest
  @ValueSource(strings = {".", "..", "a/b", "a%2fb", "a%2bb", "/", "%"})
  void segments_thatLeadElsewhere_areRefused(String segment) {
    assertThatThrownBy(() -> client.get().namespace(segment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("namespace");
    assertThatThrownBy(() -> client.get().resource(segment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("resource");
    assertThatThrownBy(() -> client.get().name(segment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("resource name");
    assertThatThrownBy(() -> client.get().subResource("status", segment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("subresource");
    assertThatThrownBy(() -> client.get().groupVersion(new GroupVersion(segment, "v1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("group");
  }

  /** TestRequestSetTwiceError. */
  @Test
  void segments_setTwice_areRefused() {
    assertThatThrownBy(() -> client.get().name("bar").name("baz"))
        .hasMessage("resource name already set to 'bar', cannot change to 'baz'");
    assertThatThrownBy(() -> client.get().namespace("bar").namespace("baz"))
        .hasMessage("namespace already set to 'bar', cannot change to 'baz'");
    assertThatThrownBy(() -> client.get().namespace("").namespace("baz"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> client.get().resource("bar").resource("baz"))
        .hasMessage("resource already set to 'bar', cannot change to 'baz'");
    assertThatThrownBy(() -> client.get().subResource("bar").subResource("baz"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'bar'");
  }

  @Test
  void name_empty_isRefused() {
    assertThatThrownBy(() -> client.get().name("")).hasMessage("resource name may not be empty");
  }

  /** TestRequestPreflightCheck. */
  @ParameterizedTest
  @CsvSource({
    "GET, '', a, true",
    "PUT, '', a, true",
    "DELETE, '', a, true",
    "POST, '', '', true",
    "POST, '', a, true",
    "GET, '', '', false",
    "DELETE, '', '', false",
    "PATCH, '', a, false",
    "GET, ns, a, false",
    "POST, ns, '', false",
  })
  void execute_withEmptyNamespace_isRefusedWhereItCannotBeMeant(
      String verb, String namespace, String name, boolean refused) throws Exception {
    Request request = client.verb(verb).groupVersion(CORE).namespace(namespace).resource("pods");
    if (!name.isEmpty()) {
      request.name(name);
    }

    if (refused) {
      assertThatThrownBy(request::execute)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("namespace");
      assertThat(server.requestCount()).isZero();
    } else {
      assertThat(request.execute().statusCode()).isEqualTo(200);
    }
  }

  /* --------------- Headers and bodies --------------- */

  /** TestNewRequestSetsAccept; that of other encodings is in {@link EncodingTest}. */
  @Test
  void execute_sendsWhoWeAreAndWhatWeUnderstand() throws Exception {
    client.get().absPath("x").execute();

    RecordedRequest request = server.takeRequest();
    assertThat(request.getHeaders().get("Accept")).isEqualTo("application/json, */*");
    assertThat(request.getHeaders().get("User-Agent")).startsWith("clientgo-java/");
    assertThat(request.getHeaders().get("Accept-Encoding")).isEqualTo("gzip");
    assertThat(request.getHeaders().get("Authorization")).isNull();
  }

  /** TestRequestSetsHeaders; what the request sets is left alone, as in round_trippers_test.go. */
  @Test
  void header_replacesOurs() throws Exception {
    client.get().absPath("x").header("Accept", "text/plain").header("User-Agent", "me").execute();

    RecordedRequest request = server.takeRequest();
    assertThat(request.getHeaders().values("Accept")).containsExactly("text/plain");
    assertThat(request.getHeaders().values("User-Agent")).containsExactly("me");

    client.get().absPath("x").header("Accept", "text/plain").stream().close();
    client
        .get()
        .absPath("x")
        .header("Accept", "text/plain")
        .watch(Unstructured.CODEC, DecodeContext.create())
        .close();

    for (int i = 0; i < 2; i++) {
      assertThat(server.takeRequest().getHeaders().values("Accept")).containsExactly("text/plain");
    }
  }

  /** As in Go, which takes the value of a header for bytes. */
  @Test
  void headers_beyondAscii_areSentAsUtf8() throws Exception {
    RestConfig config = server.config().userAgent("m\u00fcller").bearerToken("t\u00f6ken").build();
    try (RESTClient other = RESTClient.create(config)) {
      other.get().absPath("x").header("X-Name", "\u65e5\u672c").execute();
    }

    RecordedRequest request = server.takeRequest();
    assertThat(request.getHeaders().get("User-Agent")).isEqualTo("m\u00fcller");
    assertThat(request.getHeaders().get("Authorization")).isEqualTo("Bearer t\u00f6ken");
    assertThat(request.getHeaders().get("X-Name")).isEqualTo("\u65e5\u672c");
  }

  @Test
  void header_withALineBreak_isRefused_andNotShown() {
    assertThatThrownBy(() -> client.get().header("X-Token", "secret\r\nX-Other: a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the header X-Token contains a line break or another control character");
    assertThatThrownBy(() -> client.get().header("X: Y", "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET /other HTTP/1.1\r\nX:", "GE T", "G\u00c9T"})
  void verb_thatIsNone_isRefused(String verb) {
    assertThatThrownBy(() -> client.verb(verb)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void disableCompression_asksForNone() throws Exception {
    try (RESTClient plain = RESTClient.create(server.config().disableCompression(true).build())) {
      plain.get().absPath("x").execute();
    }

    assertThat(server.takeRequest().getHeaders().get("Accept-Encoding")).isEqualTo("identity");
  }

  @Test
  void body_ofBytes_isSentWithItsType() throws Exception {
    client.post().absPath("x").body(new byte[] {'{', '}'}, "application/json").execute();

    RecordedRequest request = server.takeRequest();
    assertThat(request.getMethod()).isEqualTo("POST");
    assertThat(request.getHeaders().get("Content-Type")).isEqualTo("application/json");
    assertThat(request.getBody().utf8()).isEqualTo("{}");
  }

  @Test
  void body_ofStream_isSentAndClosed() throws Exception {
    boolean[] closed = {false};
    ByteArrayInputStream content =
        new ByteArrayInputStream(new byte[] {'h', 'i'}) {
          @Override
          public void close() {
            closed[0] = true;
          }
        };

    client.put().absPath("x").body(content, "text/plain").execute();

    assertThat(server.takeRequest().getBody().utf8()).isEqualTo("hi");
    assertThat(closed[0]).isTrue();
  }

  @Test
  void post_withoutBody_isSent() throws Exception {
    client.post().absPath("x").execute();

    RecordedRequest request = server.takeRequest();
    assertThat(request.getMethod()).isEqualTo("POST");
    assertThat(request.getBodySize()).isZero();
  }

  @Test
  void execute_twice_sendsTwice() throws Exception {
    Request request = client.post().absPath("x").body(new byte[] {'1'}, "text/plain");

    request.execute();
    request.execute();

    assertThat(server.takeRequest().getBody().utf8()).isEqualTo("1");
    assertThat(server.takeRequest().getBody().utf8()).isEqualTo("1");
  }

  @Test
  void close_beforeARequest_refusesIt() {
    client.close();

    assertThatThrownBy(() -> client.get().absPath("x").execute())
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CLIENT_CLOSED))
        .hasMessage("the client is closed");
  }
}
