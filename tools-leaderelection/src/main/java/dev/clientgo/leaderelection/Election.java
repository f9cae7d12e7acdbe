package dev.clientgo.leaderelection;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.coordination.v1.LeaseSpec;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import dev.clientgo.leaderelection.internal.Observation;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one candidate: what to do next, after what has happened.
 *
 * <p>It starts no threads, sends nothing and never waits; it returns the {@link Step} that its
 * caller must do, and reads the clock. So a test can put thousands of elections through pauses and
 * lost answers in a second. One thread drives it; any thread may read what it has observed.
 *
 * <p>Corresponds to {@code acquire}, {@code renew}, {@code release} and {@code tryAcquireOrRenew}
 * of client-go's {@code LeaderElector}.
 */
class Election {

  /** Receives the events of an election. */
  interface Listener {

    /** A term begins. */
    void startedLeading(LeadershipTerm term);

    /** The current term has ended. */
    void stoppedLeading(String reason);

    /** The holder has changed; empty if there is none now. */
    void newLeader(String identity);

    /** A leader reads the Lease before it renews it. */
    void slowPath();

    /** A request has failed. */
    void failed(LeaseRequest request, Answer answer);

    /** An attempt has ended without a failure: this leads, or waits for another holder. */
    void succeeded();
  }

  /** Chooses the next step after an attempt to acquire or renew the Lease. */
  private interface AfterAttempt {
    Step next(boolean succeeded);
  }

  private final ElectionSettings settings;
  private final RESTClient client;
  private final Clock clock;
  private final RandomGenerator random;
  private final Listener listener;

  private volatile Observation observed = Observation.NONE;
  private volatile @Nullable LeadershipTerm term;

  /** Whether the server has lost the Lease as last seen, which counts since that was noticed. */
  private boolean undone;

  private String reportedLeader = "";

  /**
   * Creates an election, in which nothing happens yet.
   *
   * @param client the client that the terms fence
   */
  Election(
      ElectionSettings settings,
      RESTClient client,
      Clock clock,
      RandomGenerator random,
      Listener listener) {
    this.settings = settings;
    this.client = client;
    this.clock = clock;
    this.random = random;
    this.listener = listener;
  }

  /** Returns the Lease as last seen. */
  Observation observed() {
    return observed;
  }

  /** Returns the current term; null if this process does not lead. */
  @Nullable LeadershipTerm term() {
    return term;
  }

  /** Returns whether the Lease as last seen is held by this candidate. */
  boolean isHolder() {
    return observed.holder().equals(settings.identity());
  }

  /** Begins to compete for the Lease. */
  Step start() {
    return acquire();
  }

  /** Continues after an error in a step: a term lasts until its deadline unless it is renewed. */
  Step resume() {
    return new Step.Pause(
        settings.timings().retryPeriod(), term == null ? this::acquire : this::renew);
  }

  /** Ends the term, if there is one, instead of the current step. */
  Step cancel() {
    return end("the elector was stopped");
  }

  private Step acquire() {
    return attempt(
        clock.nanoTime() + Long.MAX_VALUE / 2,
        succeeded -> {
          reportLeader();
          if (succeeded) {
            listener.startedLeading(requireNonNull(term));
            return renew();
          }
          long period = settings.timings().retryPeriod().toNanos();
          double jitter = random.nextDouble() * LeaseTimings.JITTER_FACTOR * period;
          return new Step.Pause(Duration.ofNanos(period + (long) jitter), this::acquire);
        });
  }

  private Step renew() {
    LeadershipTerm current = requireNonNull(term);
    long now = clock.nanoTime();
    long toFence = current.deadline() - now;
    return renewBefore(now + Math.min(settings.timings().renewDeadline().toNanos(), toFence));
  }

  private Step renewBefore(long deadline) {
    long began = clock.nanoTime();
    return attempt(
        deadline,
        succeeded -> {
          if (succeeded) {
            reportLeader();
            return new Step.Pause(settings.timings().retryPeriod(), this::renew);
          }
          long next = began + settings.timings().retryPeriod().toNanos();
          long now = clock.nanoTime();
          long wait = Math.max(0, Math.min(next - now, deadline - now));
          return new Step.Pause(
              Duration.ofNanos(wait),
              () ->
                  clock.nanoTime() - deadline >= 0
                      ? end("the lease was not renewed in time")
                      : renewBefore(deadline));
        });
  }

  /** Makes one attempt to acquire or renew the Lease. */
  private Step attempt(long deadline, AfterAttempt then) {
    long now = clock.nanoTime();
    Lease last = observed.lease();
    if (last != null && isHolder() && isValid(observed, now)) {
      return write(
          new LeaseRequest.Update(renewed(last)),
          deadline,
          succeeded -> succeeded ? then.next(true) : slowPath(now, deadline, then));
    }
    return slowPath(now, deadline, then);
  }

  private Step slowPath(long now, long deadline, AfterAttempt then) {
    LeaseRequest get = new LeaseRequest.Get(settings.lock().name());
    return call(
        get,
        deadline,
        answer -> {
          if (answer instanceof Answer.NotFound) {
            return write(new LeaseRequest.Create(created()), deadline, then);
          }
          if (!(answer instanceof Answer.Found found)) {
            listener.failed(get, answer);
            return then.next(false);
          }
          if (term == null && isUndone(found.lease())) {
            listener.succeeded();
            return then.next(false);
          }
          observe(found.lease());
          if (isHolder()) {
            listener.slowPath();
            return write(new LeaseRequest.Update(renewed(found.lease())), deadline, then);
          }
          if (term != null) {
            return endWithoutLease();
          }
          if (!observed.holder().isEmpty() && isValid(observed, now)) {
            listener.succeeded();
            return then.next(false);
          }
          return write(new LeaseRequest.Update(acquired(found.lease())), deadline, then);
        });
  }

  /**
   * Returns whether the server has lost that another holder acquired the Lease, as after a restore
   * of etcd. That holder may still act. Unlike client-go, which believes the server.
   */
  private boolean isUndone(Lease found) {
    long now = clock.nanoTime();
    if (observed.holder().isEmpty()
        || isHolder()
        || new Observation(found, now).transitions() >= observed.transitions()) {
      return false;
    }
    if (!undone) { // The server may have lost later renewals, too.
      undone = true;
      observed = new Observation(observed.lease(), now);
    }
    return isValid(observed, now);
  }

  /** Unlike client-go, which leads until the renew deadline. */
  private Step endWithoutLease() {
    reportLeader();
    return end(
        observed.holder().isEmpty()
            ? "the lease was taken away"
            : "the lease is held by \"" + observed.holder() + '"');
  }

  /** Writes the Lease, so that this candidate holds it. */
  private Step write(LeaseRequest request, long deadline, AfterAttempt then) {
    long sent = clock.nanoTime();
    return call(
        request,
        deadline,
        answer -> {
          if (!(answer instanceof Answer.Found written)) {
            listener.failed(request, answer);
            return then.next(false);
          }
          observe(written.lease());
          listener.succeeded();
          return then.next(isHolder() && hold(deadline(sent))); // A stale answer names another.
        });
  }

  /**
   * Returns when a term ends that was begun or renewed by a request. A test overrides this, to show
   * that its checks notice a wrong rule.
   *
   * @param sent the reading of the clock before the request was sent
   */
  long deadline(long sent) {
    return sent + settings.timings().termNanos();
  }

  /** Returns whether the Lease as last seen has not expired. A test overrides this too. */
  boolean isValid(Observation seen, long now) {
    return seen.isValid(now);
  }

  /** Begins a term, or makes it longer. Returns false if the deadline has passed already. */
  private boolean hold(long deadline) {
    LeadershipTerm current = term;
    if (current != null) {
      return current.renew(deadline);
    }
    if (clock.nanoTime() - deadline >= 0) {
      return false;
    }
    term = new LeadershipTerm(client, settings.lock(), settings.identity(), clock, deadline);
    return true;
  }

  /** Ends the term, if there is one, and gives the Lease back if that is wanted. */
  private Step end(String reason) {
    LeadershipTerm current = term;
    if (current == null) {
      return new Step.Stop();
    }
    current.end(reason);
    term = null;
    listener.stoppedLeading(reason);
    reportLeader();
    if (!settings.releaseOnCancel() || !isHolder()) {
      return new Step.Stop();
    }
    // Unlike client-go: the next leader must not begin while our work still runs.
    return new Step.AwaitWork(
        settings.timings().renewDeadline(),
        ended ->
            ended
                ? release(clock.nanoTime() + settings.timings().renewDeadline().toNanos())
                : new Step.Stop());
  }

  private Step release(long deadline) {
    LeaseRequest get = new LeaseRequest.Get(settings.lock().name());
    return call(
        get,
        deadline,
        answer -> {
          if (!(answer instanceof Answer.Found found)) {
            listener.failed(get, answer);
            return new Step.Stop();
          }
          observe(found.lease());
          // Unlike client-go, which looks at what it saw last, and may take the Lease from another.
          return isHolder() ? release(found.lease(), deadline) : new Step.Stop();
        });
  }

  private Step release(Lease held, long deadline) {
    LeaseRequest update = new LeaseRequest.Update(released(held));
    return call(
        update,
        deadline,
        answer -> {
          if (answer instanceof Answer.Found written) {
            observe(written.lease());
          } else if (answer instanceof Answer.Conflict) {
            return release(deadline); // A renewal in flight may have come first.
          } else {
            listener.failed(update, answer);
          }
          return new Step.Stop();
        });
  }

  private Step call(LeaseRequest request, long deadline, Function<Answer, Step> then) {
    long left =
        Math.min(deadline - clock.nanoTime(), settings.timings().requestTimeout().toNanos());
    return left <= 0
        ? then.apply(new Answer.Failed(new TimeoutException("no time is left")))
        : new Step.Call(request, Duration.ofNanos(left), then);
  }

  private void observe(Lease lease) {
    undone = false;
    observed = observed.next(lease, clock.nanoTime());
  }

  private void reportLeader() {
    String leader = observed.holder();
    if (!leader.equals(reportedLeader)) {
      reportedLeader = leader;
      listener.newLeader(leader);
    }
  }

  private Lease created() {
    LeaseLock lock = settings.lock();
    return held(Lease.of(lock.namespace(), lock.name(), lease -> {}), 0, null);
  }

  private Lease acquired(Lease seen) {
    return held(seen, Math.max(0, observed.transitions() + 1), null); // The server takes no -2³¹.
  }

  private Lease renewed(Lease seen) {
    return held(seen, observed.transitions(), observed.spec().acquireTime());
  }

  private Lease released(Lease seen) {
    MicroTime now = MicroTime.now(clock);
    return written(
        seen,
        spec -> spec.holderIdentity("").leaseDurationSeconds(1).acquireTime(now).renewTime(now));
  }

  private Lease held(Lease seen, int transitions, @Nullable MicroTime acquired) {
    MicroTime now = MicroTime.now(clock);
    return written(
        seen,
        spec ->
            spec.holderIdentity(settings.identity())
                .leaseDurationSeconds(settings.timings().leaseSeconds())
                .acquireTime(acquired == null ? now : acquired)
                .renewTime(now)
                .leaseTransitions(transitions));
  }

  /** Keeps the other fields of the Lease, such as the strategy of a coordinated election. */
  private Lease written(Lease seen, Consumer<LeaseSpec.Builder> spec) {
    return seen.with(
        lease -> lease.metadata(settings.lock().label(seen.metadata())).editSpec(spec));
  }
}
