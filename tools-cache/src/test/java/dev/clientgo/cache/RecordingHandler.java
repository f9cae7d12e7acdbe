package dev.clientgo.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A handler that writes down what it is told: {@code add default/a@1 initial}. */
final class RecordingHandler implements ResourceEventHandler<ApiObject> {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition told = lock.newCondition();
  private final List<String> events = new ArrayList<>();

  static String describe(ApiObject object) {
    return ObjectName.of(object) + "@" + object.metadata().resourceVersion();
  }

  @Override
  public void onAdd(ApiObject object, boolean isInInitialList) {
    told("add " + describe(object) + (isInInitialList ? " initial" : ""));
  }

  @Override
  public void onUpdate(ApiObject oldObject, ApiObject newObject) {
    told("update " + describe(oldObject) + " " + newObject.metadata().resourceVersion());
  }

  @Override
  public void onDelete(DeletedObject<ApiObject> deleted) {
    ApiObject object = deleted.object();
    told(
        "delete "
            + (object == null ? deleted.key() : describe(object))
            + (deleted.finalStateUnknown() ? " unknown" : ""));
  }

  private void told(String event) {
    lock.lock();
    try {
      events.add(event);
      told.signalAll();
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

  /** Waits until there are that many events, and returns all; fails after ten seconds. */
  List<String> await(int count) throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(10);
      while (events.size() < count) {
        if (left <= 0) {
          throw new AssertionError("waited 10 s for " + count + " events, there are " + events);
        }
        left = told.awaitNanos(left);
      }
      return List.copyOf(events);
    } finally {
      lock.unlock();
    }
  }
}
