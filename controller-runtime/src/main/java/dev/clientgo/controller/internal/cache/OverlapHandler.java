package dev.clientgo.controller.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ResourceEventHandler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A handler of the events of informers that can have the same object. Each event makes it compare
 * the object that the user's handler was given last with the {@code UnionReader}, so that handler
 * gets the events of one cache: an object that has only left one informer is updated, not deleted.
 *
 * <p>Unlike the threads of several informers, those of one handler take turns.
 *
 * @param <T> the type of the objects
 */
final class OverlapHandler<T extends KubernetesObject> implements ResourceEventHandler<T> {

  /** Waits until it is known whether an object that has left a part is deleted. */
  @FunctionalInterface
  interface Departure {
    void settle(String key) throws InterruptedException;
  }

  private final ResourceEventHandler<T> handler;
  private final Function<String, Optional<T>> objects;
  private final Predicate<String> covers;
  private final Departure departure;

  /** Held while the user's handler runs; only threads of the same handler need it. */
  private final ReentrantLock turn = new ReentrantLock();

  /** The namespaces whose objects the next event forgets first. */
  private final Set<String> removed = ConcurrentHashMap.newKeySet();

  /** What the user's handler has seen, by key. */
  @GuardedBy("turn")
  private final Map<String, T> known = new HashMap<>();

  OverlapHandler(
      ResourceEventHandler<T> handler,
      Function<String, Optional<T>> objects,
      Predicate<String> covers,
      Departure departure) {
    this.handler = handler;
    this.objects = objects;
    this.covers = covers;
    this.departure = departure;
  }

  @Override
  public void onAdd(T object, boolean isInInitialList) {
    changed(ObjectName.of(object).toString(), isInInitialList, /* isResync= */ false, null);
  }

  @Override
  public void onUpdate(T before, T after) {
    boolean isResync =
        Objects.equals(before.metadata().resourceVersion(), after.metadata().resourceVersion());
    changed(ObjectName.of(after).toString(), /* isInInitialList= */ false, isResync, null);
  }

  @Override
  public void onDelete(DeletedObject<T> deleted) {
    try {
      departure.settle(deleted.key());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The informer ends.
      return;
    }
    changed(deleted.key(), /* isInInitialList= */ false, /* isResync= */ false, deleted);
  }

  private void changed(
      String key, boolean isInInitialList, boolean isResync, @Nullable DeletedObject<T> deleted) {
    turn.lock();
    try {
      for (String namespace : List.copyOf(removed)) {
        removed.remove(namespace);
        known.keySet().removeIf(old -> ObjectName.parse(old).namespace().equals(namespace));
      }
      T now = objects.apply(key).orElse(null);
      T before = now == null ? known.remove(key) : known.put(key, now);
      if (now == null && !covers.test(key)) {
        return; // The scope has become smaller, and the object exists.
      }
      if (before == null && now != null) {
        handler.onAdd(now, isInInitialList);
      } else if (now != null
          && before != null
          && (isResync || !WriteMark.versionOf(now).equals(WriteMark.versionOf(before)))) {
        handler.onUpdate(before, now);
      } else if (now == null && before != null) {
        handler.onDelete(deleted != null ? deleted : DeletedObject.of(key, before));
      }
    } finally {
      turn.unlock();
    }
  }

  /** Forgets the objects of a namespace, which have left the scope and may come again. */
  void forget(String namespace) {
    removed.add(namespace);
  }
}
