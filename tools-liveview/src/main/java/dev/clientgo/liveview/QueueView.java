package dev.clientgo.liveview;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.liveview.StepLog.Kind;
import dev.clientgo.workqueue.QueueObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The picture of one work queue: its sets, its waiting items. Safe for use by many threads. */
final class QueueView implements QueueObserver {

  private final String name;
  private final Gates gates;
  private final StepLog log;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Items items = new Items();

  /** Where the items are. */
  private static final class Items {
    final Set<Object> dirty = new LinkedHashSet<>();
    final Set<Object> processing = new LinkedHashSet<>();

    /** In the order in which workers get them, if the queue has no custom order. */
    final Set<Object> queue = new LinkedHashSet<>();

    /** When each delayed item is due, by the clock's nanoTime. */
    final Map<Object, Long> waiting = new LinkedHashMap<>();

    /** How often each item was delayed since it was forgotten. */
    final Map<Object, Integer> delays = new HashMap<>();

    /** What workers have forgotten since they got it. */
    final Set<Object> forgotten = new HashSet<>();

    /** Whether the queue has a rate limiter: then workers forget an item after each success. */
    boolean forgets;

    long merged;
    long done;
    long failed;
  }

  QueueView(String name, Gates gates, StepLog log, Clock clock) {
    this.name = name;
    this.gates = gates;
    this.log = log;
    this.clock = clock;
  }

  private void step(String what, Object item) {
    log.step(Kind.WORK, name, what, text(item));
  }

  @Override
  public void added(Object item) {
    change("add", item, it -> it.dirty.add(item));
  }

  @Override
  public void alreadyAdded(Object item) {
    change("add, merged", item, it -> it.merged++);
  }

  @Override
  public void delayed(Object item, Duration delay) {
    long due = clock.nanoTime() + delay.toNanos();
    change(
        "addAfter " + delay.toMillis() + " ms",
        item,
        it -> {
          it.waiting.merge(item, due, (a, b) -> a - b < 0 ? a : b);
          it.delays.merge(item, 1, Integer::sum);
        });
  }

  @Override
  public void due(Object item) {
    change("due", item, it -> it.waiting.remove(item));
  }

  @Override
  public void got(Object item) {
    change(
        "get",
        item,
        it -> {
          it.dirty.remove(item);
          it.queue.remove(item);
          it.processing.add(item);
        });
  }

  @Override
  public void starting(Object item) throws InterruptedException {
    gates.of(Stage.WORK).pass();
  }

  @Override
  public void done(Object item) {
    change(
        "done",
        item,
        it -> {
          it.processing.remove(item);
          it.done++;
          if (!it.forgotten.remove(item) && (it.forgets || it.waiting.containsKey(item))) {
            it.failed++;
          }
          if (!it.dirty.contains(item) && !it.waiting.containsKey(item)) {
            it.delays.remove(item); // Only a queue with a rate limiter forgets items.
          }
        });
  }

  @Override
  public void forgotten(Object item) {
    change(
        "forget",
        item,
        it -> {
          it.delays.remove(item);
          it.forgets = true;
          if (it.processing.contains(item)) {
            it.forgotten.add(item);
          }
        });
  }

  @Override
  public void shutDown(boolean drops) {
    change(
        "shutDown",
        "",
        it -> {
          it.waiting.clear();
          if (drops) {
            it.dirty.clear();
            it.queue.clear();
            it.delays.clear();
          }
        });
  }

  /** Returns the text of an item, which is of the program and may throw. */
  private static String text(Object item) {
    try {
      return StepLog.shortened(String.valueOf(item));
    } catch (Throwable e) {
      return item.getClass().getSimpleName() + ": " + e.getClass().getSimpleName();
    }
  }

  /** Changes something. A dirty item that no worker has is in the queue then. */
  private void change(String what, Object item, Consumer<Items> change) {
    boolean enters;
    lock.lock();
    try {
      change.accept(items);
      enters =
          items.dirty.contains(item) && !items.processing.contains(item) && items.queue.add(item);
    } finally {
      lock.unlock();
    }
    step(what, item);
    if (enters) {
      step("enters the queue", item);
    }
  }

  Map<String, Object> tree() {
    long now = clock.nanoTime();
    lock.lock();
    try {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("name", name);
      tree.put("queue", box(items.queue));
      tree.put("dirty", box(items.dirty));
      tree.put("processing", box(items.processing));
      List<Object> delayed = new ArrayList<>();
      List<Map.Entry<Object, Long>> inOrder = new ArrayList<>(items.waiting.entrySet());
      inOrder.sort((a, b) -> Long.signum(a.getValue() - b.getValue()));
      for (Map.Entry<Object, Long> entry :
          inOrder.subList(0, Math.min(InformerView.SHOWN, inOrder.size()))) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("key", text(entry.getKey()));
        item.put("ms", Math.max(0, (entry.getValue() - now) / 1_000_000));
        item.put("times", items.delays.getOrDefault(entry.getKey(), 0));
        delayed.add(item);
      }
      tree.put("waiting", Map.of("size", items.waiting.size(), "items", delayed));
      tree.put("merged", items.merged);
      tree.put("done", items.done);
      tree.put("failed", items.failed);
      return tree;
    } finally {
      lock.unlock();
    }
  }

  private static Map<String, Object> box(Collection<?> items) {
    List<Object> shown = new ArrayList<>();
    items.stream().limit(InformerView.SHOWN).forEach(item -> shown.add(Map.of("key", text(item))));
    return Map.of("size", items.size(), "items", shown);
  }
}
