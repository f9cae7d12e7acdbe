package dev.clientgo.rest;

import dev.clientgo.rest.config.RestConfig;
import java.net.URI;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Proxies that are absent, or do not let us through. */
final class BadProxyTest extends BadInput {

  private static Mishap by(RawServer.Misbehaviour proxy) {
    return test ->
        RestConfig.builder("https://127.0.0.1:1")
            .proxy(test.raw("http", proxy).build().server())
            .build();
  }

  static Stream<Arguments> mishap_isExplained() {
    String get = "GET https://127.0.0.1:1/x: ";
    return Stream.of(
        row(
            "is absent",
            test ->
                RestConfig.builder("https://127.0.0.1:1")
                    .proxy(URI.create("http://me:hunter2@127.0.0.1:" + test.refusing()))
                    .build(),
            get
                + "nothing listens at the proxy http://127.0.0.1:PORT (of proxy-url): is it up, and"
                + " is this its address?"),
        row(
            "is absent, and speaks SOCKS",
            test ->
                RestConfig.builder("https://127.0.0.1:1")
                    .proxy(URI.create("socks5://127.0.0.1:" + test.refusing()))
                    .build(),
            get
                + "nothing listens at the proxy socks5://127.0.0.1:PORT (of proxy-url): is it up, and"
                + " is this its address?"),
        row(
            "has no address",
            test ->
                RestConfig.builder("https://127.0.0.1:1")
                    .proxy(URI.create("http://no-such-proxy.invalid:3128"))
                    .build(),
            get
                + "the proxy http://no-such-proxy.invalid:3128 (of proxy-url) has a host name without"
                + " an address"),
        row(
            "wants a password",
            by(
                RawServer.send(
                    "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length:"
                        + " 0\r\n\r\n")),
            get
                + "the proxy http://127.0.0.1:PORT (of proxy-url) requires a valid user name and"
                + " password: write them as in http://user:password@host"),
        row(
            "refuses",
            by(RawServer.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")),
            get
                + "the proxy http://127.0.0.1:PORT (of proxy-url) does not connect to 127.0.0.1:1"
                + " (Unexpected response code for CONNECT: 403): ask its operator"),
        row(
            "is none",
            test -> RestConfig.builder("https://h").proxy(URI.create("ftp://p")).build(),
            "the proxy is not an http, https or socks5 URL with a host"));
  }

  @ParameterizedTest
  @MethodSource
  void mishap_isExplained(Mishap mishap, String text) throws Exception {
    assertExplained(mishap, text);
  }
}
