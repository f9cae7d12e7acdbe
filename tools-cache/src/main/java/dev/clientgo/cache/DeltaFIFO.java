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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue that informers used before {@link RealFIFO}, and that most articles about them explain:
 * it collects what happened to an object until the consumer comes for that object, and then hands
 * over all of it. Objects are processed in the order in which they entered the queue; an object
 * that is in the queue already keeps its place when something more happens to it. So the order of
 * events of different objects is lost.
 *
 * <p>It is made for a consumer that
 *
 * <ul>
 *   <li>wants to process every object that changed at most once at a time, and
 *   <li>when it does, wants to see everything that happened since the last time,
 *   <li>including that the object was deleted, and
 *   <li>perhaps wants to look at objects again from time to time.
 * </ul>
 *
 * <p>A list of the whole collection becomes a {@link Replaced} for each object of the list, and a
 * {@link Deleted} for each object that is in the queue or {@linkplain Builder#knownObjects known}
 * but not in the list. A deletion of an object that is neither is ignored, and of two deletions in
 * a row the one that knows the final state is kept. Bookmarks are ignored.
 *
 * <p>Producers wait while the consumer processes. Safe for use by many producers and one consumer.
 * Corresponds to client-go's {@code tools/cache.DeltaFIFO}.
 *
 * @param <T> the type of the objects
 */
public final class DeltaFIFO<T> extends DeltaQueue<T> {

  private final @Nullable KnownObjects<T> knownObjects;
  private final boolean emitReplaced;

  /** What happened to each object, never empty; in the order in which the objects came in. */
  @GuardedBy("lock")
  private final Map<String, List<ObjectDelta<T>>> items = new LinkedHashMap<>();

  private DeltaFIFO(Builder<T> options) {
    super(options);
    this.knownObjects = options.knownObjects;
    this.emitReplaced = options.emitReplaced;
  }

  /** Returns a builder of queues that make keys with the given function. */
  public static <T> Builder<T> builder(KeyFunction<? super T> keyFunction) {
    return new Builder<>(keyFunction);
  }

  // ---- producers

  @Override
  public void replace(List<T> objects, String resourceVersion) {
    replace(objects, Set.of(), resourceVersion);
  }

  @Override
  public void replace(List<T> objects, Set<String> unreadable, String resourceVersion) {
    requireNonNull(resourceVersion, "resourceVersion");
    List<Upserted<T>> replaced = new ArrayList<>(objects.size());
    Set<String> listed = new HashSet<>(unreadable);
    for (T object : transform(objects)) {
      String key = keyOf(object);
      listed.add(key);
      replaced.add(emitReplaced ? new Replaced<>(key, object) : new Sync<>(key, object));
    }
    lock.lock();
    try {
      replaced.forEach(this::appendLocked);
      appendDeletionsLocked(listed);
      replacedLocked();
      enqueuedLocked();
    } finally {
      lock.unlock();
    }
  }

  /** Finds what is in the queue or in the store but not in the list. */
  @GuardedBy("lock")
  private void appendDeletionsLocked(Set<String> listed) {
    items.forEach(
        (key, deltas) -> {
          if (!listed.contains(key)) {
            appendTo(deltas, new Deleted<>(unknownFinalState(newest(deltas))));
          }
        });
    if (knownObjects != null) {
      for (String key : knownObjects.listKeys()) {
        if (!listed.contains(key) && !items.containsKey(key)) {
          appendLocked(new Deleted<>(tombstone(key, knownObjects)));
        }
      }
    }
  }

  private static <T> DeletedObject<T> unknownFinalState(ObjectDelta<T> newest) {
    T lastKnown =
        newest instanceof Deleted<T> deleted
            ? deleted.deleted().object()
            : ((Upserted<T>) newest).object();
    return DeletedObject.ofUnknownFinalState(newest.key(), lastKnown);
  }

  /**
   * Queues what is known, except where something newer is queued: a Sync behind it would take the
   * object back to the state before.
   */
  @Override
  public void resync() {
    if (knownObjects == null) {
      return;
    }
    lock.lock();
    try {
      for (String key : knownObjects.listKeys()) {
        Optional<T> object = knownObjects.getByKey(key);
        if (object.isPresent() && !items.containsKey(key)) {
          appendLocked(new Sync<>(key, object.get()));
        }
      }
      enqueuedLocked();
    } finally {
      lock.unlock();
    }
  }

  // ---- what the common part asks for

  @Override
  @GuardedBy("lock")
  void enqueueLocked(ObjectDelta<T> delta) {
    if (delta instanceof Deleted<T> && !isKnownLocked(delta.key())) {
      return;
    }
    appendLocked(delta);
  }

  @GuardedBy("lock")
  private boolean isKnownLocked(String key) {
    return items.containsKey(key)
        || (knownObjects != null && knownObjects.getByKey(key).isPresent());
  }

  @GuardedBy("lock")
  private void appendLocked(ObjectDelta<T> delta) {
    appendTo(items.computeIfAbsent(delta.key(), key -> new ArrayList<>(1)), delta);
  }

  /** Appends a delta. Of two deletions in a row, one is enough: the one with the final state. */
  private static <T> void appendTo(List<ObjectDelta<T>> deltas, ObjectDelta<T> delta) {
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
  }

  private static <T> ObjectDelta<T> newest(List<ObjectDelta<T>> deltas) {
    return deltas.get(deltas.size() - 1);
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

  /** What is taken out must be in the store before a list is compared with it. */
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

    private @Nullable KnownObjects<T> knownObjects;
    private boolean emitReplaced = true;

    private Builder(KeyFunction<? super T> keyFunction) {
      super(keyFunction, "DeltaFIFO");
    }

    @Override
    Builder<T> self() {
      return this;
    }

    /**
     * Sets what the consumer has put into its store; it must do so before the processor returns.
     * Default: none. Then the queue notices only deletions of objects that are in the queue, and
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
    // Unlike client-go: there it is false, for the sake of programs older than Replaced.
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
