package dev.clientgo.liveview;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The last steps of each object, with the states before and after, for the objects that moved last.
 * Safe for use by many threads.
 *
 * @param <T> the type of the objects
 */
final class ObjectHistory<T> {

  /** How many objects are remembered, and how many steps of each. */
  static final int OBJECTS = 200;

  static final int STEPS = 40;

  private record Entry<T>(Instant time, String step, @Nullable T before, @Nullable T after) {}

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<String, ArrayDeque<Entry<T>>> entries =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ArrayDeque<Entry<T>>> eldest) {
          return size() > OBJECTS;
        }
      };

  ObjectHistory(Clock clock) {
    this.clock = clock;
  }

  void step(String key, String step, @Nullable T before, @Nullable T after) {
    Entry<T> entry = new Entry<>(clock.now(), step, before, after);
    lock.lock();
    try {
      ArrayDeque<Entry<T>> steps = entries.computeIfAbsent(key, any -> new ArrayDeque<>());
      steps.addLast(entry);
      if (steps.size() > STEPS) {
        steps.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the steps of an object, the newest first.
   *
   * @param changes compares two states
   */
  List<Object> tree(String key, BiFunction<@Nullable T, @Nullable T, List<Object>> changes) {
    List<Entry<T>> steps;
    lock.lock();
    try {
      steps = new ArrayList<>(entries.getOrDefault(key, new ArrayDeque<>()));
    } finally {
      lock.unlock();
    }
    List<Object> tree = new ArrayList<>();
    for (int i = steps.size() - 1; i >= 0; i--) {
      Entry<T> entry = steps.get(i);
      Map<String, Object> step = new LinkedHashMap<>();
      step.put("time", entry.time.toString());
      step.put("step", entry.step);
      step.put("changes", changes.apply(entry.before, entry.after));
      tree.add(step);
    }
    return tree;
  }
}
