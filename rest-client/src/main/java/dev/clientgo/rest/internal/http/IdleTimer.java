package dev.clientgo.rest.internal.http;

import dev.clientgo.clock.CrashLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okio.AsyncTimeout;

/**
 * Ends a read of a body for which the server has sent nothing for too long.
 *
 * <p>OkHttp's own timeout of an HTTP/2 stream starts and ends with each read, and wakes a thread
 * each time: 3.5 % of the processor time of an informer's first sync. This one looks at the reads a
 * few times in each period, so it ends a silent read after the timeout or up to a quarter later.
 *
 * <p>One thread reads, any thread may stop the timer.
 */
final class IdleTimer {

  private static final Logger LOG = System.getLogger(IdleTimer.class.getName());

  /** How often the timer looks in one period. */
  private static final int LOOKS = 4;

  private final long pauseNanos;
  private final Runnable action;

  /** The number of beginnings and ends of reads: odd during a read. */
  private volatile long reads;

  private volatile boolean expired;
  private volatile boolean stopped;
  private volatile Look next;

  private IdleTimer(Duration timeout, Runnable action) {
    this.pauseNanos = Math.max(1, TimeUnit.NANOSECONDS.convert(timeout) / LOOKS);
    this.action = action;
    this.next = new Look(0, 0);
  }

  /**
   * Starts a timer.
   *
   * @param action ends the read
   */
  static IdleTimer start(Duration timeout, Runnable action) {
    IdleTimer timer = new IdleTimer(timeout, action);
    timer.next.enter();
    return timer;
  }

  /** Records that a read begins or ends. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread reads
  void readBeginsOrEnds() {
    reads++;
  }

  /** Returns whether the timer has ended a read. */
  boolean hasExpired() {
    return expired;
  }

  /** Ends the timer. */
  void stop() {
    stopped = true;
    next.exit();
  }

  /** An error would end Okio's thread, and with it all timeouts of the process. */
  private void end() {
    try {
      action.run();
    } catch (Throwable e) {
      CrashLog.log(LOG, Level.WARNING, "A silent connection could not be ended", e);
    }
  }

  private void lookAgain(Look look) {
    next = look;
    look.enter();
    if (stopped) {
      look.exit();
    }
  }

  /** One look, by the thread that Okio has for all timeouts of the process. */
  private final class Look extends AsyncTimeout {

    private final long before;
    private final int silent;

    /**
     * Creates a look after a pause.
     *
     * @param before the number of reads at the last look
     * @param silent how many looks have found the same read
     */
    Look(long before, int silent) {
      this.before = before;
      this.silent = silent;
      timeout(pauseNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    protected void timedOut() {
      long now = reads;
      boolean reading = now % 2 == 1;
      if (reading && now == before && silent + 1 > LOOKS) {
        expired = true;
        end();
      } else {
        lookAgain(new Look(now, reading ? (now == before ? silent + 1 : 1) : 0));
      }
    }
  }
}
