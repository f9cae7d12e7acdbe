package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.ObjectName;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A handler that applies its calls to a map, and fails the test if that is not possible: if an
 * object is added twice, if an update starts from another state than its own, or if an event is too
 * old. On request it throws after a call, as broken handlers do.
 */
final class CheckingHandler implements ResourceEventHandler<ApiObject> {

  /** The key of the object that a test with threads creates at the end. */
  static final String LAST = "default/last";

  final CountDownLatch heardLast = new CountDownLatch(1);
  final Map<String, ApiObject> state = new TreeMap<>();
  private final Map<String, Long> newest = new HashMap<>();

  ProcessorListener<?> registration;
  boolean failing;
  boolean failedInInitialList;
  private AssertionError violation;

  /** Hears the next notification, if there is one. */
  void hearNext() throws InterruptedException {
    if (registration.health().backlog() > 0) {
      registration.deliverNext();
      requireNoViolation();
    }
  }

  void requireNoViolation() {
    if (violation != null) {
      throw violation;
    }
  }

  void hearAll() throws InterruptedException {
    while (registration.health().backlog() > 0) {
      hearNext();
    }
  }

  @Override
  public void onAdd(ApiObject object, boolean isInInitialList) {
    failedInInitialList |= failing && isInInitialList;
    hear(
        () -> {
          String key = keyOf(object);
          require(!state.containsKey(key), "added twice", object);
          moveTo(key, object);
          state.put(key, object);
          if (key.equals(LAST)) {
            heardLast.countDown();
          }
        });
  }

  @Override
  public void onUpdate(ApiObject oldObject, ApiObject newObject) {
    hear(
        () -> {
          String key = keyOf(newObject);
          require(oldObject.equals(state.get(key)), "updated from another state", oldObject);
          moveTo(key, newObject);
          state.put(key, newObject);
        });
  }

  @Override
  public void onDelete(DeletedObject<ApiObject> deleted) {
    hear(
        () -> {
          ApiObject last = deleted.lastKnown();
          require(last != null && keyOf(last).equals(deleted.key()), "deleted without state", last);
          ApiObject known = state.remove(deleted.key());
          if (deleted.finalStateUnknown()) {
            require(last.equals(known), "deleted from another state", last);
          } else {
            moveTo(deleted.key(), last);
          }
        });
  }

  private void moveTo(String key, ApiObject object) {
    long version = Long.parseLong(object.metadata().resourceVersion());
    require(version >= newest.getOrDefault(key, 0L), "went back in time", object);
    newest.put(key, version);
  }

  private void require(boolean condition, String violation, @Nullable ApiObject object) {
    if (!condition) {
      throw new AssertionError(violation + ": " + object + ", heard before: " + state);
    }
  }

  /**
   * The informer survives every exception here, so the handler keeps the violation for the test.
   */
  private void hear(Runnable event) {
    try {
      event.run();
    } catch (AssertionError e) {
      violation = e;
    }
    if (failing) {
      throw new IllegalStateException("a broken handler");
    }
  }

  private static String keyOf(ApiObject object) {
    return ObjectName.of(object).toString();
  }
}
