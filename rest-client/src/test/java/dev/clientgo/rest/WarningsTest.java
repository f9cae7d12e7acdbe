package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.rest.config.WarningHandler;
import dev.clientgo.rest.internal.policy.WarningHeaders;
import dev.clientgo.rest.internal.policy.WarningHeaders.Warning;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Warnings of the server, from their headers to their handler. */
@Timeout(300)
final class WarningsTest {

  /** TestParseWarningHeader in apimachinery's util/net/http_test.go. */
  static Stream<Arguments> headers() {
    return Stream.of(
        argumentSet("one", "299 - \"a\"", List.of(new Warning(299, "-", "a"))),
        argumentSet("empty text", "299 - \"\"", List.of(new Warning(299, "-", ""))),
        argumentSet("an agent", "199 ua \"a b\"", List.of(new Warning(199, "ua", "a b"))),
        argumentSet("a host", "299 1.2.3.4:80 \"a\"", List.of(new Warning(299, "1.2.3.4:80", "a"))),
        argumentSet("a date", "299 - \"a\" \"Tue, 15 Nov\"", List.of(new Warning(299, "-", "a"))),
        argumentSet("escapes", "299 - \"a\\\"b\\\\c\"", List.of(new Warning(299, "-", "a\"b\\c"))),
        argumentSet(
            "several",
            "299 - \"a\", 299 x \"b, c\" ,299 - \"d\"",
            List.of(
                new Warning(299, "-", "a"),
                new Warning(299, "x", "b, c"),
                new Warning(299, "-", "d"))),
        argumentSet(
            "rest unreadable", "299 - \"a\", 2 - \"b\"", List.of(new Warning(299, "-", "a"))),
        argumentSet("321 is a code", "321 - \"a\"", List.of(new Warning(321, "-", "a"))),
        argumentSet(
            "base64", "299 - \"=?UTF-8?B?aMOp?=\"", List.of(new Warning(299, "-", "h\u00e9"))),
        argumentSet(
            "quoted",
            "299 - \"=?utf-8?q?h=C3=A9_x?=\"",
            List.of(new Warning(299, "-", "h\u00e9 x"))),
        argumentSet(
            "no word after all",
            "299 - \"=?utf-8?q?=ZZ?= =?utf-8?b?%?=\"",
            List.of(new Warning(299, "-", "=?utf-8?q?=ZZ?= =?utf-8?b?%?="))),
        argumentSet("no code", "a", List.of()),
        argumentSet("short code", "29 - \"a\"", List.of()),
        argumentSet("no agent", "299 \"a\"", List.of()),
        argumentSet("no text", "299 -", List.of()),
        argumentSet("no quotes", "299 - a", List.of()),
        argumentSet("open quote", "299 - \"a", List.of()),
        argumentSet("control character", "299 - \"a\u0001\"", List.of()),
        argumentSet("rubbish behind", "299 - \"a\" b", List.of()));
  }

  @ParameterizedTest
  @MethodSource("headers")
  void header_isReadAsFarAsItCanBe(String header, List<Warning> expected) {
    assertThat(WarningHeaders.parse(List.of(header))).isEqualTo(expected);
  }

  @Test
  void headers_areReadEachForItself() {
    assertThat(WarningHeaders.parse(List.of("rubbish", "299 - \"a\"")))
        .containsExactly(new Warning(299, "-", "a"));
  }

  /** A server, or a proxy before it, may send what it likes. */
  @Test
  void header_thatIsLong_isReadToo() {
    String text = "x\\\\".repeat(100_000);

    assertThat(WarningHeaders.parse(List.of("299 - \"" + text + "\"", "299 - \"" + text)))
        .containsExactly(new Warning(299, "-", "x\\".repeat(100_000)));
  }

  private static MockResponse warned() {
    return new MockResponse.Builder()
        .addHeader("Warning", "299 - \"old\"")
        .addHeader("Warning", "299 - \"older\"")
        .addHeader("Content-Type", "application/json")
        .body("{}")
        .build();
  }

  @Test
  void answer_handsItsWarningsOver() throws Exception {
    List<String> ofClient = new ArrayList<>();
    List<String> ofRequest = new ArrayList<>();
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1);
        RESTClient client =
            RESTClient.builder(server.config().build())
                .warningHandler((code, agent, text) -> ofClient.add(text))
                .build()) {
      server.always(warned());

      client.get().absPath("/x").execute();
      client
          .get()
          .absPath("/x")
          .warningHandler((code, agent, text) -> ofRequest.add(text))
          .execute();
      client.get().absPath("/x").warningHandler(WarningHandler.NONE).execute();
    }
    assertThat(ofClient).containsExactly("old", "older");
    assertThat(ofRequest).containsExactly("old", "older");
  }

  @Test
  void handlerThatThrows_failsNoRequest() throws Exception {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1);
        RESTClient client =
            RESTClient.builder(server.config().build())
                .warningHandler(
                    (code, agent, text) -> {
                      throw new ArithmeticException("mine");
                    })
                .build()) {
      server.always(warned());

      assertThat(client.get().absPath("/x").execute().statusCode()).isEqualTo(200);
    }
  }
}
