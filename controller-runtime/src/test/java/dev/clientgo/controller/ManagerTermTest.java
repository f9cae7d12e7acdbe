package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeadershipLostException;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a manager does, and may not do, after its leadership. */
@Timeout(300)
final class ManagerTermTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final LeaseLock LOCK = LeaseLock.of("default", "operator");

  private final FakeClock clock = FakeClock.at(Clock.system().now());
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

  /** The tests move the clock, so no term ends because a machine is busy. */
  private ManagerBuilder builder(String identity) {
    return Manager.builder(client)
        .clock(clock)
        .leaderIdentity(identity)
        .leaderElection(
            LOCK,
            options ->
                options
                    .leaseDuration(Duration.ofMinutes(6))
                    .renewDeadline(Duration.ofMinutes(5))
                    .retryPeriod(Duration.ofSeconds(2)));
  }

  private static ControllerBuilder controller(Reconciler reconciler) {
    return Controller.builder(reconciler).forKind(ConfigMap.TYPE);
  }

  private void create(String name) throws InterruptedException {
    client
        .resource(ConfigMap.TYPE)
        .create(ConfigMap.of("default", name, c -> c.data(Map.of("a", "1"))));
  }

  private String holder() {
    try {
      Lease lease = client.resource(Lease.TYPE).inNamespace("default").get("operator");
      return String.valueOf(lease.spec().holderIdentity());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Fails the renewals of the leader until its term is over, and then no longer. */
  private void loseLease(Manager manager) throws InterruptedException {
    server.faults().on(request -> request.resource().equals("leases")).always().answer(500);
    Eventually.await(
        "the end of the term",
        () -> {
          clock.advance(Duration.ofSeconds(10));
          return !manager.isLeader();
        });
    server.faults().clear();
  }

  /** Waits for the lock, whatever interrupts it. */
  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean done = false;
    while (!done) {
      try {
        latch.await();
        done = true;
      } catch (InterruptedException e) {
        // It does not listen.
      }
    }
  }

  @Test
  void lostLease_isGivenBackOnlyWhenTheLastReconcileHasEnded() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Reconciler stubborn =
        (request, context) -> {
          begun.countDown();
          awaitUninterruptibly(mayEnd);
          return Result.done();
        };
    try (Manager manager = builder("a").build()) {
      manager.add(controller(stubborn).build());
      create("x");
      manager.start();
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

      loseLease(manager);

      assertThatThrownBy(manager::awaitEnd).isInstanceOf(LeadershipLostException.class);
      // The clock of the elector stands still, so it still waits for the work.
      assertThat(holder()).isEqualTo("a");
      assertThat(server.requests(r -> r.matches("update", "leases") && isRelease(r.bodyText())))
          .isEmpty();

      mayEnd.countDown();

      Eventually.await("the release", () -> holder().isEmpty());
    }
  }

  private static boolean isRelease(String lease) {
    return lease.contains("\"holderIdentity\":\"\"");
  }

  @Test
  void lostLease_interruptsTheReconcilesOfAllControllersAtOnce() throws Exception {
    int count = 5;
    CountDownLatch begun = new CountDownLatch(count);
    CountDownLatch interrupted = new CountDownLatch(count);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Reconciler stubborn =
        (request, context) -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            awaitUninterruptibly(mayEnd);
          }
          return Result.done();
        };
    try (Manager manager = builder("a").build()) {
      for (int i = 0; i < count; i++) {
        manager.add(controller(stubborn).named("c" + i).build());
      }
      create("x");
      manager.start();
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

      loseLease(manager);

      // Each gives its reconciles two seconds to end; one after the other, the last had to wait
      // eight.
      assertThat(interrupted.await(6, TimeUnit.SECONDS)).isTrue();
      mayEnd.countDown();
    }
  }

  /** As after SIGSTOP: the clock has jumped, and no thread of the elector has run yet. */
  @Test
  void reconcile_afterTheDeadline_doesNotBegin() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    Reconciler reconciler =
        (request, context) -> {
          calls.incrementAndGet();
          context.checkLeadership();
          begun.countDown();
          awaitUninterruptibly(mayEnd);
          try {
            context.checkLeadership();
          } catch (LeadershipLostException e) {
            refused.complete(e);
          }
          return Result.done();
        };
    try (Manager manager = builder("a").build()) {
      manager.add(controller(reconciler).build());
      create("x");
      create("y");
      manager.start();
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
      server.faults().on(request -> request.resource().equals("leases")).always().ignore();

      clock.advance(Duration.ofMinutes(7));
      mayEnd.countDown();

      assertThat(refused.get(30, TimeUnit.SECONDS)).hasMessageContaining("default/operator");
      assertThatThrownBy(manager::awaitEnd).isInstanceOf(LeadershipLostException.class);
    }
    assertThat(calls).hasValue(1);
  }

  @Test
  void client_ofTheManager_writesOnlyWhileItLeads() throws Exception {
    try (Manager leader = builder("a").build();
        Manager standby = builder("b").build()) {
      assertRefused(standby, IllegalStateException.class, "unfencedClient()");
      leader.start();
      assertThat(leader.awaitReady(LIMIT)).isTrue();
      Eventually.await("the leader", leader::isLeader);
      standby.start();
      Eventually.await("the work", () -> writes(leader));
      assertRefused(standby, IllegalStateException.class, "unfencedClient()");
      assertThat(standby.client().resource(ConfigMap.TYPE).list()).isNotEmpty();
      standby.unfencedClient().resource(ConfigMap.TYPE).create(map("by-standby"));

      loseLease(leader);

      assertRefused(leader, LeadershipLostException.class, "was not sent");
      leader.unfencedClient().resource(ConfigMap.TYPE).create(map("by-former-leader"));
    }
  }

  private static ConfigMap map(String name) {
    return ConfigMap.of("default", name, m -> {});
  }

  private static boolean writes(Manager manager) {
    try {
      manager.client().resource(ConfigMap.TYPE).create(map("by-leader"));
      return true;
    } catch (IllegalStateException e) {
      return false; // The term has begun, but not the work.
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertRefused(
      Manager manager, Class<? extends Exception> type, String message) {
    assertThatThrownBy(() -> manager.client().resource(ConfigMap.TYPE).create(map("refused")))
        .isInstanceOf(type)
        .hasMessageContaining(message);
    assertThatThrownBy(
            () -> manager.client().uncached().resource(ConfigMap.TYPE).create(map("refused")))
        .isInstanceOf(type);
  }

  @Test
  void close_byAReconcile_givesTheLeaseBackAfterIt() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompletableFuture<Manager> manager = new CompletableFuture<>();
    Manager built = builder("a").build();
    manager.complete(built);
    built.add(
        controller(
                (request, context) -> {
                  manager.get().close();
                  closed.countDown();
                  awaitUninterruptibly(mayEnd);
                  return Result.done();
                })
            .build());
    create("x");
    built.start();

    assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(holder()).isEqualTo("a");
    mayEnd.countDown();

    Eventually.await("the release", () -> holder().isEmpty());
  }

  @Test
  void readiness_withoutPermissionOnLeases_saysWhatToGrant() throws Exception {
    server.faults().on(request -> request.resource().equals("leases")).always().answer(403);
    try (Manager manager = builder("a").metricsBindAddress(new InetSocketAddress(0)).build()) {
      manager.start();
      Eventually.await(
          "the reason",
          () -> {
            clock.advance(Duration.ofSeconds(2));
            return page(manager, "/readyz").body().contains("[-]leader-election failed");
          });
      HttpResponse<String> ready = page(manager, "/readyz");
      assertThat(ready.statusCode()).isEqualTo(500);
      assertThat(ready.body())
          .contains("grant the verbs get, create and update on leases.coordination.k8s.io");
      assertThat(page(manager, "/metrics").body()).contains("leader_election_failures_total");

      server.faults().clear();

      Eventually.await(
          "readiness",
          () -> {
            clock.advance(Duration.ofSeconds(2));
            return page(manager, "/readyz").statusCode() == 200;
          });
    }
  }

  private static HttpResponse<String> page(Manager manager, String path) {
    int port = manager.metricsAddress().orElseThrow().getPort();
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
              BodyHandlers.ofString());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
