package dev.clientgo.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.ExecConfig;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.net.Timeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A file of each kind of credentials is away for a second: while a client is at work, or before its
 * first request. Afterwards the client works, without anyone's help.
 */
@Timeout(300)
final class VanishingFilesTest {

  private static final Duration LATER = Duration.ofMinutes(2);

  @TempDir private Path directory;

  private final RecordingClock clock = new RecordingClock();
  private final MockWebServer server = new MockWebServer();

  /** What a configuration reads, and which file vanishes. */
  private enum Kind {
    TOKEN("token"),
    CERTIFICATE("client.crt"),
    KEY("client.key"),
    AUTHORITY("ca.crt"),
    PLUGIN("plugin");

    final String file;

    Kind(String file) {
      this.file = file;
    }
  }

  @BeforeEach
  void start() throws IOException {
    HeldCertificate own =
        new HeldCertificate.Builder()
            .signedBy(TestServer.AUTHORITY)
            .addSubjectAlternativeName("127.0.0.1")
            .build();
    server.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(own)
            .addTrustedCertificate(TestServer.AUTHORITY.certificate())
            .build()
            .sslSocketFactory());
    server.requestClientAuth();
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            return TestServer.json(200, "{}");
          }
        });
    server.start(InetAddress.getLoopbackAddress(), 0);
    write("ca.crt", TestServer.AUTHORITY.certificatePem());
    write("token", "one");
    identity("one");
    plugin("one");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void write(String file, String content) throws IOException {
    Files.writeString(directory.resolve(file), content);
  }

  private void identity(String name) throws IOException {
    HeldCertificate held =
        new HeldCertificate.Builder().signedBy(TestServer.AUTHORITY).commonName(name).build();
    write("client.crt", held.certificatePem());
    write("client.key", held.privateKeyPkcs8Pem());
  }

  /** A program whose token expires after a minute. */
  private void plugin(String token) throws IOException {
    write(
        "plugin",
        """
        #!/bin/sh
        echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",\
        "status":{"token":"%s","expirationTimestamp":"%s"}}'
        """
            .formatted(token, clock.now().plus(Duration.ofMinutes(1))));
    assertThat(directory.resolve("plugin").toFile().setExecutable(true)).isTrue();
  }

  private RestConfig config(Kind kind) {
    RestConfig.Builder config =
        RestConfig.builder("https://127.0.0.1:" + server.getPort())
            .certificateAuthority(directory.resolve("ca.crt"));
    UnaryOperator<RestConfig.Builder> credentials =
        switch (kind) {
          case TOKEN, AUTHORITY -> c -> c.bearerTokenFile(directory.resolve("token"));
          case CERTIFICATE, KEY ->
              c ->
                  c.clientCertificate(directory.resolve("client.crt"))
                      .clientKey(directory.resolve("client.key"));
          case PLUGIN ->
              c ->
                  c.exec(
                      ExecConfig.builder(ExecConfig.V1, directory.resolve("plugin").toString())
                          .interactiveMode(ExecConfig.InteractiveMode.NEVER)
                          .build());
        };
    return credentials.apply(config).build();
  }

  /** Returns the identity that the server has seen. */
  private String call(RESTClient client) throws InterruptedException {
    client.get().absPath("/x").execute();
    RecordedRequest request = server.takeRequest();
    String header = request.getHeaders().get("Authorization");
    return header != null
        ? header.replace("Bearer ", "")
        : ((X509Certificate)
                Objects.requireNonNull(request.getHandshake()).peerCertificates().get(0))
            .getSubjectX500Principal()
            .getName()
            .replace("CN=", "");
  }

  private RESTClient create(Kind kind) {
    assumeTrue(
        kind != Kind.PLUGIN || !OS.WINDOWS.isCurrentOs(),
        "the plugin is a script of a POSIX shell");
    return RESTClient.create(config(kind), clock, Timeouts.STANDARD);
  }

  private void restore() throws IOException {
    write("ca.crt", TestServer.AUTHORITY.certificatePem());
    write("token", "two");
    identity("two");
    plugin("two");
  }

  /** What was read last counts; but an expired answer of a program is worth nothing. */
  @ParameterizedTest
  @EnumSource
  void file_thatIsAwayForASecond_costsNothingThatIsStillValid(Kind kind) throws Exception {
    try (RESTClient client = create(kind)) {
      assertThat(call(client)).isEqualTo("one");
      Files.delete(directory.resolve(kind.file));
      clock.advance(LATER);

      for (int i = 0; i < 3; i++) {
        if (kind == Kind.PLUGIN) {
          assertThatThrownBy(() -> client.get().absPath("/x").execute())
              .isInstanceOf(ConfigException.class)
              .hasMessageContaining("there is no file");
        } else {
          assertThat(call(client)).isEqualTo("one");
        }
      }

      restore();
      clock.advance(LATER);
      assertThat(call(client)).isEqualTo("two");
    }
  }

  /**
   * What is needed to connect is read when the client is created, all else at the first request.
   */
  @ParameterizedTest
  @EnumSource
  void file_thatIsMissingAtFirst_isNamed_andReadWhenItComes(Kind kind) throws Exception {
    Files.delete(directory.resolve(kind.file));
    boolean atOnce = !List.of(Kind.TOKEN, Kind.PLUGIN).contains(kind);
    if (atOnce) {
      assertThatThrownBy(() -> create(kind).close())
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("there is no file")
          .hasMessageContaining(kind.file);
      restore();
    }
    try (RESTClient client = create(kind)) {
      if (!atOnce) {
        assertThatThrownBy(() -> client.get().absPath("/x").execute())
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining(kind.file);
        restore();
      }
      assertThat(call(client)).isEqualTo("two");
    }
  }
}
