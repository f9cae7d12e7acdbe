package dev.clientgo.envtest.controllers.internal.pods;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * Wakes controllers at moments of the clock.
 *
 * <p>A delay would be relative to a time that a test with a fake clock can change meanwhile: it
 * sees a write of a reconciler, and moves the clock before the delay begins. A moment stays the
 * same; if it has come in the meantime, the alarm rings at once.
 *
 * <p>Safe for use by many threads.
 */
public final class Alarm implements AutoCloseable {

  private static final Duration IDLE = Duration.ofDays(3650);
  private static final Duration END_TIMEOUT = Duration.ofSeconds(10);

  private record Sleeper(String controller, Request request) {}

  private record Entry(Instant moment, Sleeper sleeper) {}

  private final Clock clock;
  private final BiConsumer<String, Request> ring;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;
  private final Thread thread;

  @GuardedBy("lock")
  private final Map<Sleeper, Entry> entries = new HashMap<>();

  @GuardedBy("lock")
  private final TreeSet<Entry> byMoment =
      new TreeSet<>(
          Comparator.comparing(Entry::moment)
              .thenComparing(entry -> entry.sleeper().controller())
              .thenComparing(entry -> entry.sleeper().request().namespace())
              .thenComparing(entry -> entry.sleeper().request().name()));

  /**
   * Creates and starts an alarm.
   *
   * @param clock measures the time
   * @param ring called with the name of a controller and a request when a moment has come
   */
  public static Alarm start(Clock clock, BiConsumer<String, Request> ring) {
    Alarm alarm = new Alarm(clock, ring);
    alarm.thread.start();
    return alarm;
  }

  private Alarm(Clock clock, BiConsumer<String, Request> ring) {
    this.clock = clock;
    this.ring = ring;
    this.changed = clock.newCondition(lock);
    this.thread = new Thread(this::run, "embedded-controllers-alarm");
    thread.setDaemon(true);
  }

  /** Returns the clock. */
  public Clock clock() {
    return clock;
  }

  /** Sets when to wake a controller for a request; replaces what was set before. */
  public void set(String controller, Request request, Optional<Instant> moment) {
    Sleeper sleeper = new Sleeper(controller, request);
    lock.lock();
    try {
      Entry old = entries.remove(sleeper);
      if (old != null) {
        byMoment.remove(old);
      }
      if (moment.isPresent()) {
        Entry entry = new Entry(moment.get(), sleeper);
        entries.put(sleeper, entry);
        byMoment.add(entry);
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (true) {
        Sleeper due = awaitDue();
        ring.accept(due.controller(), due.request()); // Outside the lock.
      }
    } catch (InterruptedException e) {
      // The alarm is closed.
    }
  }

  private Sleeper awaitDue() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        Duration left = IDLE;
        if (!byMoment.isEmpty()) {
          Entry first = byMoment.first();
          left = Duration.between(clock.now(), first.moment());
          if (left.isZero() || left.isNegative()) {
            byMoment.remove(first);
            entries.remove(first.sleeper());
            return first.sleeper();
          }
        }
        clock.await(lock, changed, left.compareTo(IDLE) < 0 ? left : IDLE);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread. Does nothing the second time. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      clock.join(List.of(thread), END_TIMEOUT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The caller is in a hurry.
    }
  }
}
