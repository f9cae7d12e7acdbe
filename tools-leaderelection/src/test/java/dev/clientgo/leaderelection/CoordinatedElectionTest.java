package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Coordinated election on a kube-apiserver with the feature gate. */
@Timeout(300)
final class CoordinatedElectionTest {

  private static final GroupVersionResource CANDIDATES =
      new GroupVersionResource("coordination.k8s.io", "v1beta1", "leasecandidates");

  private static KubeApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server =
        KubeApiServer.builder()
            .flag("--feature-gates=CoordinatedLeaderElection=true")
            .flag("--runtime-config=coordination.k8s.io/v1beta1=true")
            .start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      client.close();
      server.close();
    }
  }

  /** Upstream: TestLeaseCandidateCreation, TestLeaseCandidateAck. */
  @Test
  void candidate_isCreatedChosenAndAnswersAPing() throws Exception {
    LeaseLock lock = LeaseLock.of("default", "coordinated");
    CountDownLatch leads = new CountDownLatch(1);
    ResourceClient<Unstructured> candidates = client.dynamic(CANDIDATES).inNamespace("default");
    try (LeaseCandidate candidate =
            LeaseCandidate.of(client, lock, "a", "1.30.0", "1.30.0", "OldestEmulationVersion");
        LeaderElector elector =
            LeaderElector.builder(client, lock, "a")
                .coordinated(true)
                .leaseDuration(Duration.ofSeconds(5))
                .renewDeadline(Duration.ofSeconds(4))
                .retryPeriod(Duration.ofMillis(200))
                .onStartedLeading(term -> leads.countDown())
                .onStoppedLeading(() -> {})
                .build()) {
      candidate.start();
      elector.start();

      assertThat(leads.await(60, TimeUnit.SECONDS)).isTrue();
      Lease lease = client.resource(Lease.TYPE).inNamespace("default").get("coordinated");
      assertThat(lease.spec().holderIdentity()).isEqualTo("a");
      assertThat(lease.spec().strategy()).isEqualTo("OldestEmulationVersion");
      Unstructured object = candidates.get("a");
      assertThat(object.nestedString("spec", "leaseName")).contains("coordinated");
      assertThat(object.nestedString("spec", "binaryVersion")).contains("1.30.0");

      MicroTime ping = MicroTime.now(Clock.system());
      candidates.edit("a", c -> c.with(ping.toString(), "spec", "pingTime"));

      candidates.await(
          "a",
          found ->
              found
                  .flatMap(c -> c.nestedString("spec", "renewTime"))
                  .filter(renewed -> !MicroTime.parse(renewed).isBefore(ping))
                  .isPresent(),
          Duration.ofSeconds(60));
    }
  }
}
