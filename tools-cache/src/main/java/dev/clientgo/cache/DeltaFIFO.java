package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.cache.Delta.Deleted;
import dev.clientgo.cache.Delta.ObjectDelta;
import dev.clientgo.cache.Delta.Replaced;
import dev.clientgo.cache.Delta.Sync;
import dev.clientgo.cache.Delta.Upserted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The queue that informers used before {@link RealFIFO}, and that most articles about informers
 * explain. It collects the deltas of each object until the consumer takes that object, and then
 * hands over all of them. Objects are processed in the order in which they entered the queue; an
 * object that is already queued keeps its place when it changes again. So the order of events of
 * different objects is lost.
 *
 * <p>It suits a consumer that
 *
 * <ul>
 *   <li>processes each changed object at most once at a time, and
 *   <li>then wants to see everything that happened to it since the last time,
 *   <li>including its deletion, and
 *   <li>may want to look at all objects again from time to time.
 * </ul>
 *
 * <p>A list of the whole collection becomes a {@link Replaced} for each object of the list, and a
 * {@link Deleted} for each object that is queued or {@linkplain Builder#knownObjects known} but not
 * in the list. The queue ignores bookmarks, and the deletion of an object that is neither queued
 * nor known. Of two deletions in a row it keeps the one with the final state.
 *
 * <p>Producers wait while the consumer processes. Safe for use by many producers and one consumer.
 * Corresponds to client-go's {@code tools/cache.DeltaFIFO}.
 *
 * @param <T> the type of the objects
 */
public final class DeltaFIFO<T> extends DeltaQueue<T> {

  private final boolean emitReplaced;

  /** The deltas of each object, never empty; in the order in which the objects came in. */
  @GuardedBy("lock")
  private final Map<String, List<ObjectDelta<T>>> items = new LinkedHashMap<>();

  private DeltaFIFO(Builder<T> options) {
    super(options);
    this.emitReplaced = options.emitReplaced;
  }

  /** Returns a builder of queues that make keys with the given function. */
  public static <T> Builder<T> builder(KeyFunction<? super T> keyFunction) {
    return new Builder<>(keyFunction);
  }

  // ---- producers

  @Override
  public void replace(List<T> objects, Set<String> unreadable, String resourceVersion) {
    requireNonNull(resourceVersion, "resourceVersion");
    List<Upserted<T>> replaced = new ArrayList<>(objects.size());
    Set<String> listed = new HashSet<>(unreadable);
    for (T object : objects) {
      String key = keyOf(object);
      listed.add(key);
      replaced.add(emitReplaced ? new Replaced<>(key, object) : new Sync<>(key, object));
    }
    lock.lock();
    try {
      replaced.forEach(this::appendLocked);
      items.forEach(
          (key, deltas) -> {
            if (!listed.contains(key)) {
              appendToLocked(deltas, new Deleted<>(unknownFinalState(deltas)));
            }
          });
      if (knownObjects != null) {
        appendDeletionsLocked(knownObjects, listed, items.keySet());
      }
      replacedLocked();
    } finally {
      lock.unlock();
    }
    wakeConsumer();
  }

  private static <T> DeletedObject<T> unknownFinalState(List<ObjectDelta<T>> deltas) {
    ObjectDelta<T> newest = deltas.get(deltas.size() - 1);
    T lastKnown =
        newest instanceof Deleted<T> deleted
            ? deleted.deleted().lastKnown()
            : ((Upserted<T>) newest).value();
    return DeletedObject.ofUnknownFinalState(newest.key(), lastKnown);
  }

  @Override
  public void resync() {
    if (knownObjects == null) {
      return;
    }
    lock.lock();
    try {
      appendSyncsLocked(knownObjects, items.keySet());
      appendedLocked();
    } finally {
      lock.unlock();
    }
    wakeConsumer();
  }

  // ---- the queue itself

  @Override
  @GuardedBy("lock")
  boolean acceptsLocked(ObjectDelta<T> delta) {
    String key = delta.key();
    return !(delta instanceof Deleted<T>)
        || items.containsKey(key)
        || (knownObjects != null && knownObjects.getByKey(key).isPresent());
  }

  @Override
  @GuardedBy("lock")
  void appendLocked(ObjectDelta<T> delta) {
    appendToLocked(items.computeIfAbsent(delta.key(), key -> new ArrayList<>(1)), delta);
  }

  /** Appends a delta. Of two deletions in a row, keeps the one with the final state. */
  @GuardedBy("lock")
  private void appendToLocked(List<ObjectDelta<T>> deltas, ObjectDelta<T> delta) {
    int last = deltas.size() - 1;
    if (last >= 0
        && deltas.get(last) instanceof Deleted<T> previous
        && delta instanceof Deleted<T>) {
      if (previous.deleted().finalStateUnknown()) {
        deltas.set(last, delta);
      }
      return;
    }
    deltas.add(delta);
    queuedLocked(delta);
  }

  @Override
  @GuardedBy("lock")
  int lengthLocked() {
    return items.size();
  }

  @Override
  @GuardedBy("lock")
  List<Delta<T>> takeLocked(int limit) {
    Iterator<List<ObjectDelta<T>>> head = items.values().iterator();
    List<Delta<T>> deltas = Collections.unmodifiableList(head.next());
    head.remove();
    return deltas;
  }

  /** Returns false: taken deltas must be in the store before a list is compared with it. */
  @Override
  @GuardedBy("lock")
  boolean unlocksWhileProcessingLocked() {
    return false;
  }

  @Override
  int batchSize() {
    return 1;
  }

  /**
   * Builds a {@link DeltaFIFO}. Not safe for use by many threads.
   *
   * @param <T> the type of the objects
   */
  public static final class Builder<T> extends DeltaQueue.Builder<T, Builder<T>> {

    private boolean emitReplaced = true;

    private Builder(KeyFunction<? super T> keyFunction) {
      super(keyFunction, "DeltaFIFO");
    }

    @Override
    Builder<T> self() {
      return this;
    }

    /**
     * Sets the objects in the consumer's store, which the consumer must update before the processor
     * returns. Default: none. The queue then notices only deletions of objects that are queued, and
     * cannot resync.
     */
    public Builder<T> knownObjects(KnownObjects<T> knownObjects) {
      this.knownObjects = requireNonNull(knownObjects, "knownObjects");
      return this;
    }

    /**
     * Sets whether the objects of a list become {@link Replaced} deltas. If not, they become {@link
     * Sync} deltas, as in old versions of client-go. Default: true.
     */
    // Unlike client-go, where it is false to suit programs older than Replaced.
    public Builder<T> emitReplaced(boolean emitReplaced) {
      this.emitReplaced = emitReplaced;
      return this;
    }

    /** Returns an empty queue. */
    public DeltaFIFO<T> build() {
      return new DeltaFIFO<>(this);
    }
  }
}
