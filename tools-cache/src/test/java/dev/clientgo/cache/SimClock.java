package dev.clientgo.cache;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The time of a test that runs everything in one thread: to sleep is to move the time forward. What
 * would wait for another thread fails.
 */
final class SimClock implements Clock {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final List<Duration> sleeps = new ArrayList<>();
  private Runnable afterMove = () -> {};
  private long nanos;

  /** Sets an action that follows each move of the time, such as running timers. */
  void afterMove(Runnable afterMove) {
    this.afterMove = afterMove;
  }

  void advance(Duration duration) {
    nanos += duration.toNanos();
    afterMove.run();
  }

  /** Returns how long was slept, each time. */
  List<Duration> sleeps() {
    return sleeps;
  }

  @Override
  public Instant now() {
    return START.plusNanos(nanos);
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public void sleep(Duration duration) {
    sleeps.add(duration);
    advance(duration);
  }

  @Override
  public boolean await(Lock lock, Condition condition, Duration timeout) {
    throw new IllegalStateException("there is no other thread to wait for");
  }
}
