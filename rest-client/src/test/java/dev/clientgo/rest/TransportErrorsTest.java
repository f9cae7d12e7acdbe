package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.net.Timeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each way in which a server can be out of reach, and the one sentence that says so. */
@Timeout(300)
final class TransportErrorsTest {

  private static final RecordingClock CLOCK = new RecordingClock();

  private static TransportException error(RestConfig config) {
    return error(config, Timeouts.STANDARD);
  }

  private static TransportException error(RestConfig config, Timeouts timeouts) {
    try (RESTClient client = RESTClient.create(config, CLOCK, timeouts)) {
      return catchThrowableOfType(
          TransportException.class,
          () -> client.get().absPath("/api").param("secret", "x").maxRetries(0).execute());
    }
  }

  private static void assertError(TransportException error, Kind kind, String message) {
    assertThat(error).hasMessage(message).hasCauseInstanceOf(IOException.class);
    assertThat(error.kind()).isEqualTo(kind);
  }

  @Test
  void refused() throws IOException {
    try (RefusingPort port = new RefusingPort()) {
      assertError(
          error(RestConfig.builder("https://127.0.0.1:" + port.number()).build()),
          Kind.CONNECTION_REFUSED,
          ("GET https://127.0.0.1:%1$d/api: nothing listens at https://127.0.0.1:%1$d:"
                  + " is the API server up, and is this its address?")
              .formatted(port.number()));
    }
  }

  @Test
  void unknownHost() {
    assertError(
        error(RestConfig.builder("https://no-such-host.invalid").build()),
        Kind.UNKNOWN_HOST,
        "GET https://no-such-host.invalid/api: the host name no-such-host.invalid has no address:"
            + " check the server URL and the DNS");
  }

  @Test
  void noAnswerInTime() throws IOException {
    Timeouts impatient =
        new Timeouts(
            Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ZERO);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "http://127.0.0.1:" + silent.getLocalPort();
      assertError(
          error(RestConfig.builder(url).build(), impatient),
          Kind.TIMEOUT,
          "GET %1$s/api: no response from %1$s in time".formatted(url));
    }
  }

  @Test
  void noHandshakeInTime() throws IOException {
    Timeouts impatient =
        new Timeouts(
            Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofSeconds(50), Duration.ZERO);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "https://127.0.0.1:" + silent.getLocalPort();
      assertThat(error(RestConfig.builder(url).build(), impatient).kind()).isEqualTo(Kind.TIMEOUT);
    }
  }

  @Test
  void overallTimeout() throws IOException {
    try (TestServer server =
        TestServer.start(TestServer.Wire.HTTP_1_1)
            .enqueue(
                new MockResponse.Builder().headersDelay(5, TimeUnit.SECONDS).body("x").build())) {
      TransportException error = error(server.config().timeout(Duration.ofMillis(100)).build());

      assertThat(error.kind()).isEqualTo(Kind.TIMEOUT);
    }
  }

  @Test
  void closedBeforeTheAnswer() throws IOException {
    try (RawServer server = RawServer.start(RawServer.CLOSE)) {
      TransportException error = error(RestConfig.builder(server.url()).build());

      assertThat(error.kind()).isEqualTo(Kind.CONNECTION_LOST);
      assertThat(error)
          .hasMessageStartingWith(
              "GET %1$s/api: the connection to %1$s was closed before a response arrived"
                  .formatted(server.url()));
    }
  }

  @Test
  void brokenOffWithinTheAnswer() throws IOException {
    try (RawServer server =
        RawServer.start(RawServer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"))) {
      TransportException error = error(RestConfig.builder(server.url()).build());

      assertThat(error.kind()).isEqualTo(Kind.CONNECTION_LOST);
      assertThat(error)
          .hasMessageStartingWith(
              "GET " + server.url() + "/api: the response broke off after 4 bytes");
    }
  }

  @Test
  void stalledWithinTheAnswer() throws Exception {
    Patience.grow(
        Duration.ofMillis(250),
        idle -> {
          Timeouts impatient =
              new Timeouts(Duration.ofSeconds(30), Duration.ofSeconds(30), idle, Duration.ZERO);
          EndlessBody body = new EndlessBody(TestServer.Wire.HTTP_1_1).send("12345");
          try (TestServer server =
              TestServer.start(TestServer.Wire.HTTP_1_1).enqueue(body.response())) {
            TransportException error = error(server.config().build(), impatient);
            body.end();
            assertThat(error.kind()).isEqualTo(Kind.TIMEOUT);
            return error.getMessage().contains("the response stopped after 5 bytes");
          }
        });
  }

  @Test
  void tlsWhereHttpIsSpoken() throws IOException {
    try (RawServer server = RawServer.start(RawServer.send("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
      TransportException error =
          error(RestConfig.builder("https://127.0.0.1:" + server.port()).build());

      assertThat(error)
          .hasMessage(
              ("GET https://127.0.0.1:%1$d/api: the server at port %1$d does not speak TLS:"
                      + " if that is intended, use an http URL")
                  .formatted(server.port()));
    }
  }

  @Test
  void httpWhereTlsIsSpoken() throws IOException {
    // What TLS servers say to plain text: an alert.
    try (RawServer server =
        RawServer.start(RawServer.send("\u0015\u0003\u0003\u0000\u0002\u0002\n\r\n"))) {
      TransportException error = error(RestConfig.builder(server.url()).build());

      assertThat(error)
          .hasMessageStartingWith(
              "GET %1$s/api: the server at %1$s does not speak HTTP; if it speaks TLS, use an https"
                      .formatted(server.url())
                  + " URL");
    }
  }

  /** What Go's servers, and so API servers, say to plain text. */
  @Test
  void httpWhereGoSpeaksTls() throws IOException {
    try (RawServer server =
            RawServer.start(
                RawServer.send(
                    "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS"
                        + " server.\n"));
        RESTClient client = RESTClient.create(RestConfig.builder(server.url()).build())) {
      assertThat(
              catchThrowableOfType(
                  dev.clientgo.apimachinery.status.ApiStatusException.class,
                  () -> client.get().absPath("/api").execute()))
          .hasMessageContaining("https");
    }
  }

  /* --------------- Certificates --------------- */

  private static byte[] pem(HeldCertificate certificate) {
    return certificate.certificatePem().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void untrustedCertificate_namesWhatIsTrusted() throws IOException {
    HeldCertificate other = new HeldCertificate.Builder().certificateAuthority(0).build();
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_2)) {
      TransportException error =
          error(server.config().certificateAuthorityData(pem(other)).build());

      assertThat(error.kind()).isEqualTo(Kind.CERTIFICATE);
      assertThat(error)
          .hasMessageStartingWith(
              "GET "
                  + server.url()
                  + "/api: the server's certificate is not signed by an authority that is trusted"
                  + " (configured is (inline, ");
    }
  }

  @Test
  void untrustedCertificate_withoutAuthority_saysThatNoneIsConfigured() throws IOException {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_2)) {
      assertThat(error(RestConfig.builder(server.url()).build()))
          .hasMessageEndingWith("(those of the JDK, as no certificate authority is configured)");
    }
  }

  @Test
  void expiredCertificate_saysSince() throws IOException {
    HeldCertificate expired =
        new HeldCertificate.Builder()
            .signedBy(TestServer.AUTHORITY)
            .addSubjectAlternativeName("127.0.0.1")
            .validityInterval(1_000_000_000_000L, 1_100_000_000_000L)
            .build();
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_2, expired)) {
      TransportException error = error(server.config().build());

      assertThat(error.kind()).isEqualTo(Kind.CERTIFICATE);
      assertThat(error)
          .hasMessageContaining("/api: the server's certificate has expired (NotAfter: ");
    }
  }

  @Test
  void certificateOfTheFuture_blamesTheClock() throws IOException {
    HeldCertificate early =
        new HeldCertificate.Builder()
            .signedBy(TestServer.AUTHORITY)
            .addSubjectAlternativeName("127.0.0.1")
            .validityInterval(4_000_000_000_000L, 4_100_000_000_000L)
            .build();
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_2, early)) {
      assertThat(error(server.config().build()))
          .hasMessageContaining("is not valid yet: is the clock of this machine right?");
    }
  }

  private static RestConfig.Builder showing(TestServer server, long begin, long end) {
    HeldCertificate certificate =
        new HeldCertificate.Builder()
            .signedBy(TestServer.AUTHORITY)
            .commonName("jane")
            .validityInterval(begin, end)
            .build();
    return server
        .config()
        .clientCertificateData(pem(certificate))
        .clientKeyData(certificate.privateKeyPkcs8Pem().getBytes(StandardCharsets.UTF_8))
        .userOrigin("user \"jane\" in kubeconfig /home/jane/.kube/config");
  }

  /** The server looks at it in the handshake, and refuses it by an alert or by closing. */
  @Test
  void expiredClientCertificate_saysSinceWhenAndWhose() throws IOException {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1_TLS)) {
      server.mock().requireClientAuth();

      TransportException error =
          error(showing(server, 1_000_000_000_000L, 1_100_000_000_000L).build());

      assertThat(error)
          .hasMessageContaining("the client certificate (inline, ")
          .hasMessageEndingWith(
              "of CN=jane (user \"jane\" in kubeconfig /home/jane/.kube/config) expired at"
                  + " 2004-11-09T11:33:20Z");
    }
  }

  @Test
  void clientCertificateOfTheFuture_saysFromWhenAndBlamesTheClock() throws IOException {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1_TLS)) {
      server.mock().requireClientAuth();

      assertThat(error(showing(server, 4_000_000_000_000L, 4_100_000_000_000L).build()))
          .hasMessageEndingWith(
              "is not valid before 2096-10-02T07:06:40Z (is the clock of this machine right?)");
    }
  }

  /** An API server accepts it in the handshake, and then does not know who we are. */
  @Test
  void expiredClientCertificate_thatIsUnauthorized_saysSinceWhenAndWhose() throws Exception {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_2)) {
      server.always(
          TestServer.json(
              401,
              "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"Unauthorized\",\"code\":401}"));
      RestConfig config =
          showing(server, 1_000_000_000_000L, 1_100_000_000_000L).bearerToken("t").build();
      try (RESTClient client = RESTClient.create(config, CLOCK, Timeouts.STANDARD)) {
        assertThatThrownBy(() -> client.get().absPath("/api").execute())
            .hasMessageMatching(
                "Unauthorized: the server does not accept the client certificate \\(inline, \\d+"
                    + " bytes\\) of CN=jane \\(user \"jane\" in kubeconfig"
                    + " /home/jane/.kube/config\\), which expired at 2004-11-09T11:33:20Z, and the"
                    + " bearer token \\(user \"jane\" in kubeconfig /home/jane/.kube/config\\)");
      }
    }
  }

  @Test
  void certificateOfAnotherName_listsItsNames() throws IOException {
    HeldCertificate other =
        new HeldCertificate.Builder()
            .signedBy(TestServer.AUTHORITY)
            .addSubjectAlternativeName("kubernetes")
            .addSubjectAlternativeName("10.96.0.1")
            .build();
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_2, other)) {
      TransportException error = error(server.config().build());

      assertThat(error.kind()).isEqualTo(Kind.CERTIFICATE);
      assertThat(error)
          .hasMessageContaining("the server's certificate is not for 127.0.0.1 but for [")
          .hasMessageContaining("kubernetes")
          .hasMessageContaining("10.96.0.1")
          .hasMessageEndingWith(
              "use one of its names in the server URL, or set the TLS server name");
      assertThat(error.getMessage()).doesNotContain("\n");
    }
  }

  @Test
  void missingClientCertificate_isSaid() throws IOException {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1_TLS)) {
      server.mock().requireClientAuth();

      TransportException error = error(server.config().build());

      assertThat(error.getMessage()).doesNotContain("\n");
      // The alert may come after the request was sent, and then the connection may be gone first.
      if (error.kind() == Kind.CERTIFICATE) {
        assertThat(error)
            .hasMessageContaining("the server refused the TLS handshake")
            .hasMessageContaining("certificate")
            .hasMessageEndingWith(
                "if it requires a client certificate, configure one that it trusts");
      } else {
        assertThat(error.kind()).isEqualTo(Kind.CONNECTION_LOST);
      }
    }
  }
}
