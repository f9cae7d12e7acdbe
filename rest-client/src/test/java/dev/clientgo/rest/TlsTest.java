package dev.clientgo.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.tls.ClientIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import mockwebserver3.RecordedRequest;
import okhttp3.Handshake;
import okhttp3.TlsVersion;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How client and server convince each other. */
@Timeout(300)
final class TlsTest {

  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start(TestServer.Wire.HTTP_2).always(TestServer.json(200, "{}"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private RecordedRequest call(RestConfig config) throws InterruptedException {
    try (RESTClient client = RESTClient.create(config)) {
      client.get().absPath("/x").execute();
    }
    return server.takeRequest();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  @Test
  void http2AndTls13_areSpoken() throws Exception {
    RecordedRequest request = call(server.config().build());

    assertThat(request.getVersion()).isEqualTo("HTTP/2");
    Handshake handshake = request.getHandshake();
    assertThat(handshake).isNotNull();
    assertThat(handshake.tlsVersion()).isEqualTo(TlsVersion.TLS_1_3);
    assertThat(handshake.peerCertificates()).isEmpty();
  }

  @Test
  void disableHttp2_speaksHttp11() throws Exception {
    assertThat(call(server.config().disableHttp2(true).build()).getVersion()).isEqualTo("HTTP/1.1");
  }

  @Test
  void insecure_trustsAnybody() throws Exception {
    HeldCertificate selfSigned = new HeldCertificate.Builder().commonName("nobody").build();
    try (TestServer other = TestServer.start(TestServer.Wire.HTTP_2, selfSigned)) {
      other.always(TestServer.json(200, "{}"));
      try (RESTClient client =
          RESTClient.create(RestConfig.builder(other.url()).insecure(true).build())) {
        assertThat(client.get().absPath("/x").execute().statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void authorityFile_isTrusted(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("ca.crt");
    Files.writeString(
        file,
        "# two of them\n"
            + new HeldCertificate.Builder().certificateAuthority(0).build().certificatePem()
            + TestServer.AUTHORITY.certificatePem());

    call(RestConfig.builder(server.url()).certificateAuthority(file).build());
  }

  /** As Go's {@code AppendCertsFromPEM} does, and so kubectl. */
  @Test
  void authority_thatCannotBeRead_isLeftOutIfThereAreOthers() throws Exception {
    String bundle =
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
            + TestServer.AUTHORITY.certificatePem();

    call(RestConfig.builder(server.url()).certificateAuthorityData(bytes(bundle)).build());
  }

  @Test
  void authority_thatIsNone_isRefused(@TempDir Path directory) throws Exception {
    Path missing = directory.resolve("ca.crt");
    assertThatThrownBy(
            () ->
                RESTClient.create(
                    RestConfig.builder(server.url()).certificateAuthority(missing).build()))
        .isInstanceOf(ConfigException.class)
        .hasMessage("cannot read the certificate authority: there is no file " + missing);
    assertThatThrownBy(
            () ->
                RESTClient.create(
                    RestConfig.builder(server.url())
                        .certificateAuthorityData(bytes("no PEM"))
                        .build()))
        .hasMessageEndingWith("has no PEM block BEGIN CERTIFICATE");
    assertThatThrownBy(
            () ->
                RESTClient.create(
                    RestConfig.builder(server.url())
                        .certificateAuthorityData(
                            bytes("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"))
                        .build()))
        .hasMessageEndingWith("is not an X.509 certificate");
  }

  /** TestNew: a key that is none, in data or in a file. */
  @Test
  void clientKey_thatIsNone_isRefused() throws Exception {
    RestConfig.Builder config =
        server.config().clientCertificateData(bytes(client("EC").certificatePem()));

    assertThatThrownBy(() -> RESTClient.create(config.clientKeyData(bytes("bad key data")).build()))
        .isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> RESTClient.create(config.clientKey(Path.of("/missing/file")).build()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("/missing/file");
  }

  /** With an empty authority the client trusts no server, not the servers that the JDK trusts. */
  @Test
  void authority_empty_trustsNobody() {
    RestConfig config =
        RestConfig.builder(server.url()).certificateAuthorityData(new byte[0]).build();

    assertThatThrownBy(() -> call(config))
        .isInstanceOfSatisfying(
            TransportException.class,
            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.CERTIFICATE));
  }

  /* --------------- Server name --------------- */

  @Test
  void serverName_isCheckedInsteadOfTheHost() throws Exception {
    RecordedRequest request = call(server.config().tlsServerName("kubernetes.default.svc").build());

    assertThat(request.getHandshakeServerNames()).containsExactly("kubernetes.default.svc");
    assertThat(request.getHeaders().get(":authority")).startsWith("127.0.0.1:");
  }

  @Test
  void serverName_thatTheCertificateLacks_isRefused() {
    assertThatThrownBy(() -> call(server.config().tlsServerName("other.example").build()))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("the server's certificate is not for other.example but for [");
  }

  /* --------------- Client certificates --------------- */

  private static HeldCertificate client(String algorithm) throws GeneralSecurityException {
    HeldCertificate.Builder builder =
        new HeldCertificate.Builder().signedBy(TestServer.AUTHORITY).commonName("jane");
    return (algorithm.equals("RSA") ? builder.keyPair(RsaKeys.one()) : builder.ecdsa256()).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void clientCertificate_isShown(String algorithm) throws Exception {
    server.mock().requireClientAuth();
    HeldCertificate certificate = client(algorithm);

    RecordedRequest request =
        call(
            server
                .config()
                .clientCertificateData(bytes(certificate.certificatePem()))
                .clientKeyData(bytes(certificate.privateKeyPkcs8Pem()))
                .build());

    Handshake handshake = request.getHandshake();
    assertThat(handshake).isNotNull();
    assertThat(handshake.peerPrincipal()).hasToString("CN=jane");
  }

  @Test
  void clientCertificate_inFilesWithItsChain_isShown(@TempDir Path directory) throws Exception {
    server.mock().requireClientAuth();
    HeldCertificate intermediate =
        new HeldCertificate.Builder()
            .signedBy(TestServer.AUTHORITY)
            .certificateAuthority(0)
            .commonName("intermediate")
            .build();
    HeldCertificate certificate =
        new HeldCertificate.Builder()
            .signedBy(intermediate)
            .commonName("john")
            .keyPair(RsaKeys.one())
            .build();
    Path chain =
        Files.writeString(
            directory.resolve("client.crt"),
            certificate.certificatePem() + intermediate.certificatePem());
    Path key = Files.writeString(directory.resolve("client.key"), certificate.privateKeyPkcs1Pem());
    assertThat(Files.readString(key)).contains("BEGIN RSA PRIVATE KEY");

    RecordedRequest request = call(server.config().clientCertificate(chain).clientKey(key).build());

    Handshake handshake = request.getHandshake();
    assertThat(handshake).isNotNull();
    assertThat(handshake.peerPrincipal()).hasToString("CN=john");
  }

  /** The JDK's own key manager would send none, as the server names other authorities. */
  @Test
  void clientCertificate_ofAnotherAuthority_isShownNevertheless() throws Exception {
    server.mock().requestClientAuth();
    HeldCertificate stranger = new HeldCertificate.Builder().commonName("stranger").build();
    RestConfig config =
        server
            .config()
            .clientCertificateData(bytes(stranger.certificatePem()))
            .clientKeyData(bytes(stranger.privateKeyPkcs8Pem()))
            .build();

    try (RESTClient client = RESTClient.create(config)) {
      // The server closes the connection, after which each retry would wait for a second.
      Request request = client.get().absPath("/x").maxRetries(0);

      assertThatThrownBy(request::execute).isInstanceOf(TransportException.class);
    }
  }

  @Test
  void clientCertificate_withTheWrongKey_isRefused() throws Exception {
    HeldCertificate certificate = client("EC");
    HeldCertificate other = client("EC");
    RestConfig config =
        server
            .config()
            .clientCertificateData(bytes(certificate.certificatePem()))
            .clientKeyData(bytes(other.privateKeyPkcs8Pem()))
            .build();

    assertThatThrownBy(() -> RESTClient.create(config))
        .isInstanceOf(ConfigException.class)
        .hasMessageMatching("the client key .* does not belong to the client certificate .*");
  }

  @Test
  void identity_showsNoKey() throws Exception {
    HeldCertificate certificate = client("EC");
    ClientIdentity identity =
        new ClientIdentity(List.of(certificate.certificate()), certificate.keyPair().getPrivate());

    assertThat(identity).hasToString("CN=jane");
  }
}
