package dev.clientgo.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.Bytes;
import dev.clientgo.controller.internal.http.CertificatePoller;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.CapturedLog;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the contract of certificates in a Secret against the embedded server, with faults. */
final class EmbeddedCertificateSecretTest extends CertificateSecretContract {

  private static EmbeddedApiServer server;

  @BeforeAll
  static void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    server.installCrds(AdmissionContract.DEFINITIONS);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void clearFaults() {
    server.faults().clear();
  }

  @Override
  ApiServer server() {
    return server;
  }

  private static boolean isOfSecrets(ApiRequest request) {
    return request.resource().equals("secrets");
  }

  private static Predicate<ApiRequest> verb(String verb, String resource) {
    return request -> request.matches(verb, resource);
  }

  /** Nothing told that no certificate could be issued any more. */
  @Test
  void refusedRequests_areAProblem_andTheCertificateIsServedToItsEnd() throws Exception {
    Replica replica = started();
    Bytes bundle = data().get("ca.crt");
    server.faults().on(EmbeddedCertificateSecretTest::isOfSecrets).always().answer(403);

    for (int i = 0; i < 7; i++) {
      replica.look();
    }
    assertThat(replica.server.certificateProblem().orElseThrow())
        .contains("could not be read or renewed for PT1M10S")
        .contains("injected");
    assertThat(replica.server.isRunning()).isTrue();
    assertThat(replica.metrics.text()).contains("certwatcher_read_certificate_errors_total 7\n");
    replica.served(bundle);

    replica.clock.advance(Duration.ofDays(80));
    assertThat(replica.server.certificateProblem().orElseThrow()).contains("runs out at");
    assertThat(replica.server.isRunning()).isTrue();
    replica.clock.advance(Duration.ofDays(10).minus(Duration.ofMinutes(5)));
    assertThat(replica.server.isRunning()).isFalse();

    server.faults().clear();
    replica.look();
    Bytes next = data().get("next.crt");
    for (int i = 0; i < 31; i++) {
      replica.look();
    }
    assertThat(data().get("tls.crt")).isEqualTo(next);
    assertThat(replica.server.certificateProblem()).isEmpty();
    assertThat(replica.server.isRunning()).isTrue();
  }

  @Test
  void refusedRequestsAtTheStart_areAProblemUntilTheyAreAllowed() throws Exception {
    server.faults().on(EmbeddedCertificateSecretTest::isOfSecrets).always().answer(403);
    Replica replica = started();
    assertThat(replica.server.isRunning()).isFalse();
    assertThat(replica.server.certificateProblem().orElseThrow()).contains("injected");

    server.faults().clear();
    replica.look();

    assertThat(replica.server.isRunning()).isTrue();
  }

  /** It got no certificate, though the Secret had one. */
  @ParameterizedTest
  @ValueSource(strings = {"get", "patch"})
  void bundleThatIsForbidden_keepsNoCertificateFromARestartedReplica(String verb) throws Exception {
    Replica first = started();
    Bytes authority = data().get("ca.crt");
    String served = first.served(authority);
    register(first, first);
    first.stop();
    server.faults().on(verb(verb, "validatingwebhookconfigurations")).always().answer(403);

    Replica second = started();

    assertThat(second.server.isRunning()).isTrue();
    assertThat(second.served(authority)).isEqualTo(served);
    try (CapturedLog log = CapturedLog.of(CertificatePoller.class)) {
      for (int i = 0; i < 7; i++) {
        second.look();
      }
      assertThat(log.texts(Level.WARNING)).isEmpty();
    }
    assertThat(second.server.certificateProblem().orElseThrow()).contains("injected");
    assertThat(second.metrics.text()).contains("certwatcher_read_certificate_errors_total 8\n");
    server.faults().clear();
    second.look();
    assertThat(registeredBundle()).isEqualTo(authority);
  }

  /** The thread that reads would have ended, and the certificate would have run out. */
  @Test
  void errorsOfLooks_areAProblem_andEndNoLoop() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    try (RESTClient faulty =
        RESTClient.builder(server.restConfig())
            .addInterceptor(
                (request, next) -> {
                  if (fails.get()) {
                    throw new OutOfMemoryError("injected");
                  }
                  return next.send(request);
                })
            .build()) {
      Replica replica = start(builder().certificateSecret(faulty, secretName, name, "127.0.0.1"));
      replica.awaitLook();
      assertThat(replica.server.certificateProblem().orElseThrow())
          .contains("no certificate yet")
          .contains("injected");

      fails.set(false);
      replica.look();
      assertThat(replica.server.isRunning()).isTrue();
      assertThat(replica.server.certificateProblem()).isEmpty();

      fails.set(true);
      for (int i = 0; i < 7; i++) {
        replica.look();
      }
      assertThat(replica.server.certificateProblem().orElseThrow())
          .contains("could not be read or renewed for PT1M10S")
          .contains("injected");
      assertThat(replica.metrics.text()).contains("certwatcher_read_certificate_errors_total 8\n");

      fails.set(false);
      replica.look();
      assertThat(replica.server.certificateProblem()).isEmpty();
      replica.stop();
    }
  }

  /** The loop ended without a word, and the certificate would have run out. */
  @Test
  void interruptThatSomethingLeavesBehind_endsNoLoop() throws Exception {
    AtomicBoolean interrupts = new AtomicBoolean();
    try (RESTClient interrupting =
        RESTClient.builder(server.restConfig())
            .addInterceptor(
                (request, next) -> {
                  var answer = next.send(request);
                  if (interrupts.compareAndSet(true, false)) {
                    Thread.currentThread().interrupt();
                  }
                  return answer;
                })
            .build()) {
      Replica replica =
          start(builder().certificateSecret(interrupting, secretName, name, "127.0.0.1"));
      replica.awaitLook();
      interrupts.set(true);
      replica.look();
      secrets.delete(secretName.name());

      replica.look();

      assertThat(secrets.find(secretName.name())).isPresent();
      replica.stop();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"create secrets", "update secrets", "patch validatingwebhookconfigurations"})
  void lostAnswers_doNoHarm(String lost) throws Exception {
    String[] words = lost.split(" ", 2);
    server.faults().on(verb(words[0], words[1])).cutAfter(0);
    Replica replica = started();
    register(replica, replica);
    for (int i = 0; i < 3; i++) {
      replica.look();
    }
    assertThat(replica.server.isRunning()).isTrue();
    Bytes first = data().get("tls.crt");

    replica.clock.advance(Duration.ofDays(61));
    for (int i = 0; i < 35; i++) {
      replica.look();
      replica.served(registeredBundle());
    }

    assertThat(data().get("tls.crt")).isNotEqualTo(first);
    assertThat(data()).doesNotContainKey("next.key");
    assertThat(replica.metrics.text())
        .as("the fault came")
        .contains("certwatcher_read_certificate_errors_total 1\n");
  }

  /** A server that does not answer was no problem, because no look ended. */
  @Test
  void serverThatNeverAnswers_isAProblem_andTheServerCloses() throws Exception {
    Replica replica = started();
    replica.awaitLook();
    server.faults().on(EmbeddedCertificateSecretTest::isOfSecrets).always().ignore();
    server.clearRequests();
    replica.clock.advance(INTERVAL);
    server.awaitRequests(1, EmbeddedCertificateSecretTest::isOfSecrets);

    replica.clock.advance(Duration.ofMinutes(1));
    assertThat(replica.server.certificateProblem().orElseThrow()).contains("could not be read");
    replica.stop();

    server.clearRequests();
    server.faults().clear();
    replica.clock.advance(Duration.ofMinutes(1));
    assertThat(server.requests(EmbeddedCertificateSecretTest::isOfSecrets)).isEmpty();
  }

  /** A replica that slept wrote an older bundle over a newer one. */
  @ParameterizedTest
  @ValueSource(strings = {"get", "patch"})
  void slowReplica_writesNoOlderBundle(String slowVerb) throws Exception {
    Replica slow = started();
    Replica quick = started();
    register(slow, quick);
    if (slowVerb.equals("get")) {
      quick.look();
    }
    slow.awaitLook();
    Predicate<ApiRequest> delayed = verb(slowVerb, "validatingwebhookconfigurations");
    server.faults().on(delayed).delay(Duration.ofHours(1));
    server.clearRequests();
    slow.clock.advance(INTERVAL);
    server.awaitRequests(1, delayed);

    quick.look();
    quick.clock.advance(Duration.ofDays(61));
    quick.look();
    Bytes newer = registeredBundle();
    assertThat(newer).isEqualTo(data().get("ca.crt"));
    server.clearRequests();
    server.faults().clear();
    slow.awaitLook();

    assertThat(registeredBundle()).isEqualTo(newer);
  }

  @Test
  void restoredSecret_isServed() throws Exception {
    Replica replica = started();
    register(replica, replica);
    replica.look();
    Map<String, Bytes> before = data();
    replica.clock.advance(Duration.ofDays(61));
    for (int i = 0; i < 35; i++) {
      replica.look();
    }
    assertThat(data()).isNotEqualTo(before);

    secrets.edit(secretName.name(), s -> s.with(e -> e.data(before)));
    replica.look();

    replica.served(registeredBundle());
    assertThat(replica.server.certificateProblem()).isEmpty();
  }
}
