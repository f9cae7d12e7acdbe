package dev.clientgo.kubernetes;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ResourceEventHandler;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Remembers the events of one object. */
final class Recorder<T extends KubernetesObject> implements ResourceEventHandler<T> {

  private static final long SECONDS = 30;

  private final String name;
  private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();

  Recorder(String name) {
    this.name = name;
  }

  @Override
  public void onAdd(T object, boolean isInInitialList) {
    add("add", object);
  }

  @Override
  public void onUpdate(T oldObject, T newObject) {
    add("update", newObject);
  }

  @Override
  public void onDelete(DeletedObject<T> deleted) {
    add("delete", deleted.lastKnown());
  }

  private void add(String event, T object) {
    if (name.equals(object.metadata().name())) {
      events.add(event);
    }
  }

  /** Waits until the informer has told of an event, and drops those before it. */
  void await(String event) throws InterruptedException {
    String next;
    do {
      next = events.poll(SECONDS, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("the informer told of no " + event + " of " + name);
      }
    } while (!next.equals(event));
  }
}
