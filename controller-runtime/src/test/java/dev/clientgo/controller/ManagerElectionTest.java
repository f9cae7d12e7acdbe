package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeadershipLostException;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two managers and one lease. */
final class ManagerElectionTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final LeaseLock LOCK = LeaseLock.of("default", "operator");

  private EmbeddedApiServer server;
  private RESTClient client;

  @BeforeEach
  void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** Returns a manager whose term ends only if that is its clock's or its own doing. */
  private Manager manager(Clock clock) {
    return Manager.builder(client)
        .clock(clock)
        .gracefulShutdownTimeout(Duration.ofSeconds(3))
        .leaderElection(
            LOCK,
            options ->
                options
                    .leaseDuration(Duration.ofMinutes(6))
                    .renewDeadline(Duration.ofMinutes(5))
                    .retryPeriod(Duration.ofMillis(100)))
        .build();
  }

  private static ControllerBuilder controller(Reconciler reconciler) {
    return Controller.builder(reconciler).forKind(ConfigMap.TYPE);
  }

  private void create(String name) throws InterruptedException {
    client
        .resource(ConfigMap.TYPE)
        .create(ConfigMap.of("default", name, c -> c.data(Map.of("a", "1"))));
  }

  @Test
  void oneWorks_andTheOtherTakesOverWhenItEnds() throws Exception {
    RecordingReconciler first = new RecordingReconciler();
    RecordingReconciler second = new RecordingReconciler();
    RecordingReconciler everywhere = new RecordingReconciler();
    Manager leader = manager(Clock.system());
    try (Manager standby = manager(Clock.system())) {
      leader.add(controller(first).build());
      leader.start();
      assertThat(leader.awaitReady(LIMIT)).isTrue();
      assertThat(leader.isLeader()).isTrue();

      Controller waiting = controller(second).warmUp(true).build();
      standby.add(waiting);
      standby.add(controller(everywhere).named("everywhere").needsLeadership(false).build());
      standby.start();
      Eventually.await("standby", () -> waiting.state() == ControllerState.STANDBY);
      create("x");
      assertThat(first.next().request().name()).isEqualTo("x");
      assertThat(everywhere.next().request().name()).isEqualTo("x");
      assertThat(second.drain()).isEmpty();
      assertThat(standby.isLeader()).isFalse();

      leader.close();

      assertThat(second.next().request().name()).isEqualTo("x");
      assertThat(standby.awaitReady(LIMIT)).isTrue();
      assertThat(standby.isLeader()).isTrue();
    }
  }

  @Test
  void lostLease_endsReconcilesAtOnce_andTheirWritesAreRefused() throws Exception {
    AtomicReference<Context> context = new AtomicReference<>();
    CountDownLatch interrupted = new CountDownLatch(1);
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, given) -> {
              context.set(given);
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
              }
              return Result.done();
            });
    FakeClock clock = FakeClock.at(Clock.system().now());
    try (Manager manager = manager(clock)) {
      manager.add(controller(reconciler).build());
      create("x");
      manager.start();
      reconciler.next();

      server.faults().on(request -> request.resource().equals("leases")).always().answer(500);
      Eventually.await(
          "the end of the term",
          () -> {
            clock.advance(Duration.ofSeconds(10));
            return !manager.isLeader();
          });

      assertThatThrownBy(manager::awaitEnd)
          .isInstanceOf(LeadershipLostException.class)
          .hasMessageContaining("this work must end")
          .hasMessageContaining("default/operator");
      interrupted.await();
      assertThatThrownBy(
              () ->
                  context
                      .get()
                      .client()
                      .resource(ConfigMap.TYPE)
                      .create(ConfigMap.of("default", "late", c -> c.data(Map.of()))))
          .isInstanceOf(LeadershipLostException.class);
      assertThat(manager.isLeader()).isFalse();
    }
  }

  /** A reconcile that needs no leadership does not end; a later leader would lead nothing. */
  @Test
  void standby_thatIsClosedBesideAReconcileThatGoesOn_competesNoLonger() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Reconciler stubborn =
        (request, context) -> {
          begun.countDown();
          awaitUninterruptibly(mayEnd);
          return Result.done();
        };
    Manager leader = manager(Clock.system());
    Manager standby = manager(Clock.system());
    try (Manager next = manager(Clock.system())) {
      leader.start();
      Eventually.await("the leader", leader::isLeader);
      standby.add(controller(stubborn).needsLeadership(false).build());
      standby.start();
      create("x");
      begun.await();

      standby.close();
      leader.close();
      Clock.system().sleep(Duration.ofSeconds(1)); // Several retry periods of the standby.

      assertThat(standby.isLeader()).isFalse();
      next.start();
      Eventually.await("the next leader", next::isLeader);
    } finally {
      mayEnd.countDown();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // It does not listen.
      }
    }
  }
}
