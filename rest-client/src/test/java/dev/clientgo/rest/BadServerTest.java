package dev.clientgo.rest;

import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.net.Timeouts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.stream.Stream;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that are absent, speak something else, or cannot be believed. */
final class BadServerTest extends BadInput {

  private static final Timeouts PATIENT_FOR_A_MOMENT =
      new Timeouts(
          Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(100), Duration.ZERO);

  private static HeldCertificate.Builder certificate() {
    return new HeldCertificate.Builder()
        .signedBy(TestServer.AUTHORITY)
        .addSubjectAlternativeName("127.0.0.1");
  }

  private static Mishap shows(HeldCertificate certificate) {
    return test ->
        test.server(TestServer.start(TestServer.Wire.HTTP_2, certificate)).config().build();
  }

  static Stream<Arguments> mishap_isExplained() {
    return Stream.of(
        row(
            "is absent",
            test -> RestConfig.builder("https://127.0.0.1:" + test.refusing()).build(),
            HTTPS
                + "nothing listens at https://127.0.0.1:PORT: is the API server up, and is this its"
                + " address?"),
        row(
            "has no address",
            test -> RestConfig.builder("https://no-such-host.invalid").build(),
            "GET https://no-such-host.invalid/x: the host name no-such-host.invalid has no address:"
                + " check the server URL and the DNS"),
        row(
            "speaks TLS, and says so as Go does",
            raw(
                "http",
                "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n"),
            "the server rejected our request for an unknown reason: "
                + HTTP
                + "it speaks TLS: use an https URL"),
        row(
            "speaks TLS, says so as Go does, and breaks the connection, as Go does, too",
            raw(
                "http",
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 99\r\n\r\nClient sent an HTTP request to an HTTPS server."),
            "the server rejected our request for an unknown reason: "
                + HTTP
                + "it speaks TLS: use an https URL"),
        row(
            "speaks TLS",
            raw("http", "\u0015\u0003\u0003\u0000\u0002\u0002\n\r\n"),
            HTTP
                + "the server at http://127.0.0.1:PORT does not speak HTTP; if it speaks TLS, use"
                + " an https URL"),
        row(
            "does not speak TLS",
            raw("https", "HTTP/1.1 400 Bad Request\r\n\r\n"),
            HTTPS
                + "the server at port PORT does not speak TLS: if that is intended, use an http"
                + " URL"),
        row(
            "does not speak HTTP",
            raw("http", "SSH-2.0-OpenSSH_9.6\r\n"),
            HTTP
                + "the server at http://127.0.0.1:PORT does not speak HTTP; if it speaks TLS, use"
                + " an https URL (Unexpected status line: SSH-2.0-OpenSSH_9.6)"),
        row(
            "closes the connection",
            test -> test.raw("http", RawServer.CLOSE).build(),
            HTTP
                + "the connection to http://127.0.0.1:PORT was closed before a response arrived"
                + " (unexpected end of stream on http://127.0.0.1:PORT/...)"),
        row(
            "closes the connection during the handshake",
            test -> test.raw("https", RawServer.CLOSE).build(),
            HTTPS + "the server closed the connection during the TLS handshake"),
        row(
            "says nothing",
            test -> {
              ServerSocket silent =
                  test.keep(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
              test.port = silent.getLocalPort();
              test.timeouts = PATIENT_FOR_A_MOMENT;
              return RestConfig.builder("http://127.0.0.1:" + test.port).build();
            },
            HTTP + "no response from http://127.0.0.1:PORT in time"),
        row(
            "has a certificate of the past",
            shows(certificate().validityInterval(0, 1000).build()),
            HTTPS + "the server's certificate has expired (NotAfter: "),
        row(
            "has a certificate of the future",
            shows(certificate().validityInterval(4_000_000_000_000L, 4_100_000_000_000L).build()),
            HTTPS
                + "the server's certificate is not valid yet: is the clock of this machine right?"
                + " (NotBefore: "),
        row(
            "has a certificate of somebody else",
            shows(
                new HeldCertificate.Builder()
                    .signedBy(TestServer.AUTHORITY)
                    .addSubjectAlternativeName("kubernetes")
                    .build()),
            HTTPS
                + "the server's certificate is not for 127.0.0.1 but for [kubernetes]: use one of its"
                + " names in the server URL, or set the TLS server name"),
        row(
            "has a certificate that nobody vouches for",
            shows(new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build()),
            HTTPS
                + "the server's certificate is not signed by an authority that is trusted (configured"
                + " is (inline, "),
        row(
            "has a certificate, and no authority is configured",
            test ->
                RestConfig.builder(test.server(TestServer.start(TestServer.Wire.HTTP_2)).url())
                    .build(),
            HTTPS
                + "the server's certificate is not signed by an authority that is trusted (those of"
                + " the JDK, as no certificate authority is configured)"));
  }

  @ParameterizedTest
  @MethodSource
  void mishap_isExplained(Mishap mishap, String text) throws Exception {
    assertExplained(mishap, text);
  }
}
