package dev.clientgo.cache;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells when a handler has seen the whole first list: when the source says that it has delivered
 * all of it, and everything that was delivered has been handled. For handlers that are given one
 * event after the other ("in single file").
 *
 * <p>Safe for use by many threads. Corresponds to client-go's {@code
 * tools/cache/synctrack.SingleFileTracker}.
 */
final class SingleFileTracker implements DoneChecker {

  /*
   * Whichever of the last finished() and sourceHasSynced() comes last finds the other done: each
   * writes its own part first and looks at the other's part then.
   */
  private final AtomicLong pending = new AtomicLong();
  private volatile boolean sourceHasSynced;
  private final DoneSignal synced;

  SingleFileTracker(String name, Clock clock) {
    synced = new DoneSignal(name, clock);
  }

  /** Takes note that an event of the first list is on its way to the handler. */
  void start() {
    pending.incrementAndGet();
  }

  /**
   * Takes note that an event of the first list has been handled.
   *
   * @throws IllegalStateException if it was never on its way: then {@link #isDone} may have been
   *     wrong
   */
  void finished() {
    long left = pending.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException(
          "finished() without start() in the tracker of "
              + name()
              + ": it is wrong about being"
              + " synced");
    }
    if (left == 0 && sourceHasSynced) {
      synced.done();
    }
  }

  /**
   * Takes note that the source has delivered the whole first list. To be called after {@link
   * #start} for the last event of it.
   */
  void sourceHasSynced() {
    sourceHasSynced = true;
    if (pending.get() == 0) {
      synced.done();
    }
  }

  /** Takes note that nothing more will be handled. */
  void abandon() {
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
