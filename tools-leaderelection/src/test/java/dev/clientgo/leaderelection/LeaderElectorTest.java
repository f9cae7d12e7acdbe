package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Electors with threads, on a server that fails. */
@Timeout(300)
@SuppressWarnings("try") // Electors are closed in the middle, to see what happens.
final class LeaderElectorTest {

  private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
  private final BlockingQueue<LeadershipTerm> terms = new LinkedBlockingQueue<>();
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

  /** No test waits for the end of this lease, so a busy machine may take long to renew it. */
  private LeaderElector.Builder builder(String identity) {
    return LeaderElector.builder(client, LeaseLock.of("default", "cart"), identity)
        .leaseDuration(Duration.ofSeconds(30))
        .renewDeadline(Duration.ofSeconds(20))
        .retryPeriod(Duration.ofMillis(50))
        .onStartedLeading(terms::add)
        .onStoppedLeading(() -> log.add(identity + " stopped"));
  }

  private LeadershipTerm awaitTerm() throws InterruptedException {
    LeadershipTerm term = terms.poll(30, TimeUnit.SECONDS);
    assertThat(term).isNotNull();
    return term;
  }

  private String next() throws InterruptedException {
    return log.poll(30, TimeUnit.SECONDS);
  }

  private static boolean isRenewal(ApiRequest request) {
    return request.matches("update", "leases");
  }

  private ResourceClient<Lease> leases() {
    return client.resource(Lease.TYPE).inNamespace("default");
  }

  @Test
  void leader_whoseRequestHangs_sendsAnother() throws InterruptedException {
    try (LeaderElector elector = builder("a").renewDeadline(Duration.ofSeconds(4)).build()) {
      elector.start();
      LeadershipTerm term = awaitTerm();
      server.faults().on(LeaderElectorTest::isRenewal).ignore();
      int before = server.requests(LeaderElectorTest::isRenewal).size();

      server.awaitRequests(before + 5, LeaderElectorTest::isRenewal);

      assertThat(term.isOver()).isFalse();
    }
  }

  @Test
  void leader_whoseServerFails_stopsAndCanRunAgain() throws Exception {
    try (LeaderElector elector = builder("a").renewDeadline(Duration.ofMillis(300)).build()) {
      elector.start();
      LeadershipTerm term = awaitTerm();
      server.faults().on(request -> request.resource().equals("leases")).always().answer(500);
      assertThat(next()).isEqualTo("a stopped");
      assertThat(term.isOver()).isTrue();
      assertThat(elector.isLeader()).isFalse();
      assertThat(elector.term()).isEmpty();
    }
    server.faults().clear();
    try (LeaderElector elector = builder("a").build()) {
      Thread thread = new Thread(() -> runs(elector));
      thread.start();
      awaitTerm();
      elector.close();
      thread.join();
      assertThat(next()).isEqualTo("a stopped");
    }
  }

  private void runs(LeaderElector elector) {
    try {
      elector.run();
    } catch (InterruptedException e) {
      log.add("interrupted");
    }
  }

  @Test
  void run_afterALostTerm_beginsAnother() throws InterruptedException {
    try (LeaderElector elector = builder("a").build()) {
      Thread thread =
          new Thread(
              () -> {
                runs(elector);
                runs(elector);
              });
      thread.start();
      LeadershipTerm first = awaitTerm();
      leases().edit("cart", lease -> lease.with(l -> l.editSpec(s -> s.holderIdentity(""))));

      LeadershipTerm second = awaitTerm();

      assertThat(first.isOver()).isTrue();
      assertThat(second.isOver()).isFalse();
      assertThat(leases().get("cart").spec().leaseTransitions()).isEqualTo(1);
      elector.close();
      thread.join();
    }
  }

  @Test
  void leader_withARateLimitedClient_renewsAllTheSame() throws InterruptedException {
    try (RESTClient limited =
            RESTClient.builder(server.restConfig()).rateLimiter(() -> Duration.ofHours(1)).build();
        LeaderElector elector =
            LeaderElector.builder(limited, LeaseLock.of("default", "cart"), "a")
                .onStartedLeading(terms::add)
                .onStoppedLeading(() -> {})
                .build()) {
      elector.start();

      awaitTerm();
    }
  }

  @Test
  void close_ofACandidateThatNeverLed_runsOnStoppedLeading() throws InterruptedException {
    leases()
        .create(
            Lease.of(
                "default",
                "cart",
                l -> l.editSpec(s -> s.holderIdentity("other").leaseDurationSeconds(3600))));
    try (LeaderElector elector = builder("a").onNewLeader(log::add).build()) {
      elector.start();
      assertThat(next()).isEqualTo("other");

      elector.close();

      assertThat(next()).isEqualTo("a stopped");
      assertThat(terms).isEmpty();
      assertThatThrownBy(elector::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the elector is closed");
    }
  }

  @Test
  void run_whileItRuns_isAnError() throws InterruptedException {
    try (LeaderElector elector = builder("a").build()) {
      elector.start();
      awaitTerm();

      assertThatThrownBy(elector::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is running");
      assertThat(elector.isLeader()).isTrue();
    }
  }

  @Test
  void callbacks_mayCloseTheElector() throws InterruptedException {
    AtomicReference<LeaderElector> elector = new AtomicReference<>();
    elector.set(
        builder("a")
            .onStartedLeading(term -> elector.get().close())
            .onStoppedLeading(
                () -> {
                  elector.get().close();
                  log.add("stopped");
                })
            .build());
    runs(elector.get());

    assertThat(next()).isEqualTo("stopped");
  }

  @Test
  void callbacksAndMetrics_thatFail_doNotEndTheTerm() throws InterruptedException {
    LeaderElectionMetrics failing =
        new LeaderElectionMetrics() {
          @Override
          public void leading(String name, boolean leads) {
            log.add(name + ' ' + leads);
            throw new IllegalStateException("injected");
          }

          @Override
          public void slowPathExercised(String name) {
            log.add("slow path");
          }
        };
    try (LeaderElector elector =
        builder("a")
            .name("election")
            .metrics(failing)
            .onNewLeader(
                leader -> {
                  throw new IllegalStateException("injected");
                })
            .build()) {
      elector.start();
      awaitTerm();
      assertThat(next()).isEqualTo("election false");
      assertThat(next()).isEqualTo("election true");

      server.faults().on(LeaderElectorTest::isRenewal).answer(409);

      assertThat(next()).isEqualTo("slow path");
      assertThat(elector.isLeader()).isTrue();
    }
    assertThat(next()).isEqualTo("election false");
  }

  @Test
  void health_failsIfTheLeaseIsOld() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    Duration tolerance = Duration.ofSeconds(20);
    LeaderElector elector = builder("a").clock(clock).build();
    assertThat(elector.check(tolerance)).as("before the start").isEmpty();
    elector.start();
    awaitTerm();
    assertThat(elector.check(tolerance)).isEmpty();
    elector.close(); // As if it hung.

    clock.advance(Duration.ofSeconds(50));
    assertThat(elector.check(tolerance)).isEmpty();
    clock.advance(Duration.ofMillis(1));

    assertThat(elector.check(tolerance).orElseThrow())
        .contains("failed election to renew leadership on lease cart");
  }

  /** A cache follows the server while another process leads, and is there when this one does. */
  @Test
  void standby_hasWarmCaches() throws InterruptedException {
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
    maps.create(ConfigMap.of("default", "one", m -> m.data(Map.of())));
    CountDownLatch leads = new CountDownLatch(1);
    AtomicInteger seen = new AtomicInteger();
    LeaderElector leader = builder("a").releaseOnCancel(true).build();
    leader.start();
    awaitTerm();
    try (SharedIndexInformer<ConfigMap> informer =
        SharedIndexInformer.builder(ListWatch.of(maps::list, maps::watch)).build()) {
      informer.start();
      try (LeaderElector standby =
          builder("b")
              .onStartedLeading(
                  term -> {
                    seen.set(informer.lister(ConfigMap.TYPE).list().size());
                    leads.countDown();
                  })
              .build()) {
        standby.start();
        assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
        assertThat(standby.isLeader()).isFalse();

        leader.close();

        assertThat(leads.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(seen.get()).isEqualTo(1);
      }
    }
  }

  @Test
  void close_ofAThousandElectors_leavesNoThread() throws InterruptedException {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    ThreadFactory factory =
        task -> {
          Thread thread = new Thread(task, "test-election");
          thread.setDaemon(true);
          threads.add(thread);
          return thread;
        };
    for (int i = 0; i < 50; i++) {
      LeaderElector leader = builder("a").releaseOnCancel(true).threadFactory(factory).build();
      leader.start();
      awaitTerm();
      for (int j = 0; j < 19; j++) {
        LeaderElector standby = builder("b" + j).threadFactory(factory).build();
        standby.start();
        standby.close();
      }
      leader.close();
    }

    assertThat(threads).hasSizeGreaterThan(1000).noneMatch(Thread::isAlive);
  }
}
