package dev.clientgo.leaderelection;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/**
 * A world in one thread: events at true times, clocks that show other times, and a seed that
 * decides all that is random.
 */
public abstract class SimulatedWorld {

  /** How bad the world is. */
  public enum Weather {
    /** Nothing fails, and messages take milliseconds. */
    CALM,
    /** Everything fails at times. */
    STORM
  }

  public static final long MILLIS = TimeUnit.MILLISECONDS.toNanos(1);
  public static final long SECONDS = TimeUnit.SECONDS.toNanos(1);

  /** How much a clock may be too fast or too slow; so one runs up to 10.6 % faster than another. */
  private static final double DRIFT = 0.05;

  public final Random random;
  public Weather weather;
  public long now;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<String> trace = new ArrayList<>();
  private boolean tracing;
  private long count;

  private record Event(long at, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  protected SimulatedWorld(long seed, Weather weather) {
    this.random = new Random(seed);
    this.weather = weather;
  }

  /** Keeps a text of all that happens, for {@link #text}. */
  public void trace() {
    tracing = true;
  }

  /** Checks the world after each event. */
  protected abstract void check();

  /** Lets the next event happen, if it comes by that time; returns whether there was one. */
  protected boolean next(long end) {
    if (events.isEmpty() || events.peek().at > end) {
      return false;
    }
    Event event = events.remove();
    now = event.at;
    event.action.run();
    check();
    return true;
  }

  /** Runs for that many seconds of true time. */
  public void run(int seconds) {
    runUntil(now + seconds * SECONDS);
  }

  protected void runUntil(long end) {
    boolean more = true;
    while (more) {
      more = next(end);
    }
    now = end;
    check();
  }

  public void after(long delay, Runnable action) {
    events.add(new Event(now + Math.max(0, delay), count++, action));
  }

  public long between(long low, long high) {
    return low + (long) (random.nextDouble() * (high - low));
  }

  public boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /**
   * Returns whether a message is lost.
   *
   * @param cutOffUntil until when its sender or receiver has no network
   */
  public boolean isLost(long cutOffUntil) {
    return now < cutOffUntil || (weather == Weather.STORM && chance(0.05));
  }

  /** Returns how long a message takes: in a storm, some take up to two lease durations. */
  public long latency(Duration leaseDuration) {
    return weather == Weather.STORM && chance(0.1)
        ? between(0, 2 * leaseDuration.toNanos())
        : between(MILLIS, 50 * MILLIS);
  }

  public void tell(Supplier<String> what) {
    if (tracing) {
      trace.add(String.format("%9.3f s %s", now / 1e9, what.get()));
    }
  }

  public String text() {
    return tracing ? "\n" + String.join("\n", trace) : "";
  }

  /** The clock of a process: it shows a wrong time, and runs too fast or too slow. */
  public final class DriftingClock implements Clock {
    public final double rate = 1 + DRIFT * (2 * random.nextDouble() - 1);
    private final long offset = random.nextLong() >> 2;
    private long wallOffset = between(-3_600 * SECONDS, 3_600 * SECONDS);

    /** Shows another time of day from now on. */
    public void jump() {
      wallOffset = between(-3_600 * SECONDS, 3_600 * SECONDS);
    }

    @Override
    public Instant now() {
      return Instant.EPOCH.plusNanos(3_600 * SECONDS + wallOffset + (long) (now * rate));
    }

    @Override
    public long nanoTime() {
      return offset + (long) (now * rate);
    }

    /** Returns the true time that passes while this clock moves by a time, and a little more. */
    public long real(Duration local) {
      return (long) (local.toNanos() / rate) + between(0, MILLIS);
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout) {
      throw new AssertionError("the rules never wait");
    }

    @Override
    public void sleep(Duration duration) {
      throw new AssertionError("the rules never wait");
    }
  }
}
