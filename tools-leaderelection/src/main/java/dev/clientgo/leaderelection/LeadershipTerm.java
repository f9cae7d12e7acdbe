package dev.clientgo.leaderelection;

import dev.clientgo.clock.Clock;
import dev.clientgo.leaderelection.internal.Fence;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RequestGuard;
import java.time.Duration;

/**
 * The time during which this process leads, and the clients that can write only then.
 *
 * <pre>{@code
 * .onStartedLeading(term -> {
 *   ResourceClient<ConfigMap> maps = term.client().resource(ConfigMap.TYPE).inNamespace("shop");
 *   ...
 * })
 * }</pre>
 *
 * <p><b>Fencing.</b> A term has a deadline. Each renewal of the Lease moves it to 90 % of the lease
 * duration after the moment <em>before</em> the renewal was sent. Another candidate can take the
 * Lease only when the whole lease duration has passed after the renewal reached the server. So the
 * deadline comes first, as long as no clock runs more than 11 % faster than another; the time that
 * clocks show does not matter.
 *
 * <p>The clients of a term read the deadline before each attempt of a write (POST, PUT, PATCH,
 * DELETE), retries included, and refuse it with a {@link LeadershipLostException} when the deadline
 * has passed. They also cancel the writes that wait for a response at that time. Exec, attach,
 * port-forward and requests to a {@code proxy} are writes, whatever their method: open connections
 * are closed when the term ends. Other reads are never refused. The check needs no thread: a
 * process that was stopped for a minute cannot write when it resumes.
 *
 * <p>A write that was sent in time can take effect late, if the network or the server delays it. A
 * leader that must exclude this too writes with a {@code resourceVersion}, as {@code update} does.
 * The deadline is measured by the monotonic clock of the machine, which stands still while a whole
 * machine is suspended.
 *
 * <p>A term that has ended never begins again. Safe for use by many threads. Unlike client-go,
 * where leadership that ends only cancels a context.
 */
public final class LeadershipTerm {

  /** The work of a leader. */
  @FunctionalInterface
  public interface Work {

    /**
     * Does the work, in a separate thread, which is interrupted when the term ends. If this
     * returns, the process still leads. If it throws anything but an {@link InterruptedException},
     * the elector stops, and {@link LeaderElector#run} throws the error.
     *
     * @param term hands out the clients for the work
     */
    void run(LeadershipTerm term) throws InterruptedException;
  }

  private final LeaseLock lock;
  private final String identity;
  private final Fence fence;
  private final RESTClient fenced;

  LeadershipTerm(RESTClient client, LeaseLock lock, String identity, Clock clock, long deadline) {
    this.lock = lock;
    this.identity = identity;
    this.fence =
        new Fence(
            clock,
            deadline,
            (happened, since, reason, sent, cause) ->
                new LeadershipLostException(happened, lock, identity, since, reason, sent, cause));
    this.fenced = fence.fence(client);
  }

  /** Returns the lock that this process holds. */
  public LeaseLock lock() {
    return lock;
  }

  /** Returns the identity that this process uses as leader. */
  public String identity() {
    return identity;
  }

  /** Returns the client of the elector, fenced. Its {@code close()} does nothing. */
  public RESTClient client() {
    return fenced;
  }

  /**
   * Returns a client that can write only during this term. It shares everything else with the given
   * client, and works until that one is closed; its own {@code close()} does nothing.
   */
  public RESTClient fence(RESTClient client) {
    return fence.fence(client);
  }

  /** Returns what refuses writes after this term, for {@link RESTClient#guardedBy}. */
  public RequestGuard guard() {
    return fence.guard();
  }

  /** Returns whether this process no longer leads, so that writes are refused. */
  public boolean isOver() {
    return fence.isOver();
  }

  /** Returns the time until the deadline as the last renewal has set it; zero if it has passed. */
  public Duration left() {
    return fence.left();
  }

  /**
   * Returns if this process leads; for actions other than requests.
   *
   * @throws LeadershipLostException if the term has ended
   */
  public void check() {
    fence.check();
  }

  /**
   * Waits until the term ends.
   *
   * @throws InterruptedException if the thread is interrupted; the thread of the {@link Work} is
   *     when the term ends
   */
  public void awaitEnd() throws InterruptedException {
    fence.awaitEnd();
  }

  /** Returns the reading of the clock at which the term ends unless it is renewed. */
  long deadline() {
    return fence.deadline();
  }

  /** Moves the deadline, unless the term has ended. Returns whether the process still leads. */
  boolean renew(long newDeadline) {
    return fence.renew(newDeadline);
  }

  /** Ends the term and cancels the writes in flight. Does nothing the second time. */
  void end(String reason) {
    fence.end(reason);
  }

  @Override
  public String toString() {
    return '"' + identity + "\" leads by the lease " + lock;
  }
}
