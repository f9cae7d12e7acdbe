package dev.clientgo.examples.liveview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.liveview.Scene;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The scenes wait for their reader. */
@Timeout(120)
final class ScenesTest {

  private final FakeClock clock = FakeClock.create();

  /**
   * The reader looks at the stopped server for 45 s. The Reflector has failed many times then, and
   * yet it connects soon after the server is back, far within the 30 s that a step waits.
   */
  @Test
  void unseenDelete_readerTakes45Seconds_theReflectorStillRetriesSoon() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig());
        PodPipeline pods =
            new PodPipeline(
                Cluster.of(server),
                client,
                null,
                PodPipeline.READING.toBuilder().clock(clock).build());
        LiveView view = LiveView.start()) {
      pods.show(view);
      server.stop();
      for (int second = 0; second < 45; second++) {
        clock.awaitWaiterWithin(Duration.ofMinutes(2));
        clock.advance(Duration.ofSeconds(1));
      }

      clock.awaitWaiterWithin(Duration.ofSeconds(3));
      server.faults().expireResourceVersions();
      server.restart();
      AtomicBoolean done = new AtomicBoolean();
      Thread seconds =
          new Thread(() -> passSeconds(done), "seconds"); // An attempt may be under way.
      seconds.start();
      pods.create("default", "late", null);
      pods.await(() -> pods.informer().indexer().getByKey("default/late").isPresent());
      done.set(true);
      seconds.join(10_000);
      assertThat(pods.informers()).hasSize(1);
    }
  }

  /** The steps check the order themselves: one stops, and only then the other one begins. */
  @Test
  void twoReplicas_playedTwice_theSecondTakesOverAfterTheFirstHasStopped() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig());
        PodPipeline pods = new PodPipeline(Cluster.of(server), client, null);
        LiveView view = LiveView.start()) {
      pods.show(view);
      for (int i = 0; i < 2; i++) {
        for (Scene.Step step : new ReplicasScene(pods).scene().steps()) {
          step.body().run();
        }
      }

      assertThat(
              server.objects(Lease.TYPE.resource()).get("default", "pod-controller").orElseThrow())
          .satisfies(
              lease ->
                  assertThat(lease.nestedString("spec", "holderIdentity")).contains("replica-b"));
      pods.begin(false);
      assertThat(pods.informers()).hasSize(1);
    }
  }

  private void passSeconds(AtomicBoolean done) {
    try {
      while (!done.get()) {
        clock.awaitWaiterWithin(Duration.ofMinutes(2));
        clock.advance(Duration.ofSeconds(1));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
