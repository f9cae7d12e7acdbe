package dev.clientgo.liveview;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
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

  /**
   * A step. The states are given up if memory is short: 200 objects with 8 states of 1 MB each are
   * more than many programs have.
   */
  private record Entry<T>(Instant time, String step, @Nullable Reference<States<T>> states) {}

  private record States<T>(@Nullable T before, @Nullable T after) {}

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
    Entry<T> entry =
        new Entry<>(
            clock.now(),
            step,
            before == after ? null : new SoftReference<>(new States<>(before, after)));
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
      States<T> states = entry.states == null ? null : entry.states.get();
      step.put("changes", states == null ? List.of() : changes.apply(states.before, states.after));
      step.put("forgotten", entry.states != null && states == null);
      tree.add(step);
    }
    return tree;
  }
}
