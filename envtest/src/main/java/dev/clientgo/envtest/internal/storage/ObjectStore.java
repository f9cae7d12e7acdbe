package dev.clientgo.envtest.internal.storage;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of all kinds, with one revision that grows with every change, as in etcd.
 *
 * <p>Readers get snapshots. A writer prepares an object outside the lock and then compares and
 * swaps it. A watch pulls changes from its position in the {@link ChangeHistory}. The lock is
 * therefore held for a few map operations at a time, and no writer waits for a client. Safe for use
 * by many threads.
 */
public final class ObjectStore {

  private static final int MAX_BATCH = 500;

  /** The objects of a kind at a revision. The caller owns the map. */
  public record Snapshot(long revision, NavigableMap<String, StoredObject> objects) {}

  /** The result of a wait for changes. */
  public enum BatchStatus {
    /** There are changes, or the subscription was woken, or the time has passed. */
    CHANGES,
    /** Unread changes have been forgotten. */
    LOST,
    /** The kind is no longer served, or the server stops. */
    ENDED
  }

  /**
   * The changes that a subscription returns at once. Everything up to the revision has been read.
   */
  public record Batch(BatchStatus status, List<ObjectChange> changes, long revision) {}

  /** The objects of one kind and the changes to them. */
  private static final class Collection {
    final NavigableMap<String, StoredObject> objects = new TreeMap<>();
    final ChangeHistory history;
    final Condition changed;
    @Nullable FieldIndex index;

    /**
     * Watches cannot start before this revision: kube-apiserver fills its watch cache when a kind
     * appears.
     */
    long watchableSince;

    /** Lists cannot go back before this revision: etcd is compacted from time to time. */
    long listableSince;

    boolean ended;

    /**
     * Whether nothing is ever stored here, so that changes elsewhere do not concern its readers.
     */
    boolean detached;

    Collection(ChangeHistory history, Condition changed, long watchableSince) {
      this.history = history;
      this.changed = changed;
      this.watchableSince = watchableSince;
    }

    long oldestWatch() {
      return Math.max(watchableSince, history.horizon());
    }

    long oldestList() {
      return Math.max(listableSince, history.horizon());
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Clock clock;
  private final int historyLimit;

  @GuardedBy("lock")
  private final Map<GroupResource, Collection> collections = new LinkedHashMap<>();

  @GuardedBy("lock")
  private long revision = 1;

  /**
   * Creates an empty store.
   *
   * @param clock the clock that subscriptions wait by
   * @param historyLimit the number of changes of each kind that are kept at least
   */
  public ObjectStore(Clock clock, int historyLimit) {
    this.clock = clock;
    this.historyLimit = historyLimit;
  }

  /** Starts to store objects of a kind, unless it does so already. */
  public void open(GroupResource resource) {
    lock.lock();
    try {
      // Even the first change must come after a revision that a client can name.
      revision++;
      collections.computeIfAbsent(
          resource,
          r -> new Collection(new ChangeHistory(historyLimit), clock.newCondition(lock), revision));
    } finally {
      lock.unlock();
    }
  }

  /** Indexes a kind by a field. It must be open, and have no objects yet. */
  public void index(GroupResource resource, String field) {
    lock.lock();
    try {
      requireNonNull(collections.get(resource)).index = new FieldIndex(field);
    } finally {
      lock.unlock();
    }
  }

  /** Deletes a kind with all its objects, and ends its watches. */
  public void drop(GroupResource resource) {
    lock.lock();
    try {
      Collection collection = collections.remove(resource);
      if (collection != null) {
        endLocked(collection);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends all watches. Objects remain readable and writable. */
  public void endWatches() {
    lock.lock();
    try {
      collections.values().forEach(ObjectStore::endLocked);
    } finally {
      lock.unlock();
    }
  }

  private static void endLocked(Collection collection) {
    collection.ended = true;
    collection.changed.signalAll();
  }

  public long revision() {
    lock.lock();
    try {
      return revision;
    } finally {
      lock.unlock();
    }
  }

  public @Nullable StoredObject get(GroupResource resource, String key) {
    lock.lock();
    try {
      Collection collection = collections.get(resource);
      return collection == null ? null : collection.objects.get(key);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the objects whose keys start with a prefix. */
  public Snapshot list(GroupResource resource, String prefix) {
    lock.lock();
    try {
      return snapshotLocked(resource, prefix);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the objects whose keys start with a prefix, and which the selector may select: others
   * are left out if the kind is indexed by a field that the selector requires.
   */
  public Snapshot list(GroupResource resource, String prefix, FieldSelector fields) {
    lock.lock();
    try {
      Collection collection = collections.get(resource);
      FieldIndex index = collection == null ? null : collection.index;
      Optional<String> value =
          index == null ? Optional.empty() : fields.requiresExactMatch(index.field());
      return index == null || value.isEmpty()
          ? snapshotLocked(resource, prefix)
          : new Snapshot(revision, new TreeMap<>(range(index.with(value.get()), prefix)));
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Snapshot snapshotLocked(GroupResource resource, String prefix) {
    Collection collection = collections.get(resource);
    return new Snapshot(
        revision,
        collection == null ? new TreeMap<>() : new TreeMap<>(range(collection.objects, prefix)));
  }

  /** Returns the objects at a past revision, or null if it has been forgotten. */
  public @Nullable Snapshot listAt(GroupResource resource, String prefix, long past) {
    lock.lock();
    try {
      Collection collection = collections.get(resource);
      if (collection == null) {
        return new Snapshot(past, new TreeMap<>());
      }
      if (past < collection.oldestList()) {
        return null;
      }
      NavigableMap<String, StoredObject> objects = new TreeMap<>(collection.objects);
      collection.history.undo(objects, past);
      return new Snapshot(past, new TreeMap<>(range(objects, prefix)));
    } finally {
      lock.unlock();
    }
  }

  private static NavigableMap<String, StoredObject> range(
      NavigableMap<String, StoredObject> objects, String prefix) {
    return prefix.isEmpty()
        ? objects
        : objects.subMap(prefix, true, prefix + Character.MAX_VALUE, false);
  }

  /**
   * Replaces an object if it has not changed.
   *
   * @param expected the current object, or null if there must be none
   * @param object the new object; this method sets its resource version
   * @return the stored object, or null if another writer has changed it
   */
  public @Nullable StoredObject put(
      GroupResource resource, String key, @Nullable StoredObject expected, Unstructured object) {
    return put(resource, key, expected, object, expected == null ? "" : expected.version());
  }

  /**
   * Replaces an object if it has not changed.
   *
   * @param expected the current object, or null if there must be none
   * @param object the new object; this method sets its resource version
   * @param version the version of the kind in which the new object is
   * @return the stored object, or null if another writer has changed it
   */
  public @Nullable StoredObject put(
      GroupResource resource,
      String key,
      @Nullable StoredObject expected,
      Unstructured object,
      String version) {
    lock.lock();
    try {
      Collection collection = collections.get(resource);
      if (collection == null || collection.objects.get(key) != expected) {
        return null;
      }
      StoredObject stored = StoredObject.of(key, ++revision, version, object);
      collection.objects.put(key, stored);
      publishLocked(collection, new ObjectChange(revision, expected, stored));
      return stored;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Deletes an object if it has not changed.
   *
   * @return the object with the revision of its deletion, or null if another writer has changed it
   */
  public @Nullable StoredObject delete(GroupResource resource, StoredObject expected) {
    lock.lock();
    try {
      Collection collection = collections.get(resource);
      if (collection == null || collection.objects.get(expected.key()) != expected) {
        return null;
      }
      collection.objects.remove(expected.key());
      ObjectChange change = new ObjectChange(++revision, expected, null);
      publishLocked(collection, change);
      return change.gone();
    } finally {
      lock.unlock();
    }
  }

  /** Returns a subscription to no changes, which only {@link Subscription#wake} wakes. */
  public Subscription subscribeToNothing() {
    lock.lock();
    try {
      Collection nothing = new Collection(new ChangeHistory(1), lock.newCondition(), revision);
      nothing.detached = true;
      return new Subscription(
          nothing, "", nothing.history.end(), new Snapshot(revision, new TreeMap<>()));
    } finally {
      lock.unlock();
    }
  }

  private static void publishLocked(Collection collection, ObjectChange change) {
    collection.history.add(change);
    if (collection.index != null) {
      collection.index.add(change);
    }
    collection.changed.signalAll();
  }

  /**
   * Makes the current revision the earliest at which lists and watches can start. Open watches
   * continue.
   */
  public void compact() {
    lock.lock();
    try {
      for (Collection collection : collections.values()) {
        collection.watchableSince = revision;
        collection.listableSince = revision;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Subscribes to the changes of a kind.
   *
   * @param after the revision to start after, or null to start now
   * @return the subscription, with the current objects if it starts now
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if changes after that revision have
   *     been forgotten
   */
  public Subscription subscribe(GroupResource resource, String prefix, @Nullable Long after) {
    lock.lock();
    try {
      Collection collection = collections.get(resource);
      if (collection == null) {
        throw ApiErrors.noSuchResource();
      }
      if (after == null) {
        return new Subscription(
            collection, prefix, collection.history.end(), snapshotLocked(resource, prefix));
      }
      if (after < collection.oldestWatch()) {
        throw ApiErrors.expiredWatch(after, collection.oldestWatch());
      }
      return new Subscription(
          collection,
          prefix,
          collection.history.positionAfter(after),
          new Snapshot(after, new TreeMap<>()));
    } finally {
      lock.unlock();
    }
  }

  /** A position in the changes to a kind. One thread reads it; any thread wakes it. */
  public final class Subscription {

    private final Collection collection;
    private final String prefix;
    private final Snapshot start;

    @GuardedBy("lock")
    private long position;

    @GuardedBy("lock")
    private boolean woken;

    private Subscription(Collection collection, String prefix, long position, Snapshot start) {
      this.collection = collection;
      this.prefix = prefix;
      this.position = position;
      this.start = start;
    }

    /** Returns the objects and the revision at the start. */
    public Snapshot start() {
      return start;
    }

    /**
     * Waits for changes, for {@link #wake}, or for the time to pass, and returns the changes.
     *
     * @param silent whether to leave changes unread, and to wait only for {@link #wake} and the
     *     end; asked under the lock, so that no change that comes after its answer turns true is
     *     read
     */
    public Batch next(BooleanSupplier silent, Duration atMost) throws InterruptedException {
      lock.lock();
      try {
        Deadline deadline = clock.deadline(atMost);
        while (!woken
            && !collection.ended
            && (silent.getAsBoolean() || collection.history.end() <= position)
            && deadline.await(lock, collection.changed)) {}
        woken = false;
        return silent.getAsBoolean() && !collection.ended
            ? new Batch(BatchStatus.CHANGES, List.of(), revision)
            : readLocked();
      } finally {
        lock.unlock();
      }
    }

    /**
     * Returns whether a change belongs to the subscription. A change before its start only occurs
     * if it starts in the future.
     */
    public boolean isAbout(ObjectChange change) {
      return change.revision() > start.revision() && change.key().startsWith(prefix);
    }

    @GuardedBy("lock")
    private Batch readLocked() {
      if (collection.history.isLost(position)) {
        return new Batch(BatchStatus.LOST, List.of(), revision);
      }
      if (collection.ended && position == collection.history.end()) {
        return new Batch(BatchStatus.ENDED, List.of(), revision);
      }
      if (collection.detached) {
        return new Batch(BatchStatus.CHANGES, List.of(), start.revision());
      }
      List<ObjectChange> changes = collection.history.from(position, MAX_BATCH);
      position += changes.size();
      boolean all = position == collection.history.end();
      long seen = all ? revision : changes.get(changes.size() - 1).revision();
      return new Batch(BatchStatus.CHANGES, changes, seen);
    }

    /** Makes {@link #next} return. */
    public void wake() {
      lock.lock();
      try {
        woken = true;
        collection.changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
