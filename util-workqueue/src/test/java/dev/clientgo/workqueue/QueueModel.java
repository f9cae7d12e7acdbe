package dev.clientgo.workqueue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The behaviour of queues in the plainest code: sets, lists and loops, for one thread. The real
 * queues are held to it by {@link QueueModelTest} step by step, and by {@link QueueLincheckTest}
 * under all ways in which threads can interleave.
 */
interface QueueModel {

  /** An item in the hands of a worker. */
  record Handed(int item, int priority) {}

  void add(int item, int priority, int delay);

  /** Takes the next item, if one can be had now. */
  Optional<Handed> get();

  void done(int item);

  int size();

  void advance(int time);

  void shutDown();

  /** client-go's queue: a list, a dirty set, a processing set; and items that wait beside them. */
  final class Dirty implements QueueModel {
    private final List<Integer> queue = new ArrayList<>();
    private final Set<Integer> dirty = new HashSet<>();
    private final Set<Integer> processing = new HashSet<>();
    private final Map<Integer, Integer> waiting = new LinkedHashMap<>();
    private int now;
    private boolean shuttingDown;

    @Override
    public void add(int item, int priority, int delay) {
      if (shuttingDown) {
        return;
      }
      if (delay > 0) {
        waiting.merge(item, now + delay, Math::min);
      } else {
        addNow(item);
      }
    }

    private void addNow(int item) {
      if (dirty.add(item) && !processing.contains(item)) {
        queue.add(item);
      }
    }

    @Override
    public Optional<Handed> get() {
      if (queue.isEmpty()) {
        return Optional.empty();
      }
      int item = queue.remove(0);
      dirty.remove(item);
      processing.add(item);
      return Optional.of(new Handed(item, 0));
    }

    @Override
    public void done(int item) {
      processing.remove(item);
      if (dirty.contains(item)) {
        queue.add(item);
      }
    }

    @Override
    public int size() {
      return queue.size();
    }

    @Override
    public void advance(int time) {
      for (int i = 0; i < time; i++) {
        now++;
        for (int item : List.copyOf(waiting.keySet())) {
          if (waiting.get(item) == now) {
            waiting.remove(item);
            addNow(item);
          }
        }
      }
    }

    @Override
    public void shutDown() {
      shuttingDown = true;
      waiting.clear();
    }
  }

  /** controller-runtime's queue: one entry per item, and a set of items that are locked. */
  final class Priority implements QueueModel {

    private static final class Entry {
      final int item;
      int priority;
      int counter;
      int readyAt;

      Entry(int item) {
        this.item = item;
      }
    }

    private final Map<Integer, Entry> entries = new HashMap<>();
    private final Set<Integer> locked = new HashSet<>();
    private int counter;
    private int now;
    private boolean shuttingDown;

    @Override
    public void add(int item, int priority, int delay) {
      if (shuttingDown) {
        return;
      }
      int readyAt = now + Math.max(0, delay);
      Entry entry = entries.get(item);
      if (entry == null) {
        entry = new Entry(item);
        entry.priority = priority;
        entry.counter = counter++;
        entry.readyAt = readyAt;
        entries.put(item, entry);
        return;
      }
      if (priority > entry.priority) {
        entry.priority = priority;
        entry.counter = counter++;
      }
      entry.readyAt = Math.min(entry.readyAt, readyAt);
    }

    private List<Entry> ready() {
      return entries.values().stream()
          .filter(entry -> entry.readyAt <= now)
          .sorted(
              Comparator.<Entry>comparingInt(entry -> -entry.priority)
                  .thenComparingInt(entry -> entry.counter))
          .toList();
    }

    @Override
    public Optional<Handed> get() {
      Optional<Entry> first =
          ready().stream().filter(entry -> !locked.contains(entry.item)).findFirst();
      first.ifPresent(
          entry -> {
            entries.remove(entry.item);
            locked.add(entry.item);
          });
      return first.map(entry -> new Handed(entry.item, entry.priority));
    }

    @Override
    public void done(int item) {
      locked.remove(item);
    }

    @Override
    public int size() {
      return ready().size();
    }

    @Override
    public void advance(int time) {
      for (int i = 0; i < time; i++) {
        now++;
        entries.values().stream()
            .filter(entry -> entry.readyAt == now)
            .sorted(
                Comparator.<Entry>comparingInt(entry -> -entry.priority)
                    .thenComparingInt(entry -> entry.counter))
            .forEach(entry -> entry.counter = counter++);
      }
    }

    @Override
    public void shutDown() {
      shuttingDown = true;
      entries.clear();
    }
  }
}
