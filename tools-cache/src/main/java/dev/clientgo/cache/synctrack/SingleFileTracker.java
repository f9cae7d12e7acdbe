package dev.clientgo.cache.synctrack;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reports when a handler has processed the whole first list: the source has delivered all of it,
 * and the handler has returned from each delivery. It is for handlers that receive one event after
 * the other ("in single file").
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * tools/cache/synctrack.SingleFileTracker}.
 */
public final class SingleFileTracker implements DoneChecker {

  /*
   * The last finished() and sourceHasSynced() may run at the same time. Each writes its own part
   * before it reads the other's, so the later of them sees that both are done.
   */
  private final AtomicLong pending = new AtomicLong();
  private volatile boolean sourceHasSynced;
  private final DoneChecker.Signal synced;

  private SingleFileTracker(String name, Clock clock) {
    synced = DoneChecker.Signal.create(name, clock);
  }

  /** Returns a tracker with that name, which measures waits by the given clock. */
  public static SingleFileTracker create(String name, Clock clock) {
    return new SingleFileTracker(name, clock);
  }

  /** Records that an event of the first list is on its way to the handler. */
  public void start() {
    pending.incrementAndGet();
  }

  /**
   * Records that an event of the first list has been handled.
   *
   * @throws IllegalStateException if no such event was on its way; {@link #isDone} may then have
   *     been true too early
   */
  public void finished() {
    long left = pending.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException(
          "finished() without start(), so the tracker may be synced too early: " + name());
    }
    if (left == 0 && sourceHasSynced) {
      synced.done();
    }
  }

  /**
   * Records that the source has delivered the whole first list. Call it after {@link #start} for
   * the last event.
   */
  public void sourceHasSynced() {
    sourceHasSynced = true;
    if (pending.get() == 0) {
      synced.done();
    }
  }

  /** Ends all waits, now and later, because the handler receives no more events. */
  public void abandon() {
    synced.abandon();
  }

  @Override
  public String name() {
    return synced.name();
  }

  @Override
  public boolean isDone() {
    return synced.isDone();
  }

  @Override
  public boolean await(Duration timeout) throws InterruptedException {
    return synced.await(timeout);
  }
}
