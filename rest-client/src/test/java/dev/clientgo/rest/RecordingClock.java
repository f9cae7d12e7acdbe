package dev.clientgo.rest;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A clock on which sleeping takes no time, and is written down. */
final class RecordingClock implements Clock {

  private final FakeClock clock = FakeClock.create();
  private final List<Duration> sleeps = new CopyOnWriteArrayList<>();

  /** Returns how long was slept, each time. */
  List<Duration> sleeps() {
    return List.copyOf(sleeps);
  }

  void advance(Duration duration) {
    clock.advance(duration);
  }

  @Override
  public Instant now() {
    return clock.now();
  }

  @Override
  public long nanoTime() {
    return clock.nanoTime();
  }

  @Override
  public boolean await(Lock lock, Condition condition, Duration timeout)
      throws InterruptedException {
    sleep(timeout);
    return false;
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    sleeps.add(duration);
    clock.advance(duration);
  }
}
