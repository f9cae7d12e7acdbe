package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue that informers use: it passes on every event in the order in which it came. Nothing is
 * merged, so a consumer sees each state that the watch reported, and events of different objects
 * keep their order. {@link DeltaFIFO} is the older queue, which does not promise that.
 *
 * <p>A queue comes in two kinds:
 *
 * <ul>
 *   <li><b>With atomic events</b>, the default. A list of the whole collection is one delta, {@link
 *       ReplacedAll}, and a resync is one, {@link SyncAll}. The consumer compares the list with its
 *       store, so the store moves from one consistent version of the collection to the next.
 *   <li><b>With {@linkplain Builder#knownObjects known objects}</b>. The queue compares a list with
 *       what is in the queue and in the store, and takes it apart: first a {@link Deleted} for each
 *       object that is gone, then a {@link Replaced} for each object of the list. A resync becomes
 *       a {@link Sync} for each object that is in the store and has nothing queued.
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

  /** How many deltas {@link #popBatch} processes at once at most: {@value}. */
  public static final int BATCH_SIZE = 1000;

  private final @Nullable KnownObjects<T> knownObjects;
  private final boolean unlockWhileProcessing;
  private final boolean emitBookmarks;
  private final int batchSize;

  @GuardedBy("lock")
  private final ArrayDeque<Delta<T>> items = new ArrayDeque<>();

  private RealFIFO(Builder<T> options) {
    super(options);
    this.knownObjects = options.knownObjects;
    this.unlockWhileProcessing = options.unlockWhileProcessing;
    this.emitBookmarks = options.emitBookmarks;
    this.batchSize = options.batchSize;
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
    List<T> transformed = transform(objects);
    if (knownObjects == null) {
      replaceAtomically(new ReplacedAll<>(transformed, unreadable, resourceVersion));
    } else {
      replaceOneByOne(transformed, unreadable, knownObjects);
    }
  }

  private void replaceAtomically(ReplacedAll<T> delta) {
    // An object without a key is refused here, where it can still be reported to who listed it.
    for (T object : delta.objects()) {
      keyOf(object);
    }
    lock.lock();
    try {
      items.add(delta);
      replacedLocked();
      enqueuedLocked();
    } finally {
      lock.unlock();
    }
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
      enqueueDeletionsLocked(listed, known);
      items.addAll(replaced);
      replacedLocked();
      enqueuedLocked();
    } finally {
      lock.unlock();
    }
  }

  /** Finds what is in the queue or in the store but not in the list. */
  @GuardedBy("lock")
  private void enqueueDeletionsLocked(Set<String> listed, KnownObjects<T> known) {
    Map<String, ObjectDelta<T>> newestByKey = new LinkedHashMap<>();
    for (Delta<T> delta : items) {
      if (delta instanceof ObjectDelta<T> object) {
        newestByKey.put(object.key(), object);
      }
    }
    newestByKey.forEach(
        (key, newest) -> {
          // What is queued as deleted already stays deleted, listed again or not: a deletion
          // followed by a Replaced is how a recreated object looks.
          if (!listed.contains(key) && newest instanceof Upserted<T> upserted) {
            enqueueDeletedLocked(DeletedObject.ofUnknownFinalState(key, upserted.object()));
          }
        });
    for (String key : known.listKeys()) {
      if (!listed.contains(key) && !newestByKey.containsKey(key)) {
        enqueueDeletedLocked(tombstone(key, known));
      }
    }
  }

  @GuardedBy("lock")
  private void enqueueDeletedLocked(DeletedObject<T> deleted) {
    items.add(new Deleted<>(deleted));
  }

  @Override
  public void resync() {
    lock.lock();
    try {
      if (knownObjects == null) {
        items.add(new SyncAll<>());
      } else {
        enqueueSyncsLocked(knownObjects);
      }
      enqueuedLocked();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Queues what is known, except where something newer is queued: a Sync behind it would take the
   * object back to the state before.
   */
  @GuardedBy("lock")
  private void enqueueSyncsLocked(KnownObjects<T> known) {
    Set<String> queued = new HashSet<>();
    for (Delta<T> delta : items) {
      if (delta instanceof ObjectDelta<T> object) {
        queued.add(object.key());
      }
    }
    for (String key : known.listKeys()) {
      if (!queued.contains(key)) {
        Optional<T> object = known.getByKey(key);
        if (object.isPresent()) {
          items.add(new Sync<>(key, object.get()));
        }
      }
    }
  }

  @Override
  public void bookmark(String resourceVersion) {
    requireNonNull(resourceVersion, "resourceVersion");
    if (!emitBookmarks) {
      return;
    }
    lock.lock();
    try {
      items.add(new Bookmark<>(resourceVersion));
      enqueuedLocked();
    } finally {
      lock.unlock();
    }
  }

  // ---- what the common part asks for

  @Override
  @GuardedBy("lock")
  int lengthLocked() {
    return items.size();
  }

  @Override
  @GuardedBy("lock")
  void enqueueLocked(ObjectDelta<T> delta) {
    items.add(delta);
  }

  /** Takes the head, and what can be processed together with it. */
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
    // In a batch the order gets lost, so it has one delta of each object at most, and none of the
    // whole collection.
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

    private @Nullable KnownObjects<T> knownObjects;
    private boolean unlockWhileProcessing;
    private boolean emitBookmarks;
    private int batchSize = BATCH_SIZE;

    private Builder(KeyFunction<? super T> keyFunction) {
      super(keyFunction, "RealFIFO");
    }

    @Override
    Builder<T> self() {
      return this;
    }

    /**
     * Makes the queue take lists and resyncs apart, by comparing them with these objects: what the
     * consumer has put into its store. The consumer must update the store before the processor
     * returns. Default: none, events are atomic.
     */
    public Builder<T> knownObjects(KnownObjects<T> knownObjects) {
      this.knownObjects = requireNonNull(knownObjects, "knownObjects");
      return this;
    }

    /**
     * Sets whether producers may put in while the consumer processes. If the queue has twice {@link
     * RealFIFO#BATCH_SIZE} entries or more, they have to wait even so: then the consumer is too
     * slow, and it is better to read less from the watch than to let the queue grow. Default:
     * false. Needs atomic events.
     */
    public Builder<T> unlockWhileProcessing(boolean unlockWhileProcessing) {
      this.unlockWhileProcessing = unlockWhileProcessing;
      return this;
    }

    /**
     * Sets whether bookmarks are passed on to the consumer. Default: false, they are dropped. Needs
     * atomic events.
     */
    public Builder<T> emitBookmarks(boolean emitBookmarks) {
      this.emitBookmarks = emitBookmarks;
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
