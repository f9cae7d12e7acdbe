package dev.clientgo.controller.webhook;

import static dev.clientgo.controller.webhook.WebhookCaller.review;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.controller.internal.http.CertificatePoller;
import dev.clientgo.controller.metrics.PrometheusMetrics;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.certificates.CertificateAuthority;
import dev.clientgo.testing.CapturedLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of webhook servers, and how they change. */
@Timeout(300)
final class ServingCertificateTest {

  /**
   * With a timeout so long that the server's wait for it is none for the next look at the files.
   */
  private static final String PATH = "/validate--v1-configmap?timeout=10m";

  private static final Duration INTERVAL = Duration.ofSeconds(10);

  /** In the days in which the certificates are valid. */
  private final FakeClock clock = FakeClock.at(Clock.system().now());

  private final PrometheusMetrics metrics = PrometheusMetrics.create();
  private WebhookServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close(Duration.ZERO);
    }
  }

  private void start(Path directory) {
    server =
        WebhookServer.builder()
            .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .certificates(directory)
            .clock(clock)
            .add(Webhook.validating(ConfigMap.TYPE, (map, request) -> AdmissionResponse.allow()))
            .build();
    server.start(metrics);
  }

  /** Lets the server look at the files once. */
  private void look() throws InterruptedException {
    clock.awaitWaiterWithin(INTERVAL);
    clock.advance(INTERVAL);
    clock.awaitWaiterWithin(INTERVAL);
  }

  private String served(ServingCertificate... trusted) throws Exception {
    StringBuilder bundle = new StringBuilder();
    for (ServingCertificate each : trusted) {
      bundle.append(each.caBundle());
    }
    WebhookCaller caller = new WebhookCaller(server, bundle.toString());
    return CertificateAuthority.pem(
        "CERTIFICATE", caller.post(PATH, review(Map.of())).certificate().getEncoded());
  }

  @Test
  void newCertificate_isUsedForNewConnections_andOldConnectionsStay(@TempDir Path directory)
      throws Exception {
    ServingCertificate first = ServingCertificate.selfSigned();
    ServingCertificate second = ServingCertificate.selfSigned();
    first.writeTo(directory);
    start(directory);
    WebhookCaller connected = new WebhookCaller(server, first.caBundle());
    assertThat(connected.post(PATH, review(Map.of())).code()).isEqualTo(200);

    second.writeTo(directory);
    assertThat(served(first, second)).isEqualTo(first.certificate());
    look();

    assertThat(served(first, second)).isEqualTo(second.certificate());
    assertThat(connected.post(PATH, review(Map.of())).code()).as("trusts the first").isEqualTo(200);
  }

  /** A new certificate that is in use was taken for one that is not valid. */
  @Test
  void newCertificate_isUsed_whateverTheLoggerThrows(@TempDir Path directory) throws Exception {
    ServingCertificate.selfSigned().writeTo(directory);
    start(directory);
    ServingCertificate second = ServingCertificate.selfSigned();
    Logger logger = Logger.getLogger(CertificatePoller.class.getName());
    logger.setFilter(
        record -> {
          throw new NoClassDefFoundError("a broken logger");
        });
    try {
      Files.writeString(directory.resolve("tls.crt"), "no certificate");
      look();
      second.writeTo(directory);
      look();
    } finally {
      logger.setFilter(null);
    }

    assertThat(served(second)).isEqualTo(second.certificate());
    assertThat(metrics.text()).contains("certwatcher_read_certificate_errors_total 1\n");
  }

  @Test
  void invalidPair_isToldOnce_andTheOldOneStays(@TempDir Path directory) throws Exception {
    ServingCertificate first = ServingCertificate.selfSigned();
    ServingCertificate second = ServingCertificate.selfSigned();
    first.writeTo(directory);
    start(directory);
    try (CapturedLog log = CapturedLog.of(CertificatePoller.class)) {
      Files.writeString(directory.resolve("tls.crt"), second.certificate());
      look();
      look();
      assertThat(served(first)).isEqualTo(first.certificate());
      assertThat(log.records(Level.WARNING)).hasSize(1);
      assertThat(log.contains("does not belong to the server certificate " + directory)).isTrue();

      Files.writeString(directory.resolve("tls.crt"), "no certificate");
      look();
      Files.delete(directory.resolve("tls.crt"));
      look();
      assertThat(served(first)).isEqualTo(first.certificate());
      assertThat(log.records(Level.WARNING)).hasSize(3);

      second.writeTo(directory);
      look();
      assertThat(served(second)).isEqualTo(second.certificate());
    }
    assertThat(metrics.text())
        .contains("certwatcher_read_certificate_total 6\n")
        .contains("certwatcher_read_certificate_errors_total 4\n");
  }

  @Test
  void missingFile_isNamedAtTheStart(@TempDir Path directory) throws IOException {
    assertThatThrownBy(() -> start(directory))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("there is no file " + directory.resolve("tls.crt"));
    assertThat(server.isRunning()).isFalse();
  }

  @Test
  void client_needsACertificateOfTheAuthority(@TempDir Path directory) throws Exception {
    ServingCertificate certificate = ServingCertificate.selfSigned();
    CertificateAuthority clients = CertificateAuthority.create(Clock.system(), "clients");
    Path authority = Files.writeString(directory.resolve("clients.crt"), clients.certificatePem());
    server =
        WebhookServer.builder()
            .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .certificate(certificate)
            .clientAuthority(authority)
            .add(Webhook.validating(ConfigMap.TYPE, (map, request) -> AdmissionResponse.allow()))
            .build();
    server.start();
    CertificateAuthority.Identity known = clients.issueClient("apiserver", List.of());
    CertificateAuthority.Identity unknown =
        CertificateAuthority.create(Clock.system(), "other").issueClient("apiserver", List.of());

    assertThat(caller(certificate, known).post(PATH, review(Map.of())).code()).isEqualTo(200);
    assertThatThrownBy(() -> caller(certificate, unknown).post(PATH, review(Map.of())))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(
            () -> new WebhookCaller(server, certificate.caBundle()).post(PATH, review(Map.of())))
        .isInstanceOf(IOException.class);
  }

  private WebhookCaller caller(
      ServingCertificate certificate, CertificateAuthority.Identity identity) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    Certificate[] chain = {identity.certificate()};
    store.setKeyEntry("own", identity.keys().getPrivate(), new char[0], chain);
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(store, new char[0]);
    return new WebhookCaller(server, certificate.caBundle(), managers.getKeyManagers());
  }

  @Test
  void text_doesNotShowTheKey() {
    ServingCertificate certificate = ServingCertificate.selfSigned("webhooks.shop.svc", "10.0.0.1");

    assertThat(certificate.toString()).doesNotContain("PRIVATE");
  }
}
