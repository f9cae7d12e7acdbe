package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.sharding.ShardSelector;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * A change on its way from the Reflector through a {@link Queue} to the store and the handlers.
 *
 * <p>A delta is what the server reported: an {@link Added} object may be in the store already, for
 * instance after the watch was down. So the consumer looks at the store to tell a new object from a
 * changed one.
 *
 * <p>{@link #match} handles every kind, and so does a pattern {@code switch} on Java 21 and later.
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.Delta}.
 *
 * @param <T> the type of the objects
 */
public sealed interface Delta<T> {

  /** The kinds of deltas, for messages and for a switch. */
  enum Type {
    ADDED,
    UPDATED,
    DELETED,
    REPLACED,
    SYNC,
    REPLACED_ALL,
    SYNC_ALL,
    BOOKMARK
  }

  /** Returns which kind of delta this is. */
  Type type();

  /** Calls the case for this kind of delta and returns its result. */
  <R> R match(Cases<T, R> cases);

  /** A delta of one object. Only such deltas can form a batch. */
  sealed interface ObjectDelta<T> extends Delta<T> {

    /** Returns the key of the object. */
    String key();
  }

  /** A delta after which the object exists, in the given state. */
  sealed interface Upserted<T> extends ObjectDelta<T> {

    /** Returns the object. */
    T value();

    @Override
    default <R> R match(Cases<T, R> cases) {
      return cases.upserted(this);
    }
  }

  /** The watch reported an object as new. */
  record Added<T>(String key, T value) implements Upserted<T> {
    public Added {
      requireNonNull(key, "key");
      requireNonNull(value, "value");
    }

    @Override
    public Type type() {
      return Type.ADDED;
    }
  }

  /** The watch reported an object's new state. */
  record Updated<T>(String key, T value) implements Upserted<T> {
    public Updated {
      requireNonNull(key, "key");
      requireNonNull(value, "value");
    }

    @Override
    public Type type() {
      return Type.UPDATED;
    }
  }

  /**
   * A list of the collection contained this object. Occurs at the start and after the watch was
   * lost, once for each object of the list, if the queue splits lists ({@link DeltaFIFO}, or {@link
   * RealFIFO} without atomic events).
   */
  record Replaced<T>(String key, T value) implements Upserted<T> {
    public Replaced {
      requireNonNull(key, "key");
      requireNonNull(value, "value");
    }

    @Override
    public Type type() {
      return Type.REPLACED;
    }
  }

  /**
   * The object is unchanged, but handlers look at it again. Occurs once for each known object at a
   * resync, if the queue splits resyncs ({@link DeltaFIFO}, or {@link RealFIFO} without atomic
   * events).
   */
  record Sync<T>(String key, T value) implements Upserted<T> {
    public Sync {
      requireNonNull(key, "key");
      requireNonNull(value, "value");
    }

    @Override
    public Type type() {
      return Type.SYNC;
    }
  }

  /**
   * The watch reported the deletion of an object, or a list of the collection lacked the object.
   */
  record Deleted<T>(DeletedObject<T> deleted) implements ObjectDelta<T> {
    public Deleted {
      requireNonNull(deleted, "deleted");
    }

    @Override
    public String key() {
      return deleted.key();
    }

    @Override
    public Type type() {
      return Type.DELETED;
    }

    @Override
    public <R> R match(Cases<T, R> cases) {
      return cases.deleted(this);
    }
  }

  /**
   * The collection was listed: an object that the list lacks was deleted. Occurs at the start and
   * after the watch was lost, if the queue's events are atomic (the default of {@link RealFIFO}).
   *
   * @param objects the objects by their keys, in the order of the list; the map is not copied
   * @param unreadable the keys of the objects in the list that could not be read; these exist
   * @param resourceVersion the version of the collection that the list shows
   * @param shard selects the objects of the collection that are followed from now on; other objects
   *     may still exist
   * @param kept selects those of the shard that were not listed again, and stay as they are
   */
  record ReplacedAll<T>(
      Map<String, T> objects,
      Set<String> unreadable,
      String resourceVersion,
      ShardSelector shard,
      ShardSelector kept)
      implements Delta<T> {
    public ReplacedAll {
      objects = Collections.unmodifiableMap(objects);
      unreadable = Set.copyOf(unreadable);
      requireNonNull(resourceVersion, "resourceVersion");
      requireNonNull(shard, "shard");
      requireNonNull(kept, "kept");
    }

    /** Creates a list of a whole shard. */
    public ReplacedAll(
        Map<String, T> objects,
        Set<String> unreadable,
        String resourceVersion,
        ShardSelector shard) {
      this(objects, unreadable, resourceVersion, shard, shard.without(shard));
    }

    /** Creates a list of the whole collection. */
    public ReplacedAll(Map<String, T> objects, Set<String> unreadable, String resourceVersion) {
      this(objects, unreadable, resourceVersion, ShardSelector.EVERYTHING);
    }

    @Override
    public Type type() {
      return Type.REPLACED_ALL;
    }

    @Override
    public <R> R match(Cases<T, R> cases) {
      return cases.replacedAll(this);
    }
  }

  /**
   * All objects are unchanged, but handlers look at them again. Occurs at a resync, if the queue's
   * events are atomic (the default of {@link RealFIFO}).
   */
  record SyncAll<T>() implements Delta<T> {

    @Override
    public Type type() {
      return Type.SYNC_ALL;
    }

    @Override
    public <R> R match(Cases<T, R> cases) {
      return cases.syncAll(this);
    }
  }

  /**
   * The collection has reached a version without a change of its objects. Occurs when the server
   * sends a bookmark, about once a minute, if the queue passes bookmarks on.
   *
   * @param resourceVersion the version of the collection
   */
  record Bookmark<T>(String resourceVersion) implements Delta<T> {
    public Bookmark {
      requireNonNull(resourceVersion, "resourceVersion");
    }

    @Override
    public Type type() {
      return Type.BOOKMARK;
    }

    @Override
    public <R> R match(Cases<T, R> cases) {
      return cases.bookmark(this);
    }
  }

  /**
   * The methods that {@link Delta#match} calls, one for each kind of delta.
   *
   * @param <T> the type of the objects
   * @param <R> the type of the result
   */
  interface Cases<T, R> {

    /**
     * Handles an object that exists: {@link Added}, {@link Updated}, {@link Replaced}, or {@link
     * Sync}.
     */
    R upserted(Upserted<T> delta);

    /** Handles an object that was deleted. */
    R deleted(Deleted<T> delta);

    /** Handles a list of the whole collection. */
    R replacedAll(ReplacedAll<T> delta);

    /** Handles a resync of the whole collection. */
    R syncAll(SyncAll<T> delta);

    /** Handles a new version of an unchanged collection. */
    R bookmark(Bookmark<T> delta);
  }
}
