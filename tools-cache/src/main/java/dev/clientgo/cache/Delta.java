package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * A change on its way from the Reflector through a {@link Queue} to the store and the handlers.
 *
 * <p>A delta says what the server reported, not what has to be done: an {@link Added} object may be
 * in the store already, for instance after the watch was down. So whoever consumes deltas looks at
 * the store to tell a new object from a changed one.
 *
 * <p>{@link #match} tells the kinds apart so that none is forgotten; so does a pattern {@code
 * switch} from Java 21 on.
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

  /** Returns what the case that fits returns for this delta. */
  <R> R match(Cases<T, R> cases);

  /** A delta of one object. Only these can be put together in a batch. */
  sealed interface ObjectDelta<T> extends Delta<T> {

    /** Returns the key of the object. */
    String key();
  }

  /** A delta after which the object exists, in the state given. */
  sealed interface Upserted<T> extends ObjectDelta<T> {

    /** Returns the object. */
    T object();

    @Override
    default <R> R match(Cases<T, R> cases) {
      return cases.upserted(this);
    }
  }

  /** The watch reported an object as new. */
  record Added<T>(String key, T object) implements Upserted<T> {
    public Added {
      requireNonNull(key, "key");
      requireNonNull(object, "object");
    }

    @Override
    public Type type() {
      return Type.ADDED;
    }
  }

  /** The watch reported an object's new state. */
  record Updated<T>(String key, T object) implements Upserted<T> {
    public Updated {
      requireNonNull(key, "key");
      requireNonNull(object, "object");
    }

    @Override
    public Type type() {
      return Type.UPDATED;
    }
  }

  /**
   * A list of the collection contained this object. Occurs at the start and after the watch was
   * lost, once for each object of the list, if the queue takes lists apart ({@link DeltaFIFO}, or
   * {@link RealFIFO} without atomic events).
   */
  record Replaced<T>(String key, T object) implements Upserted<T> {
    public Replaced {
      requireNonNull(key, "key");
      requireNonNull(object, "object");
    }

    @Override
    public Type type() {
      return Type.REPLACED;
    }
  }

  /**
   * Nothing happened, but it is time for another look at the object. Occurs once for each known
   * object at a resync, if the queue takes resyncs apart ({@link DeltaFIFO}, or {@link RealFIFO}
   * without atomic events).
   */
  record Sync<T>(String key, T object) implements Upserted<T> {
    public Sync {
      requireNonNull(key, "key");
      requireNonNull(object, "object");
    }

    @Override
    public Type type() {
      return Type.SYNC;
    }
  }

  /** The watch reported that an object is gone, or a list of the collection did not contain it. */
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
   * The collection was listed: what is not in the list is gone. Occurs at the start and after the
   * watch was lost, if the queue's events are atomic (the default of {@link RealFIFO}).
   *
   * @param objects the objects in the order of the list; the list is not copied
   * @param unreadable the keys of objects that are in the list but could not be read: they exist
   * @param resourceVersion the version of the collection that the list shows
   */
  record ReplacedAll<T>(List<T> objects, Set<String> unreadable, String resourceVersion)
      implements Delta<T> {
    public ReplacedAll {
      objects = Collections.unmodifiableList(objects);
      unreadable = Set.copyOf(unreadable);
      requireNonNull(resourceVersion, "resourceVersion");
    }

    /** Creates a delta of a list all of which could be read. */
    public ReplacedAll(List<T> objects, String resourceVersion) {
      this(objects, Set.of(), resourceVersion);
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
   * Nothing happened, but it is time for another look at every object. Occurs at a resync, if the
   * queue's events are atomic (the default of {@link RealFIFO}).
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
   * The collection has reached a version without a change to its objects. Occurs when the server
   * sends a bookmark, about once a minute, if the queue is told to pass bookmarks on.
   *
   * @param resourceVersion the version that is reached
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
   * What to do with each kind of delta.
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

    /** Handles an object that is gone. */
    R deleted(Deleted<T> delta);

    /** Handles a list of the whole collection. */
    R replacedAll(ReplacedAll<T> delta);

    /** Handles a resync of the whole collection. */
    R syncAll(SyncAll<T> delta);

    /** Handles a new version of an unchanged collection. */
    R bookmark(Bookmark<T> delta);
  }
}
