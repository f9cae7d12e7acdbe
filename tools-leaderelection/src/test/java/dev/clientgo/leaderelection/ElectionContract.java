package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What electors do with a server. */
@Timeout(300)
abstract class ElectionContract {

  abstract RESTClient client();

  /** A candidate that records what happens to it. */
  private final class Candidate implements AutoCloseable {

    final BlockingQueue<LeadershipTerm> terms = new LinkedBlockingQueue<>();
    final BlockingQueue<String> leaders = new LinkedBlockingQueue<>();
    final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    final CountDownLatch interrupted = new CountDownLatch(1);
    final CountDownLatch stopped = new CountDownLatch(1);
    final LeaderElector elector;

    Candidate(LeaseLock lock, String identity, boolean release) {
      this(lock, identity, release, Duration.ofSeconds(15));
    }

    Candidate(LeaseLock lock, String identity, boolean release, Duration leaseDuration) {
      elector =
          LeaderElector.builder(client(), lock, identity)
              .leaseDuration(leaseDuration)
              .renewDeadline(leaseDuration.multipliedBy(3).dividedBy(4))
              .retryPeriod(Duration.ofMillis(100))
              .releaseOnCancel(release)
              .events((lease, message) -> events.add("LeaderElection: " + message))
              .onStartedLeading(this::lead)
              .onStoppedLeading(stopped::countDown)
              .onNewLeader(leaders::add)
              .build();
      elector.start();
    }

    LeadershipTerm awaitTerm() throws InterruptedException {
      LeadershipTerm term = terms.poll(30, TimeUnit.SECONDS);
      assertThat(term).isNotNull();
      return term;
    }

    private void lead(LeadershipTerm term) throws InterruptedException {
      terms.add(term);
      try {
        new CountDownLatch(1).await();
      } finally {
        interrupted.countDown();
      }
    }

    @Override
    public void close() {
      elector.close();
    }
  }

  private ResourceClient<Lease> leases() {
    return client().resource(Lease.TYPE).inNamespace("default");
  }

  @Test
  void run_aloneOnAServer_createsTheLeaseAndLeads() throws InterruptedException {
    LeaseLock lock = LeaseLock.of("default", "alone").withLabels(Map.of("team", "cart"));
    try (Candidate candidate = new Candidate(lock, "a", false)) {
      LeadershipTerm term = candidate.awaitTerm();

      Lease lease = leases().get("alone");
      assertThat(lease.spec().holderIdentity()).isEqualTo("a");
      assertThat(lease.spec().leaseDurationSeconds()).isEqualTo(15);
      assertThat(lease.spec().leaseTransitions()).isZero();
      assertThat(lease.metadata().labels()).isEqualTo(Map.of("team", "cart"));
      assertThat(candidate.leaders.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
      assertThat(candidate.elector.isLeader()).isTrue();
      assertThat(candidate.elector.leader()).isEqualTo("a");
      assertThat(term.isOver()).isFalse();
      term.check();
    }
  }

  @Test
  void close_ofALeader_endsTheTermAndKeepsTheLease() throws InterruptedException {
    Candidate candidate = new Candidate(LeaseLock.of("default", "closing"), "a", false);
    LeadershipTerm term = candidate.awaitTerm();

    candidate.close();

    assertThat(candidate.stopped.getCount()).isZero();
    assertThat(candidate.interrupted.getCount()).isZero();
    assertThat(candidate.elector.isLeader()).isFalse();
    assertThat(term.isOver()).isTrue();
    assertThatThrownBy(term::check)
        .isInstanceOf(LeadershipLostException.class)
        .hasMessageContaining("\"a\" has not led by the lease default/closing since ")
        .hasMessageContaining("the elector was stopped");
    assertThat(leases().get("closing").spec().holderIdentity()).isEqualTo("a");
    assertThat(candidate.events)
        .containsExactly("LeaderElection: a became leader", "LeaderElection: a stopped leading");
  }

  @Test
  void close_withRelease_letsTheNextLeadAtOnce() throws InterruptedException {
    LeaseLock lock = LeaseLock.of("default", "released");
    Candidate first = new Candidate(lock, "a", true);
    first.awaitTerm();
    try (Candidate second = new Candidate(lock, "b", true)) {
      assertThat(second.leaders.poll(30, TimeUnit.SECONDS)).isEqualTo("a");

      first.close();
      second.awaitTerm();

      assertThat(leases().get("released").spec().leaseTransitions()).isEqualTo(1);
    }
    Lease lease = leases().get("released");
    assertThat(lease.spec().holderIdentity()).isEmpty();
    assertThat(lease.spec().leaseDurationSeconds()).isEqualTo(1);
  }

  @Test
  void close_withoutRelease_letsTheNextLeadAfterTheLease() throws InterruptedException {
    LeaseLock lock = LeaseLock.of("default", "expiring");
    Candidate first = new Candidate(lock, "a", false, Duration.ofSeconds(2));
    first.awaitTerm();
    try (Candidate second = new Candidate(lock, "b", false)) {
      first.close();

      second.awaitTerm();

      // Another thread reports the leaders, which may be later than the term begins.
      assertThat(second.leaders.poll(30, TimeUnit.SECONDS)).isEqualTo("a");
      assertThat(second.leaders.poll(30, TimeUnit.SECONDS)).isEqualTo("b");
    }
  }

  @Test
  void leader_thatSeesAnotherHolder_stopsAtOnce() throws InterruptedException {
    try (Candidate candidate = new Candidate(LeaseLock.of("default", "taken"), "a", true)) {
      LeadershipTerm term = candidate.awaitTerm();

      leases().edit("taken", lease -> lease.with(l -> l.editSpec(s -> s.holderIdentity("b"))));

      assertThat(candidate.stopped.await(30, TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(term::check).hasMessageContaining("held by \"b\"");
      assertThat(leases().get("taken").spec().holderIdentity()).isEqualTo("b");
    }
  }

  @Test
  void termClient_afterTheTerm_readsButDoesNotWrite() throws InterruptedException {
    Candidate candidate = new Candidate(LeaseLock.of("default", "fenced"), "a", false);
    LeadershipTerm term = candidate.awaitTerm();
    ResourceClient<ConfigMap> maps = term.client().resource(ConfigMap.TYPE).inNamespace("default");
    ConfigMap map = maps.create(ConfigMap.of("default", "fenced", m -> m.data(Map.of("a", "b"))));

    candidate.close();

    assertThat(maps.get("fenced")).isEqualTo(map);
    List.<Call>of(
            () -> maps.create(map),
            () -> maps.update(map),
            () -> maps.edit("fenced", m -> m.with(b -> b.data(Map.of()))),
            () -> maps.delete("fenced"),
            () -> term.fence(client()).resource(ConfigMap.TYPE).inNamespace("default").update(map))
        .forEach(
            call ->
                assertThatThrownBy(call::run)
                    .isInstanceOf(LeadershipLostException.class)
                    .isInstanceOf(KubernetesException.class)
                    .hasMessageContaining(" was not sent: \"a\" has not led")
                    .hasMessageContaining("default/fenced"));
    assertThat(client().resource(ConfigMap.TYPE).inNamespace("default").get("fenced"))
        .isEqualTo(map);
  }

  private interface Call {
    void run() throws InterruptedException;
  }

  @Test
  void run_whoseWorkFails_stopsAndThrows() throws InterruptedException {
    AtomicReference<String> order = new AtomicReference<>("");
    try (LeaderElector elector =
        LeaderElector.builder(client(), LeaseLock.of("default", "failing"), "a")
            .releaseOnCancel(true)
            .onStartedLeading(
                term -> {
                  throw new IllegalArgumentException("no such file");
                })
            .onStoppedLeading(() -> order.accumulateAndGet("stopped", String::concat))
            .build()) {

      assertThatThrownBy(elector::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no such file");
      assertThat(order.get()).isEqualTo("stopped");
      assertThat(leases().get("failing").spec().holderIdentity()).isEmpty();
    }
  }

  @Test
  void run_interrupted_endsTheTermAndThrows() throws InterruptedException {
    CountDownLatch leading = new CountDownLatch(1);
    CountDownLatch thrown = new CountDownLatch(1);
    try (LeaderElector elector =
        LeaderElector.builder(client(), LeaseLock.of("default", "interrupted"), "a")
            .onStartedLeading(term -> leading.countDown())
            .onStoppedLeading(() -> {})
            .build()) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  elector.run();
                } catch (InterruptedException e) {
                  thrown.countDown();
                }
              });
      thread.start();
      assertThat(leading.await(30, TimeUnit.SECONDS)).isTrue();

      thread.interrupt();

      assertThat(thrown.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(elector.isLeader()).isFalse();
      thread.join();
    }
  }
}
