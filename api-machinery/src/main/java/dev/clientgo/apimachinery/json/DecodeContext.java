package dev.clientgo.apimachinery.json;

import dev.clientgo.apimachinery.json.internal.intern.Pool;
import dev.clientgo.apimachinery.json.internal.intern.RepeatedValues;
import dev.clientgo.apimachinery.json.internal.intern.WeakValueCache;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The values that the objects of one stream share: bounded pools of strings and of other immutable
 * values.
 *
 * <p>The objects of a list or a watch have equal parts: label keys, images, node names,
 * tolerations, owner references. Since all values are immutable, the objects can share one copy. A
 * context may outlive a stream: an informer has one for all its lists and watches, so a relist
 * finds the strings that the store already holds.
 *
 * <p>The pools have a fixed bound, and first drop the values that occurred once. Strings of more
 * than 64 characters are not pooled: they rarely repeat, and the pool would keep memory that no
 * object uses.
 *
 * <p>Deletions make values age: the context drops a value that no object used during a whole
 * generation. A generation ends after {@value #MIN_DELETIONS} to 2,048 deletions, in proportion to
 * the size of the pool. After fewer deletions, each of the next two lists or watches ends one. So a
 * context whose objects are all deleted is nearly empty, and without deletions a context forgets
 * nothing. Not thread-safe: one thread at a time may use a context.
 */
public final class DecodeContext {

  /** The number of strings that a generation holds. */
  static final int STRINGS = 16 << 10;

  /** The number of other values that a generation holds. */
  static final int VALUES = 4 << 10;

  /** The number of deletions that end a generation if the pool is small. */
  static final int MIN_DELETIONS = 256;

  private final Pool strings;
  private final Pool values;
  private final @Nullable WeakValueCache weakValues;

  /** Created at the first look-up of a text. */
  private @Nullable RepeatedValues texts;

  private boolean readingDeleted;
  private int deletions;

  /** The number of next streams that end a generation, to drop the values of deleted objects. */
  private int endingStreams;

  private DecodeContext(Pool strings, Pool values, @Nullable WeakValueCache weakValues) {
    this.strings = strings;
    this.values = values;
    this.weakValues = weakValues;
  }

  /** Returns a context with pools of the usual size, which start small and grow with use. */
  public static DecodeContext create() {
    return new DecodeContext(new Pool(STRINGS), new Pool(VALUES), null);
  }

  /**
   * Returns a context for one object, such as the answer to a GET. It shares nothing: little
   * repeats within an object, and the pools would cost more than the object.
   */
  public static DecodeContext ofObject() {
    return new DecodeContext(Pool.NONE, Pool.NONE, null);
  }

  /**
   * Returns a context for the lists and watches of a store, which bring the same objects many
   * times, with small changes. While the store holds a part of an object, such as the spec of a
   * pod, an unchanged part is not decoded again; the new object shares it with the old one.
   */
  public static DecodeContext ofStore() {
    return new DecodeContext(new Pool(STRINGS), new Pool(VALUES), new WeakValueCache());
  }

  /** Records the start of a stream. The decoder of a list or watch calls it before it reads. */
  public void startStream() {
    if (endingStreams > 0) {
      endingStreams--;
      startGeneration();
      sweep();
    }
  }

  /** Starts a generation, and drops the values that no object used in the previous one. */
  private void startGeneration() {
    deletions = 0;
    strings.startGeneration();
    values.startGeneration();
    if (texts != null) {
      texts.startGeneration();
    }
  }

  /**
   * Forgets the parts of objects that have been garbage-collected. Takes about 5 ns for each part
   * of 512 bytes or more that the context knows. The decoder of a watch calls it at each bookmark,
   * which a server sends about once a minute.
   */
  public void sweep() {
    if (weakValues != null) {
      weakValues.sweep();
    }
  }

  /**
   * Reads the last state of a deleted object. The object shares the values that the context knows,
   * and the context keeps no new ones.
   */
  public <T> T readDeleted(Supplier<T> object) {
    closePools(true);
    try {
      return object.get();
    } finally {
      closePools(false);
      deletions++;
      endingStreams = 2;
      // An object has about 16 strings, so this many deletions can replace the whole pool.
      if (deletions >= Math.max(MIN_DELETIONS, strings.capacity() / 16)) {
        startGeneration();
      }
    }
  }

  private void closePools(boolean closed) {
    readingDeleted = closed;
    strings.close(closed);
    values.close(closed);
    repeatedValues().close(closed);
  }

  /** Returns whether objects share values. */
  boolean isSharing() {
    return strings != Pool.NONE;
  }

  /** Returns whether the object that is being read has been deleted. */
  boolean isReadingDeleted() {
    return readingDeleted;
  }

  /** Returns an equal string from the pool, or else adds this one and returns it. */
  public String share(String value) {
    return strings.string(value);
  }

  /**
   * Returns an equal value of the same type from the pool, or else adds this one and returns it.
   * The value must be immutable and small: the pool may keep it as long as the context lives.
   */
  public <T> T share(T value) {
    if (!isSharing()) {
      return value;
    }
    if (value instanceof String string) {
      return same(value, share(string));
    }
    return same(value, values.share(value));
  }

  /** Returns the small values that are known by their text. */
  RepeatedValues repeatedValues() {
    RepeatedValues known = texts;
    if (known == null) {
      known = new RepeatedValues();
      texts = known;
    }
    return known;
  }

  /** Returns the large values that are known by their text; null if this context has none. */
  @Nullable WeakValueCache weakValues() {
    return weakValues;
  }

  /** Returns the pool of strings. */
  Pool strings() {
    return strings;
  }

  /** Returns the value from the pool if it has the class of the equal value that was looked up. */
  private static <T> T same(T value, Object found) {
    // Equal values of different classes exist, such as two kinds of lists.
    if (value.getClass() != found.getClass()) {
      return value;
    }
    @SuppressWarnings("unchecked") // of the same class and, since equal, of the same arguments
    T same = (T) found;
    return same;
  }
}
