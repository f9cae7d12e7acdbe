package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.cache.Delta.Bookmark;
import dev.clientgo.cache.Delta.Deleted;
import dev.clientgo.cache.Delta.ObjectDelta;
import dev.clientgo.cache.Delta.Replaced;
import dev.clientgo.cache.Delta.ReplacedAll;
import dev.clientgo.cache.Delta.Sync;
import dev.clientgo.cache.Delta.SyncAll;
import dev.clientgo.cache.Delta.Upserted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The queue that informers use: it passes on every event in the order of arrival. It merges
 * nothing, so the consumer sees each state that the watch reported, and events of different objects
 * keep their order. {@link DeltaFIFO} is the older queue, which hands over the events of an object
 * together.
 *
 * <p>There are two kinds of queues:
 *
 * <ul>
 *   <li><b>With atomic events</b>, the default. A list of the whole collection is one delta, {@link
 *       ReplacedAll}, and a resync is one, {@link SyncAll}. The consumer compares the list with its
 *       store, so the store moves from one consistent version of the collection to the next.
 *   <li><b>With {@linkplain Builder#knownObjects known objects}</b>. The queue compares a list with
 *       the objects in the queue and in the store. It splits the list into a {@link Deleted} for
 *       each object that the list lacks, followed by a {@link Replaced} for each object of the
 *       list. A resync becomes a {@link Sync} for each object that is in the store and not in the
 *       queue.
 * </ul>
 *
 * <pre>{@code
 * RealFIFO<Pod> queue =
 *     RealFIFO.<Pod>builder(KeyFunction.metaNamespace()).unlockWhileProcessing(true).build();
 * queue.replace(podsOfTheFirstList, "1000");
 * queue.update(pod);
 * while (queue.pop((deltas, isInInitialList) -> apply(deltas))) {}
 * }</pre>
 *
 * <p>Safe for use by many producers and one consumer. Corresponds to client-go's {@code
 * tools/cache.RealFIFO}.
 *
 * @param <T> the type of the objects
 */
public final class RealFIFO<T> extends DeltaQueue<T> {

  /** The maximal number of deltas that {@link #popBatch} processes at once: {@value}. */
  public static final int BATCH_SIZE = 1000;

  private final boolean unlockWhileProcessing;
  private final boolean emitBookmarks;
  private final int batchSize;
  private final Supplier<ShardSelector> shard;

  @GuardedBy("lock")
  private final ArrayDeque<Delta<T>> items = new ArrayDeque<>();

  private RealFIFO(Builder<T> options) {
    super(options);
    this.unlockWhileProcessing = options.unlockWhileProcessing;
    this.emitBookmarks = options.emitBookmarks;
    this.batchSize = options.batchSize;
    this.shard = options.shard;
  }

  /** Returns a builder of queues that make keys with the given function. */
  public static <T> Builder<T> builder(KeyFunction<? super T> keyFunction) {
    return new Builder<>(keyFunction);
  }

  // ---- producers

  @Override
  public void replace(List<T> objects, Set<String> unreadable, String resourceVersion) {
    requireNonNull(resourceVersion, "resourceVersion");
    if (knownObjects == null) {
      replaceAtomically(
          new ReplacedAll<>(byKey(objects), unreadable, resourceVersion, shard.get()));
    } else {
      replaceOneByOne(objects, unreadable, knownObjects);
    }
  }

  @Override
  public boolean replacePart(List<T> added, ShardSelector kept, String resourceVersion) {
    if (knownObjects != null) {
      return false;
    }
    replaceAtomically(
        new ReplacedAll<>(byKey(added), Set.of(), resourceVersion, shard.get(), kept));
    return true;
  }

  private Map<String, T> byKey(List<T> objects) {
    Map<String, T> byKey = new LinkedHashMap<>();
    for (T object : objects) {
      byKey.put(keyOf(object), object);
    }
    return byKey;
  }

  private void replaceAtomically(ReplacedAll<T> delta) {
    lock.lock();
    try {
      enqueueLocked(delta);
      replacedLocked();
    } finally {
      lock.unlock();
    }
    wakeConsumer();
  }

  private void replaceOneByOne(List<T> objects, Set<String> unreadable, KnownObjects<T> known) {
    List<Replaced<T>> replaced = new ArrayList<>(objects.size());
    Set<String> listed = new HashSet<>(unreadable);
    for (T object : objects) {
      Replaced<T> delta = new Replaced<>(keyOf(object), object);
      replaced.add(delta);
      listed.add(delta.key());
    }
    lock.lock();
    try {
      Map<String, ObjectDelta<T>> newest = newestByKeyLocked();
      newest.forEach(
          (key, delta) -> {
            // An object whose newest delta is its deletion stays deleted, listed again or not: a
            // recreated object also appears as a deletion followed by a Replaced.
            if (!listed.contains(key) && delta instanceof Upserted<T> upserted) {
              T last = upserted.value();
              appendLocked(new Deleted<>(DeletedObject.ofUnknownFinalState(key, last)));
            }
          });
      appendDeletionsLocked(known, listed, newest.keySet());
      replaced.forEach(this::enqueueLocked);
      replacedLocked();
    } finally {
      lock.unlock();
    }
    wakeConsumer();
  }

  /** Returns the newest queued delta of each object, in the order in which the objects came in. */
  @GuardedBy("lock")
  private Map<String, ObjectDelta<T>> newestByKeyLocked() {
    Map<String, ObjectDelta<T>> newest = new LinkedHashMap<>();
    for (Delta<T> delta : items) {
      if (delta instanceof ObjectDelta<T> object) {
        newest.put(object.key(), object);
      }
    }
    return newest;
  }

  @Override
  public void resync() {
    lock.lock();
    try {
      if (knownObjects == null) {
        enqueueLocked(new SyncAll<>());
      } else {
        appendSyncsLocked(knownObjects, newestByKeyLocked().keySet());
      }
      appendedLocked();
    } finally {
      lock.unlock();
    }
    wakeConsumer();
  }

  @Override
  public void bookmark(String resourceVersion) {
    requireNonNull(resourceVersion, "resourceVersion");
    if (!emitBookmarks) {
      return;
    }
    lock.lock();
    try {
      enqueueLocked(new Bookmark<>(resourceVersion));
      appendedLocked();
    } finally {
      lock.unlock();
    }
    wakeConsumer();
  }

  // ---- the queue itself

  @Override
  @GuardedBy("lock")
  int lengthLocked() {
    return items.size();
  }

  @Override
  @GuardedBy("lock")
  void appendLocked(ObjectDelta<T> delta) {
    enqueueLocked(delta);
  }

  @GuardedBy("lock")
  private void enqueueLocked(Delta<T> delta) {
    items.add(delta);
    queuedLocked(delta);
  }

  /** Takes the head, and the deltas behind it that can be processed together with it. */
  @Override
  @GuardedBy("lock")
  List<Delta<T>> takeLocked(int limit) {
    Delta<T> head = items.remove();
    if (limit == 1 || !(head instanceof ObjectDelta<T> first)) {
      return List.of(head);
    }
    List<Delta<T>> batch = new ArrayList<>();
    batch.add(head);
    Set<String> keys = new HashSet<>();
    keys.add(first.key());
    // A batch has no order, so it contains at most one delta of each object and none of the whole
    // collection.
    while (batch.size() < limit
        && items.peek() instanceof ObjectDelta<T> next
        && keys.add(next.key())) {
      batch.add(items.remove());
    }
    return Collections.unmodifiableList(batch);
  }

  @Override
  @GuardedBy("lock")
  boolean unlocksWhileProcessingLocked() {
    return unlockWhileProcessing && items.size() < 2 * batchSize;
  }

  @Override
  int batchSize() {
    return batchSize;
  }

  /**
   * Builds a {@link RealFIFO}. Not safe for use by many threads.
   *
   * @param <T> the type of the objects
   */
  public static final class Builder<T> extends DeltaQueue.Builder<T, Builder<T>> {

    private boolean unlockWhileProcessing;
    private boolean emitBookmarks;
    private int batchSize = BATCH_SIZE;
    private Supplier<ShardSelector> shard = () -> ShardSelector.EVERYTHING;

    private Builder(KeyFunction<? super T> keyFunction) {
      super(keyFunction, "RealFIFO");
    }

    @Override
    Builder<T> self() {
      return this;
    }

    /**
     * Makes the queue split lists and resyncs, by comparing them with the objects in the consumer's
     * store. The consumer must update the store before the processor returns. Default: none, events
     * are atomic.
     */
    public Builder<T> knownObjects(KnownObjects<T> knownObjects) {
      this.knownObjects = requireNonNull(knownObjects, "knownObjects");
      return this;
    }

    /**
     * Sets whether producers may add to the queue while the consumer processes. If the queue has
     * twice {@link RealFIFO#BATCH_SIZE} entries or more, producers still wait: the consumer is too
     * slow, and reading less from the watch is better than a queue that grows. Default: false.
     * Requires atomic events.
     */
    public Builder<T> unlockWhileProcessing(boolean unlockWhileProcessing) {
      this.unlockWhileProcessing = unlockWhileProcessing;
      return this;
    }

    /**
     * Sets whether the consumer receives bookmarks. Default: false, they are dropped. Requires
     * atomic events.
     */
    public Builder<T> emitBookmarks(boolean emitBookmarks) {
      this.emitBookmarks = emitBookmarks;
      return this;
    }

    /** Sets a function that returns the shard of the list that is being put in. */
    Builder<T> shard(Supplier<ShardSelector> shard) {
      this.shard = shard;
      return this;
    }

    Builder<T> batchSize(int batchSize) {
      this.batchSize = batchSize;
      return this;
    }

    /**
     * Returns an empty queue.
     *
     * @throws IllegalStateException if options contradict each other
     */
    public RealFIFO<T> build() {
      if (knownObjects != null && unlockWhileProcessing) {
        throw new IllegalStateException(
            "a queue with knownObjects cannot have unlockWhileProcessing: a list that comes while"
                + " an object is neither in the queue nor in the store would miss its deletion");
      }
      if (knownObjects != null && emitBookmarks) {
        throw new IllegalStateException(
            "a queue with knownObjects cannot have emitBookmarks: a bookmark would say that a list"
                + " is processed while some of its objects are not");
      }
      return new RealFIFO<>(this);
    }
  }
}
