package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.auth.CertificateCredentials;
import dev.clientgo.rest.internal.net.Timeouts;
import dev.clientgo.rest.internal.tls.TlsClientCache;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Protocol;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Certificates and authorities that change on disk while a client is at work. The Go tests named
 * are in {@code transport/cache_test.go} and {@code transport/ca_rotation_test.go}.
 */
@Timeout(300)
final class RotationTest {

  private static final HeldCertificate AUTHORITY = TestServer.AUTHORITY;
  private static final HeldCertificate OTHER_AUTHORITY =
      new HeldCertificate.Builder().certificateAuthority(0).commonName("other-ca").build();

  @TempDir private Path directory;

  private final RecordingClock clock = new RecordingClock();
  private MockWebServer server;

  /** The server refuses certificates of this name with 401. */
  private final AtomicReference<String> refused = new AtomicReference<>("CN=nobody");

  @BeforeEach
  void start() throws IOException {
    server = server(AUTHORITY);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private MockWebServer server(HeldCertificate signer) throws IOException {
    HeldCertificate certificate =
        new HeldCertificate.Builder()
            .signedBy(signer)
            .addSubjectAlternativeName("127.0.0.1")
            .build();
    MockWebServer started = new MockWebServer();
    started.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(certificate)
            .addTrustedCertificate(AUTHORITY.certificate())
            .build()
            .sslSocketFactory());
    started.requestClientAuth();
    started.setProtocols(List.of(Protocol.HTTP_2, Protocol.HTTP_1_1));
    started.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            if (request.getTarget().equals("/slow")) {
              return new MockResponse.Builder()
                  .body("0123456789")
                  .throttleBody(5, 1, java.util.concurrent.TimeUnit.SECONDS)
                  .build();
            }
            return TestServer.json(refused.get().equals(name(request)) ? 401 : 200, "{}");
          }
        });
    started.start(java.net.InetAddress.getLoopbackAddress(), 0);
    return started;
  }

  /** Returns the common name of the certificate that a request was made with. */
  private static String name(RecordedRequest request) {
    List<java.security.cert.Certificate> shown =
        Objects.requireNonNull(request.getHandshake()).peerCertificates();
    return shown.isEmpty()
        ? ""
        : ((X509Certificate) shown.get(0)).getSubjectX500Principal().getName();
  }

  private static HeldCertificate client(String name) {
    return new HeldCertificate.Builder().signedBy(AUTHORITY).commonName(name).build();
  }

  private Path write(String file, String content) throws IOException {
    Path path = directory.resolve(file);
    Path temporary = Files.writeString(directory.resolve(file + ".new"), content);
    return Files.move(temporary, path, StandardCopyOption.REPLACE_EXISTING);
  }

  private RestConfig.Builder config() throws IOException {
    return RestConfig.builder("https://127.0.0.1:" + server.getPort())
        .certificateAuthority(write("ca.crt", AUTHORITY.certificatePem()));
  }

  private void identity(HeldCertificate held) throws IOException {
    write("client.crt", held.certificatePem());
    write("client.key", held.privateKeyPkcs8Pem());
  }

  private RestConfig withCertificate() throws IOException {
    return config()
        .clientCertificate(directory.resolve("client.crt"))
        .clientKey(directory.resolve("client.key"))
        .build();
  }

  private RESTClient create(RestConfig config) {
    return RESTClient.create(config, clock, Timeouts.STANDARD);
  }

  private String call(RESTClient client) throws InterruptedException {
    client.get().absPath("/x").execute();
    return name(server.takeRequest());
  }

  /* --------------- Our certificate --------------- */

  @Test
  void certificate_thatChanges_isShownAfterAMoment() throws Exception {
    identity(client("one"));
    try (RESTClient client = create(withCertificate())) {
      assertThat(call(client)).isEqualTo("CN=one");

      identity(client("two"));
      assertThat(call(client)).isEqualTo("CN=one");
      clock.advance(CertificateCredentials.FRESH);
      assertThat(call(client)).isEqualTo("CN=two");
      assertThat(call(client)).isEqualTo("CN=two");
      assertThat(client.transport().connections()).isEqualTo(1);
    }
  }

  /** A server that refuses the old one does not see the caller fail. */
  @Test
  void certificate_thatIsRefused_isReadAgainAtOnce() throws Exception {
    identity(client("one"));
    try (RESTClient client = create(withCertificate())) {
      assertThat(call(client)).isEqualTo("CN=one");

      refused.set("CN=one");
      identity(client("two"));
      client.post().absPath("/x").body("x".getBytes(UTF_8), "text/plain").execute();

      assertThat(name(server.takeRequest())).isEqualTo("CN=one");
      assertThat(name(server.takeRequest())).isEqualTo("CN=two");
      assertThat(server.getRequestCount()).isEqualTo(3);
    }
  }

  /** While the pair is being written, its halves do not fit together. */
  @Test
  void certificate_thatIsHalfWritten_leavesTheLastGoodOne() throws Exception {
    identity(client("one"));
    HeldCertificate two = client("two");
    try (RESTClient client = create(withCertificate())) {
      for (String bad :
          List.of(two.certificatePem(), "", "no PEM", two.certificatePem().substring(0, 99))) {
        write("client.crt", bad);
        clock.advance(CertificateCredentials.FRESH);
        assertThat(call(client)).isEqualTo("CN=one");
      }
      Files.delete(directory.resolve("client.crt"));
      clock.advance(CertificateCredentials.FRESH);
      assertThat(call(client)).isEqualTo("CN=one");

      identity(two);
      clock.advance(CertificateCredentials.FRESH);
      assertThat(call(client)).isEqualTo("CN=two");
    }
  }

  /** Requests under way continue with the connection that they have. */
  @Test
  void certificate_thatChanges_leavesRunningCallsAlone() throws Exception {
    identity(client("one"));
    try (RESTClient client = create(withCertificate());
        InputStream running = client.get().absPath("/slow").stream()) {
      server.takeRequest();
      assertThat(running.readNBytes(5)).isEqualTo("01234".getBytes(UTF_8));

      identity(client("two"));
      clock.advance(CertificateCredentials.FRESH);
      assertThat(call(client)).isEqualTo("CN=two");

      assertThat(running.readAllBytes()).isEqualTo("56789".getBytes(UTF_8));
    }
  }

  /* --------------- The plugin's certificate --------------- */

  /** TestTLSCredentials. */
  @Test
  void pluginCertificate_isShownAndRenewed() throws Exception {
    RestConfig config =
        config()
            .exec(
                ExecConfig.builder(ExecConfig.V1, "cat")
                    .args(List.of(directory.resolve("answer").toString()))
                    .interactiveMode(ExecConfig.InteractiveMode.NEVER)
                    .build())
            .build();
    answer(client("one"));
    try (RESTClient client = create(config)) {
      assertThat(call(client)).isEqualTo("CN=one");

      answer(client("two"));
      assertThat(call(client)).isEqualTo("CN=one");
      refused.set("CN=one");
      client.get().absPath("/x").execute();
      assertThat(name(server.takeRequest())).isEqualTo("CN=one");
      assertThat(name(server.takeRequest())).isEqualTo("CN=two");
      assertThat(call(client)).isEqualTo("CN=two");
    }
  }

  private void answer(HeldCertificate held) throws IOException {
    write(
        "answer",
        "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":"
            + "{\"clientCertificateData\":\""
            + held.certificatePem().replace("\n", "\\n")
            + "\",\"clientKeyData\":\""
            + held.privateKeyPkcs8Pem().replace("\n", "\\n")
            + "\"}}");
  }

  /* --------------- The authorities --------------- */

  /** TestCARotationConnectionBehavior: the server changes its authority, then the file follows. */
  @Test
  void authority_thatChanges_isTrustedAtOnce() throws Exception {
    try (FreezingProxy proxy = new FreezingProxy(server.getPort());
        MockWebServer other = server(OTHER_AUTHORITY);
        RESTClient client = create(config().server("https://127.0.0.1:" + proxy.port()).build())) {
      call(client);
      proxy.turnTo(other.getPort());

      assertThatThrownBy(() -> client.get().absPath("/x").maxRetries(0).execute())
          .isInstanceOfSatisfying(
              TransportException.class,
              e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CERTIFICATE))
          .hasMessageContaining("is not signed by an authority that is trusted");

      write("ca.crt", AUTHORITY.certificatePem() + OTHER_AUTHORITY.certificatePem());
      client.post().absPath("/x").body("x".getBytes(UTF_8), "text/plain").execute();
    }
  }

  /**
   * TestEmptyCAFileRotationLifecycle: who is not trusted any more is not believed, after a moment.
   */
  @Test
  void authority_thatIsGone_isNotTrusted() throws Exception {
    try (RESTClient client = create(config().build())) {
      call(client);
      write("ca.crt", OTHER_AUTHORITY.certificatePem());
      call(client);

      clock.advance(TlsClientCache.FRESH);

      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(TransportException.class)
          .hasMessageContaining("is not signed by an authority that is trusted");
      write("ca.crt", "");
      clock.advance(TlsClientCache.FRESH);
      assertThatThrownBy(() -> client.get().absPath("/x").execute())
          .isInstanceOf(TransportException.class)
          .hasMessageContaining("no authority is trusted");
    }
  }

  /** TestCheckCAFileAndRotate: what cannot be used leaves what was. */
  @Test
  void authority_thatCannotBeUsed_leavesTheLastGoodOne() throws Exception {
    try (RESTClient client = create(config().build())) {
      for (String bad :
          List.of("no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")) {
        write("ca.crt", bad);
        clock.advance(TlsClientCache.FRESH);
        call(client);
      }
      Files.delete(directory.resolve("ca.crt"));
      clock.advance(TlsClientCache.FRESH);
      call(client);
      assertThat(client.transport().connections()).isEqualTo(1);
    }
  }

  /** TestTLSTransportCacheCARotation: only a file is looked at. */
  @Test
  void authority_givenAsData_isFixed() throws Exception {
    RestConfig config =
        RestConfig.builder("https://127.0.0.1:" + server.getPort())
            .certificateAuthorityData(AUTHORITY.certificatePem().getBytes(UTF_8))
            .build();
    try (RESTClient client = create(config)) {
      call(client);
      clock.advance(Duration.ofDays(1));
      call(client);
      assertThat(client.transport().connections()).isEqualTo(1);
    }
  }

  @Test
  void authority_thatChanges_leavesRunningCallsAlone() throws Exception {
    try (RESTClient client = create(config().build());
        InputStream running = client.get().absPath("/slow").stream()) {
      server.takeRequest();
      write("ca.crt", OTHER_AUTHORITY.certificatePem() + AUTHORITY.certificatePem());
      clock.advance(TlsClientCache.FRESH);
      call(client);

      assertThat(running.readAllBytes()).isEqualTo("0123456789".getBytes(UTF_8));
    }
  }
}
