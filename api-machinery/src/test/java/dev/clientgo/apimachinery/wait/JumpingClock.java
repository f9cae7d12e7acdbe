package dev.clientgo.apimachinery.wait;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A clock for one thread: {@code sleep} returns at once and advances the time. */
final class JumpingClock implements Clock {

  private final List<Duration> sleeps = new ArrayList<>();
  private long nanos = 1_000;

  /** Lets time pass, as work does that takes a while. */
  void pass(Duration duration) {
    nanos += duration.toNanos();
  }

  /** Returns how long each sleep was. */
  List<Duration> sleeps() {
    return sleeps;
  }

  @Override
  public Instant now() {
    return Instant.EPOCH.plusNanos(nanos);
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public boolean await(Lock lock, Condition condition, Duration timeout) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    sleeps.add(duration);
    pass(duration);
  }
}
