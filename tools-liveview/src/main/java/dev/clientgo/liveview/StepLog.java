package dev.clientgo.liveview;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last steps of all objects. Above a rate it keeps a sample, but counts every step, so the page
 * can show how many steps it leaves out. Safe for use by many threads.
 */
final class StepLog {

  /** The kinds of steps. The page has a word for each. */
  enum Kind {
    REQUEST,
    FRAME,
    QUEUED,
    POPPED,
    STORED,
    NOTIFIED,
    DELIVERED,
    WORK,
    WRITTEN,
    ERROR
  }

  /** How many steps of a second are kept. */
  static final int PER_SECOND = 200;

  /** How many steps a picture has: a token moves for each, if one picture comes after the other. */
  private static final int SHOWN = 120;

  /** Longer than any key of an object. */
  private static final int LONGEST_TEXT = 600;

  private static final long SECOND = 1_000_000_000L;

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);

  @GuardedBy("lock")
  private final ArrayDeque<Map<String, Object>> steps = new ArrayDeque<>();

  @GuardedBy("lock")
  private long total;

  /** The number of the last step of an earlier program. */
  @GuardedBy("lock")
  private long began;

  @GuardedBy("lock")
  private long skipped;

  @GuardedBy("lock")
  private long windowStart;

  @GuardedBy("lock")
  private int inWindow;

  @GuardedBy("lock")
  private long keptInWindow;

  @GuardedBy("lock")
  private int rate;

  StepLog(Clock clock) {
    this.clock = clock;
    windowStart = clock.nanoTime();
  }

  /**
   * Records a step.
   *
   * @param source the name of the informer or of the queue
   * @param what the type of the event, the delta or the call
   */
  void step(Kind kind, String source, String what, String key) {
    long now = clock.nanoTime();
    lock.lock();
    try {
      advanceLocked(now);
      total++;
      inWindow++;
      counts.merge(kind, 1L, Long::sum);
      if (keptInWindow >= PER_SECOND && kind != Kind.ERROR) {
        skipped++;
        return;
      }
      keptInWindow++;
      Map<String, Object> step = new LinkedHashMap<>();
      step.put("number", total);
      step.put("kind", name(kind));
      step.put("source", source);
      step.put("what", shortened(what));
      step.put("key", shortened(key));
      steps.addLast(step);
      if (steps.size() > SHOWN) {
        steps.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Begins the next second if this one has ended. */
  @GuardedBy("lock")
  private void advanceLocked(long now) {
    if (now - windowStart >= SECOND) {
      rate = now - windowStart < 2 * SECOND ? inWindow : 0;
      windowStart = now;
      inWindow = 0;
      keptInWindow = 0;
    }
  }

  /** Returns the text, or its beginning: the page gets it ten times a second. */
  static String shortened(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }

  private static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** Begins with a program that knows nothing of the steps so far. */
  void begin() {
    lock.lock();
    try {
      began = total;
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many steps there were. */
  long total() {
    lock.lock();
    try {
      return total;
    } finally {
      lock.unlock();
    }
  }

  Map<String, Object> tree() {
    lock.lock();
    try {
      advanceLocked(clock.nanoTime());
      Map<String, Object> byKind = new LinkedHashMap<>();
      counts.forEach((kind, count) -> byKind.put(name(kind), count));
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("total", total);
      tree.put("began", began);
      tree.put("skipped", skipped);
      tree.put("rate", rate);
      tree.put("limit", PER_SECOND);
      tree.put("counts", byKind);
      List<Object> shown = new ArrayList<>(steps);
      tree.put("steps", shown);
      return tree;
    } finally {
      lock.unlock();
    }
  }
}
