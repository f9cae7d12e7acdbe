package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A handler that records its calls: {@code add default/a@1 initial}. */
final class RecordingHandler implements ResourceEventHandler<ApiObject> {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<String> events = new ArrayList<>();
  private final Map<String, ApiObject> state = new TreeMap<>();

  static String describe(ApiObject object) {
    return ObjectName.of(object) + "@" + object.metadata().resourceVersion();
  }

  @Override
  public void onAdd(ApiObject object, boolean isInInitialList) {
    remember(
        "add " + describe(object) + (isInInitialList ? " initial" : ""), keyOf(object), object);
  }

  @Override
  public void onUpdate(ApiObject oldObject, ApiObject newObject) {
    remember(
        "update " + describe(oldObject) + " " + newObject.metadata().resourceVersion(),
        keyOf(newObject),
        newObject);
  }

  @Override
  public void onDelete(DeletedObject<ApiObject> deleted) {
    ApiObject object = deleted.lastKnown();
    remember(
        "delete "
            + (object == null ? deleted.key() : describe(object))
            + (deleted.leftShard() ? " left" : deleted.finalStateUnknown() ? " unknown" : ""),
        deleted.key(),
        null);
  }

  private static String keyOf(ApiObject object) {
    return ObjectName.of(object).toString();
  }

  private void remember(String event, String key, @Nullable ApiObject after) {
    lock.lock();
    try {
      events.add(event);
      if (after == null) {
        state.remove(key);
      } else {
        state.put(key, after);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  List<String> events() {
    lock.lock();
    try {
      return List.copyOf(events);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there are that many events, and returns all; fails after thirty seconds. */
  List<String> await(int count) throws InterruptedException {
    return awaitUntil(() -> events.size() >= count, count + " events");
  }

  /** Waits until there is such an event, and returns all; fails after thirty seconds. */
  List<String> awaitEvent(Predicate<String> event) throws InterruptedException {
    return awaitEvents(event, 1);
  }

  /** Waits until there are that many such events, and returns all; fails after thirty seconds. */
  List<String> awaitEvents(Predicate<String> event, int count) throws InterruptedException {
    return awaitUntil(() -> events.stream().filter(event).count() >= count, count + " such events");
  }

  private List<String> awaitUntil(BooleanSupplier done, String what) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(30);
      while (!done.getAsBoolean()) {
        if (left <= 0) {
          throw new AssertionError(
              "waited 30 s for %s, there are %d, at last %s"
                  .formatted(
                      what,
                      events.size(),
                      events.subList(Math.max(0, events.size() - 20), events.size())));
        }
        left = changed.awaitNanos(left);
      }
      return List.copyOf(events);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the state that results from applying the events to an empty map. */
  Map<String, ApiObject> replay() {
    lock.lock();
    try {
      return new TreeMap<>(state);
    } finally {
      lock.unlock();
    }
  }
}
