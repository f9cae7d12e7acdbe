package dev.clientgo.rest;

import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import okio.Buffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers that are not those of an API server. */
final class BadAnswerTest extends BadInput {

  private static Mishap answers(int code, String type, String body) {
    return answers(
        new MockResponse.Builder().code(code).setHeader("Content-Type", type).body(body).build());
  }

  private static Mishap answers(MockResponse answer) {
    return test ->
        test.server(TestServer.start(TestServer.Wire.HTTP_1_1)).always(answer).config().build();
  }

  static Stream<Arguments> mishap_isExplained() {
    return Stream.of(
        row(
            "a web page that tells of an error",
            answers(502, "text/html", "<html><h1>502 Bad Gateway</h1></html>"),
            "an error on the server (\"unknown\") has prevented the request from succeeding: "
                + HTTP
                + "the response is not from an API server but a web page (502 Bad Gateway): check the URL"),
        row(
            "a web page",
            answers(200, "text/html; charset=utf-8", "<html><title>Please log in</title></html>"),
            HTTP
                + "the response is not from an API server but a web page (Please log in): check the URL"),
        row(
            "a redirection",
            answers(
                new MockResponse.Builder()
                    .code(302)
                    .setHeader("Location", "https://login/?token=secret")
                    .build()),
            "the server responded with the status code 302 but did not return more information: "
                + HTTP
                + "it redirects to https://login/, which is not followed; is the server URL right?"),
        row(
            "half of a body",
            raw("http", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"kind\":"),
            HTTP + "the response broke off after 8 bytes (unexpected end of stream)"),
        row(
            "half of a chunk",
            raw("http", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"kind\":"),
            HTTP + "the response broke off after 8 bytes (unexpected end of stream)"),
        row(
            "half of an object",
            answers(200, "application/json", "{\"kind\":"),
            HTTP + "the response cannot be read: "),
        row(
            "no JSON",
            answers(200, "application/json", "hello"),
            HTTP + "the response cannot be read: "),
        row(
            "nothing",
            answers(200, "application/json", ""),
            HTTP + "0-length response with status code 200"),
        row(
            "what is no gzip",
            answers(
                new MockResponse.Builder()
                    .setHeader("Content-Encoding", "gzip")
                    .setHeader("Content-Type", "application/json")
                    .body(new Buffer().writeUtf8("{\"kind\":\"Pod\", \"a\": \"b\"}"))
                    .build()),
            HTTP + "the response broke off after 0 bytes ("),
        row(
            "that it does not know us",
            answers(401, "text/plain", "Unauthorized"),
            "the server has asked for the client to provide credentials"
                + " (GET http://127.0.0.1:PORT/x): this client has no"
                + " credentials configured"),
        row(
            "that something is not there",
            answers(404, "text/plain", "404 page not found\n"),
            "the server could not find the requested resource (GET http://127.0.0.1:PORT/x)"));
  }

  @ParameterizedTest
  @MethodSource
  void mishap_isExplained(Mishap mishap, String text) throws Exception {
    assertExplained(mishap, text);
  }
}
