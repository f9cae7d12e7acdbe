package dev.clientgo.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.coordination.v1.LeaseSpec;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import dev.clientgo.leaderelection.internal.Observation;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rules of {@link Election}, step by step, with the cases of upstream's leaderelection_test.go.
 */
final class ElectionTest {

  private static final RESTClient CLIENT =
      RESTClient.create(RestConfig.builder("http://127.0.0.1:1").build());
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(2);

  @AfterAll
  static void close() {
    CLIENT.close();
  }

  private final FakeClock clock = FakeClock.create();

  /** An election of "baz", the step that it is at, and what its listener has heard. */
  private final class Candidate implements Election.Listener {
    final Election election;
    final List<String> leaders = new ArrayList<>();
    final List<LeadershipTerm> terms = new ArrayList<>();
    final List<String> ends = new ArrayList<>();
    int slowPaths;
    Step step = new Step.Stop();

    Candidate(boolean release) {
      election =
          new Election(
              new ElectionSettings(
                  LeaseLock.of("foo", "bar").withLabels(Map.of("team", "cart")),
                  "baz",
                  new LeaseTimings(LEASE, RENEW_DEADLINE, RETRY),
                  release),
              CLIENT,
              clock,
              new Random(1),
              this);
    }

    Candidate start() {
      step = election.start();
      return this;
    }

    /** Answers the current request, which must be of a type. */
    <R extends LeaseRequest> R answer(Class<R> type, Answer answer) {
      assertThat(step).isInstanceOf(Step.Call.class);
      Step.Call call = (Step.Call) step;
      assertThat(call.request()).isInstanceOf(type);
      step = call.then().apply(answer);
      return type.cast(call.request());
    }

    Candidate get(@Nullable Lease lease) {
      answer(LeaseRequest.Get.class, lease == null ? new Answer.NotFound() : found(lease));
      return this;
    }

    /** Lets the current write succeed, and returns what the server stores. */
    Lease write() {
      LeaseRequest request = ((Step.Call) step).request();
      Lease lease =
          request instanceof LeaseRequest.Create create
              ? create.lease()
              : ((LeaseRequest.Update) request).lease();
      answer(request.getClass(), found(lease));
      return lease;
    }

    /** Fails the current request. */
    Candidate fail() {
      Step.Call call = (Step.Call) step;
      step = call.then().apply(new Answer.Failed(new IllegalStateException("injected")));
      return this;
    }

    Candidate conflict() {
      answer(LeaseRequest.Update.class, new Answer.Conflict());
      return this;
    }

    Duration pause() {
      assertThat(step).isInstanceOf(Step.Pause.class);
      return ((Step.Pause) step).duration();
    }

    /** Passes the time of the current pause. */
    Candidate pass() {
      Step.Pause pause = (Step.Pause) step;
      clock.advance(pause.duration());
      step = pause.then().get();
      return this;
    }

    Candidate cancel() {
      step = election.cancel();
      return this;
    }

    boolean hasStopped() {
      return step instanceof Step.Stop;
    }

    @Override
    public void startedLeading(LeadershipTerm term) {
      terms.add(term);
    }

    @Override
    public void stoppedLeading(String reason) {
      ends.add(reason);
    }

    @Override
    public void newLeader(String identity) {
      leaders.add(identity);
    }

    @Override
    public void slowPath() {
      slowPaths++;
    }

    @Override
    public void succeeded() {}

    @Override
    public void failed(LeaseRequest request, Answer answer) {}
  }

  private static Answer found(Lease lease) {
    return new Answer.Found(lease);
  }

  private Candidate candidate() {
    return new Candidate(/* release= */ false).start();
  }

  /** A candidate that has created the Lease and leads, and is about to renew. */
  private Candidate leader(boolean release) {
    Candidate leader = new Candidate(release).start().get(null);
    leader.write();
    return leader;
  }

  private static Lease lease(Consumer<LeaseSpec.Builder> spec) {
    return Lease.of("foo", "bar", lease -> lease.editSpec(spec));
  }

  private static Lease held(String holder, int seconds) {
    return lease(spec -> spec.holderIdentity(holder).leaseDurationSeconds(seconds));
  }

  static Stream<Arguments> acquired() {
    return Stream.of(
        argumentSet("no object", null, 0),
        argumentSet("an object without a spec", Lease.of("foo", "bar", lease -> {}), 1),
        argumentSet("an unled object", lease(spec -> spec.leaseTransitions(6)), 7),
        argumentSet("the last transition", lease(s -> s.leaseTransitions(Integer.MAX_VALUE)), 0),
        argumentSet("led, without a duration", lease(spec -> spec.holderIdentity("bing")), 1),
        argumentSet("led, for less than no time", held("bing", -5), 1),
        argumentSet("led by nobody", held("", 1000), 1),
        argumentSet("led by itself", held("baz", 1000), 0));
  }

  @ParameterizedTest
  @MethodSource
  void acquired(@Nullable Lease seen, int transitions) {
    Candidate candidate = candidate().get(seen);

    Lease written = candidate.write();

    MicroTime now = MicroTime.now(clock);
    assertThat(written.spec())
        .isEqualTo(
            LeaseSpec.builder()
                .holderIdentity("baz")
                .leaseDurationSeconds(15)
                .acquireTime(now)
                .renewTime(now)
                .leaseTransitions(transitions)
                .build());
    assertThat(written.metadata().labels()).isEqualTo(Map.of("team", "cart"));
    assertThat(candidate.terms).hasSize(1);
    assertThat(candidate.leaders).containsExactly("baz");
  }

  /** A coordinated election or another program has set them. */
  @Test
  void otherFieldsOfTheLease_areKept() {
    Consumer<LeaseSpec.Builder> others =
        spec -> spec.strategy("OldestEmulationVersion").preferredHolder("bing");
    Candidate leader = new Candidate(/* release= */ true).start().get(lease(others));
    LeaseSpec acquired = leader.write().spec();
    LeaseSpec renewed = leader.write().spec();
    Lease released =
        releasing(leader).get(lease(others.andThen(s -> s.holderIdentity("baz")))).write();

    assertThat(List.of(acquired, renewed, released.spec()))
        .allSatisfy(
            spec -> {
              assertThat(spec.strategy()).isEqualTo("OldestEmulationVersion");
              assertThat(spec.preferredHolder()).isEqualTo("bing");
            });
  }

  /** As one of a cache between this process and the server. */
  @Test
  void acquire_whoseAnswerIsStale_beginsNoTerm() {
    Candidate candidate = candidate().get(held("", 1));

    candidate.answer(LeaseRequest.Update.class, found(held("bing", 15)));

    assertThat(candidate.terms).isEmpty();
    candidate.pass().get(held("baz", 15));
    candidate.write();
    assertThat(candidate.terms).hasSize(1);
  }

  /** After a restore of etcd, the Lease names its holder before the one that was seen. */
  @Test
  void acquire_ofALeaseThatWasRestored_waitsForTheHolderThatWasSeen() {
    Lease seen = lease(s -> s.holderIdentity("bing").leaseDurationSeconds(15).leaseTransitions(3));
    Lease restored =
        lease(s -> s.holderIdentity("baz").leaseDurationSeconds(15).leaseTransitions(2));
    Candidate candidate = candidate().get(seen);

    candidate.pass().get(restored);
    assertThat(candidate.pause()).isGreaterThanOrEqualTo(RETRY);
    assertThat(candidate.election.observed().holder()).isEqualTo("bing");
    clock.advance(LEASE);
    candidate.pass().get(restored).write();

    assertThat(candidate.terms).hasSize(1);
  }

  /** The holder may have renewed the Lease just before the restore, unseen by this candidate. */
  @Test
  void acquire_ofALeaseThatWasRestored_waitsForTheLeaseDurationSinceThatWasNoticed() {
    Lease seen = lease(s -> s.holderIdentity("bing").leaseDurationSeconds(15).leaseTransitions(3));
    Lease restored =
        lease(s -> s.holderIdentity("baz").leaseDurationSeconds(15).leaseTransitions(2));
    Candidate candidate = candidate().get(seen);

    clock.advance(LEASE);
    candidate.pass().get(restored);
    clock.advance(LEASE.minusSeconds(5));
    candidate.pass().get(restored);
    assertThat(candidate.pause()).isGreaterThanOrEqualTo(RETRY);
    clock.advance(LEASE);
    candidate.pass().get(restored).write();

    assertThat(candidate.terms).hasSize(1);
  }

  @Test
  void acquire_ofALeaseThatIsHeld_waitsUntilItHasNotChangedForItsOwnDuration() {
    Candidate candidate = candidate();
    for (int seconds = 0; seconds < 3; seconds++) {
      candidate.get(held("bing", 3));
      assertThat(candidate.pause())
          .isGreaterThanOrEqualTo(RETRY)
          .isLessThan(RETRY.multipliedBy(22).dividedBy(10));
      assertThat(candidate.leaders).containsExactly("bing");
      clock.advance(Duration.ofSeconds(1));
      candidate.step = candidate.election.start();
    }

    candidate.get(held("bing", 3));
    candidate.write();

    assertThat(candidate.terms).hasSize(1);
    assertThat(candidate.leaders).containsExactly("bing", "baz");
  }

  @Test
  void acquire_ofALeaseThatIsHeldForDecades_waits() {
    Candidate candidate = candidate().get(held("bing", Integer.MAX_VALUE));
    clock.advance(Duration.ofDays(10_000));

    candidate.pass().get(held("bing", Integer.MAX_VALUE));

    assertThat(candidate.pause()).isGreaterThanOrEqualTo(RETRY);
  }

  @Test
  void acquire_readsNoTimesOfTheHolder() {
    MicroTime past = MicroTime.of(Instant.EPOCH);
    MicroTime future = MicroTime.of(Instant.parse("2100-01-01T00:00:00Z"));
    Consumer<LeaseSpec.Builder> held = spec -> spec.holderIdentity("bing").leaseDurationSeconds(10);
    Lease old = lease(held.andThen(spec -> spec.renewTime(past).acquireTime(past)));
    Lease young = lease(held.andThen(spec -> spec.renewTime(future).acquireTime(future)));
    Candidate candidate = candidate();

    candidate.get(old);
    assertThat(candidate.step)
        .as("a time in the past does not expire")
        .isInstanceOf(Step.Pause.class);

    clock.advance(Duration.ofSeconds(9));
    candidate.start().get(young);
    clock.advance(Duration.ofSeconds(9));
    candidate.start().get(young);
    assertThat(candidate.step).as("the change was 9 s ago").isInstanceOf(Step.Pause.class);

    clock.advance(Duration.ofSeconds(1));
    candidate.start().get(young);
    candidate.write();
    assertThat(candidate.terms).as("a time in the future expires").hasSize(1);
  }

  @Test
  void acquire_afterAChangeOfLabels_doesNotWaitLonger() {
    Candidate candidate = candidate().get(held("bing", 10));
    clock.advance(Duration.ofSeconds(10));

    candidate
        .start()
        .get(held("bing", 10).with(l -> l.editMetadata(m -> m.labels(Map.of("a", "b")))));
    Lease written = candidate.write();

    assertThat(written.metadata().labels()).isEqualTo(Map.of("a", "b", "team", "cart"));
  }

  @Test
  void acquire_thatFails_triesAgain() {
    Candidate candidate = candidate().fail();
    candidate.pass().get(null).fail();
    candidate.pass().get(held("", 1)).conflict();
    candidate.pass().get(held("", 1));
    candidate.write();

    assertThat(candidate.terms).hasSize(1);
  }

  @Test
  void renew_writesWithoutReading() {
    Candidate leader = leader(false);
    MicroTime acquired = MicroTime.now(clock);
    leader.write();
    leader.pass();

    LeaseSpec renewed = leader.write().spec();

    assertThat(renewed.acquireTime()).isEqualTo(acquired);
    assertThat(renewed.renewTime()).isEqualTo(MicroTime.now(clock));
    assertThat(renewed.leaseTransitions()).isZero();
    assertThat(leader.pause()).isEqualTo(RETRY);
    assertThat(leader.slowPaths).isZero();
    assertThat(leader.terms).hasSize(1);
  }

  @Test
  void renew_whoseWriteFails_readsAndWrites() {
    Candidate leader = leader(false).conflict();

    leader.get(lease(s -> s.holderIdentity("baz").leaseDurationSeconds(15).leaseTransitions(4)));
    Lease written = leader.write();

    assertThat(written.spec().leaseTransitions()).isEqualTo(4);
    assertThat(leader.slowPaths).isEqualTo(1);
    assertThat(leader.pause()).isEqualTo(RETRY);
  }

  @Test
  void renew_ofALeaseThatWasDeleted_createsIt() {
    Candidate leader = leader(false).fail().get(null);
    assertThat(leader.write().spec().holderIdentity()).isEqualTo("baz");
    assertThat(leader.ends).isEmpty();
  }

  @Test
  void renew_thatFailsForTheRenewDeadline_endsTheTerm() {
    Candidate leader = leader(false);
    LeadershipTerm term = leader.terms.get(0);
    long start = clock.nanoTime();
    int tries = 0;
    while (!leader.hasStopped()) {
      if (leader.step instanceof Step.Call) {
        leader.fail().fail();
        tries++;
      } else {
        leader.pass();
      }
    }

    assertThat(clock.nanoTime() - start).isEqualTo(RENEW_DEADLINE.toNanos());
    assertThat(tries).isEqualTo(5);
    assertThat(term.isOver()).isTrue();
    assertThat(leader.ends).containsExactly("the lease was not renewed in time");
  }

  @Test
  void renew_hasTimeForTwoRequests() {
    Candidate leader = leader(false);
    assertThat(((Step.Call) leader.step).timeout()).hasSeconds(5);
    clock.advance(Duration.ofSeconds(5));
    leader.fail();
    assertThat(((Step.Call) leader.step).timeout()).hasSeconds(5);
    clock.advance(Duration.ofSeconds(4));
    leader.fail();
    assertThat(leader.pause()).isEqualTo(Duration.ZERO); // A period has passed long since.
    leader.pass();
    assertThat(((Step.Call) leader.step).timeout()).hasSeconds(1);
  }

  @Test
  void term_endsNinetyPercentOfTheLeaseAfterTheRequest() {
    Candidate candidate = candidate().get(null);
    clock.advance(Duration.ofSeconds(4)); // The answer takes that long.
    candidate.write();
    LeadershipTerm term = candidate.terms.get(0);

    assertThat(term.left()).isEqualTo(Duration.ofMillis(13_500 - 4_000));
    clock.advance(Duration.ofMillis(9_499));
    assertThat(term.isOver()).isFalse();
    clock.advance(Duration.ofMillis(1));
    assertThat(term.isOver()).isTrue();
  }

  @Test
  void term_thatIsOver_doesNotBeginAgain() {
    Candidate leader = leader(false);
    LeadershipTerm term = leader.terms.get(0);
    clock.advance(Duration.ofSeconds(14)); // As a process that was paused.

    leader.write();
    leader.pass();

    assertThat(leader.hasStopped()).isTrue();
    assertThat(term.isOver()).isTrue();
    assertThat(term.left()).isZero();
  }

  @Test
  void acquire_whoseAnswerComesTooLate_beginsNoTerm() {
    Candidate candidate = candidate().get(null);
    clock.advance(Duration.ofSeconds(14));
    candidate.write();

    assertThat(candidate.terms).isEmpty();
    candidate.pass();
    candidate.write();
    assertThat(candidate.terms).hasSize(1);
  }

  @Test
  void leader_thatSeesAnotherHolder_stopsAtOnce() {
    Candidate leader = leader(true).conflict().get(held("bing", 15));

    assertThat(leader.hasStopped()).isTrue();
    assertThat(leader.ends).containsExactly("the lease is held by \"bing\"");
    assertThat(leader.leaders).containsExactly("baz", "bing");
    assertThat(leader.terms.get(0).isOver()).isTrue();
  }

  @Test
  void leader_whoseLeaseWasTakenAway_stopsAtOnce() {
    Candidate leader = leader(true).conflict().get(held("", 15));

    assertThat(leader.hasStopped()).isTrue();
    assertThat(leader.ends).containsExactly("the lease was taken away");
  }

  @Test
  void cancel_beforeLeading_stops() {
    Candidate candidate = new Candidate(/* release= */ true).start().cancel();

    assertThat(candidate.hasStopped()).isTrue();
    assertThat(candidate.ends).isEmpty();
  }

  @Test
  void cancel_withoutRelease_stops() {
    Candidate leader = leader(false).cancel();

    assertThat(leader.hasStopped()).isTrue();
    assertThat(leader.terms.get(0).isOver()).isTrue();
  }

  /** The work of a leader ends, so that the Lease can be given back. */
  private static Candidate releasing(Candidate leader) {
    leader.cancel();
    assertThat(leader.terms.get(0).isOver()).as("before the lease is given back").isTrue();
    leader.step = ((Step.AwaitWork) leader.step).then().apply(true);
    return leader;
  }

  @Test
  void release_writesAnEmptyHolder() {
    Candidate leader = releasing(leader(true));
    leader.get(lease(s -> s.holderIdentity("baz").leaseDurationSeconds(15).leaseTransitions(4)));

    Lease released = leader.write();

    MicroTime now = MicroTime.now(clock);
    assertThat(released.spec())
        .isEqualTo(
            LeaseSpec.builder()
                .holderIdentity("")
                .leaseDurationSeconds(1)
                .acquireTime(now)
                .renewTime(now)
                .leaseTransitions(4)
                .build());
    assertThat(leader.hasStopped()).isTrue();
    assertThat(leader.election.isHolder()).isFalse();
  }

  @Test
  void release_afterAConflict_triesAgain() {
    Candidate leader = releasing(leader(true)).get(held("baz", 15)).conflict().get(held("baz", 15));

    assertThat(leader.write().spec().holderIdentity()).isEmpty();
  }

  @Test
  void release_endsAfterTheRenewDeadline() {
    Candidate leader = releasing(leader(true));
    for (int i = 0; i < 3; i++) {
      clock.advance(Duration.ofSeconds(3));
      leader.get(held("baz", 15)).conflict();
    }
    assertThat(((Step.Call) leader.step).timeout()).hasSeconds(1);
    clock.advance(Duration.ofSeconds(1));

    leader.get(held("baz", 15));

    assertThat(leader.hasStopped()).isTrue();
  }

  static Stream<Arguments> notReleased() {
    return Stream.of(
        argumentSet("no object", new Answer.NotFound()),
        argumentSet("held by another", found(held("bing", 15))),
        argumentSet("an error", new Answer.Failed(new IllegalStateException("injected"))));
  }

  @ParameterizedTest
  @MethodSource
  void notReleased(Answer answer) {
    Candidate leader = releasing(leader(true));

    leader.answer(LeaseRequest.Get.class, answer);

    assertThat(leader.hasStopped()).isTrue();
  }

  @Test
  void release_whileTheWorkGoesOn_isLeftOut() {
    Candidate leader = leader(true).cancel();
    Step.AwaitWork work = (Step.AwaitWork) leader.step;
    assertThat(work.timeout()).isEqualTo(RENEW_DEADLINE);

    assertThat(work.then().apply(false)).isInstanceOf(Step.Stop.class);
  }

  @Test
  void observation_withoutALease_isHeldByNobody() {
    assertThat(Observation.NONE.holder()).isEmpty();
    assertThat(Observation.NONE.isValid(0)).isFalse();
  }
}
