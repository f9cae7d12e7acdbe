package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The values that the objects of one stream share: bounded pools of strings and of other immutable
 * values.
 *
 * <p>The objects of a list or a watch repeat each other: label keys, images, node names,
 * tolerations, owner references. Since all values are immutable, one copy of each can serve all. A
 * context may outlive a stream: an informer keeps one over all its lists and watches, so that a
 * relist finds the strings that the store holds already.
 *
 * <p>The pools have a fixed bound and drop first the values that occurred once. Strings of more
 * than {@value #MAX_STRING_CHARS} characters are not pooled: they seldom repeat, and the pool would
 * keep alive memory that no object uses.
 *
 * <p>As objects are deleted, values age: one that no object uses during a whole generation is
 * dropped. A generation ends after {@value #MIN_DELETIONS} to 2,048 deletions, the more the larger
 * the pool is; after fewer, each of the next two lists or watches ends one. So a context whose
 * objects are all deleted is nearly empty, and one whose objects stay forgets nothing. An instance
 * is for one thread at a time.
 */
public final class DecodeContext {

  /** Longer strings are not pooled. */
  static final int MAX_STRING_CHARS = 64;

  /** Longer raw values are not pooled. */
  static final int MAX_RAW_BYTES = 8 << 10;

  /** How many strings are remembered in a generation. */
  static final int STRINGS = 16 << 10;

  /** How many other values are remembered in a generation. */
  static final int VALUES = 4 << 10;

  /** How many deletions end a generation at least. A larger pool takes more. */
  static final int MIN_DELETIONS = 256;

  private final Pool strings = new Pool(STRINGS);
  private final Pool values = new Pool(VALUES);
  private final @Nullable WeakValueCache weakValues;

  /** Null until a value is looked up by its text. */
  private @Nullable RepeatedValues texts;

  private boolean readingDeleted;
  private int deletions;

  /** How many of the next streams end a generation, to drop all that the deleted objects used. */
  private int endingStreams;

  private DecodeContext(@Nullable WeakValueCache weakValues) {
    this.weakValues = weakValues;
  }

  /** Returns a context with pools of the usual size, which begin small and grow when used. */
  public static DecodeContext create() {
    return new DecodeContext(null);
  }

  /**
   * Returns a context for streams that bring the same objects again and again, somewhat changed, to
   * a store. A part that has not changed, such as the spec of a pod, is not decoded again as long
   * as the store holds it; the new object shares it with the old one.
   */
  public static DecodeContext ofStore() {
    return new DecodeContext(new WeakValueCache());
  }

  /** Notes that a stream begins. The decoder of a list or watch calls it before it reads. */
  public void startStream() {
    if (endingStreams > 0) {
      endingStreams--;
      startGeneration();
      sweep();
    }
  }

  /** Starts a generation, and drops the values that no object used in the one that ends. */
  private void startGeneration() {
    deletions = 0;
    strings.startGeneration();
    values.startGeneration();
    if (texts != null) {
      texts.startGeneration();
    }
  }

  /**
   * Forgets the parts of objects that have been garbage-collected. It takes about 5 ns for each
   * part of 512 bytes or more that the context knows. The decoder of a watch calls it when it reads
   * a bookmark, which a server sends about once a minute.
   */
  public void sweep() {
    if (weakValues != null) {
      weakValues.sweep();
    }
  }

  /**
   * Reads the last state of an object that has been deleted: it shares the values that are known,
   * and the context remembers no new ones.
   */
  public <T> T readDeleted(Supplier<T> object) {
    closePools(true);
    try {
      return object.get();
    } finally {
      closePools(false);
      deletions++;
      endingStreams = 2;
      // An object brings about 16 strings; so this is a whole turn of what the pool holds.
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

  /** Returns whether the object that is being read has been deleted. */
  boolean isReadingDeleted() {
    return readingDeleted;
  }

  /** Returns an equal string that was seen before, or else this one. */
  public String share(String value) {
    return value.length() > MAX_STRING_CHARS ? value : (String) strings.share(value);
  }

  /**
   * Returns an equal value of the same type that was seen before, or else this one. The value must
   * be immutable, and small: what is shared may be kept as long as the context.
   */
  public <T> T share(T value) {
    if (value instanceof String string) {
      return same(value, share(string));
    }
    if (value instanceof RawJson raw && raw.length() > MAX_RAW_BYTES) {
      return value;
    }
    return same(value, values.share(value));
  }

  /** Returns the values that are known by their text. */
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

  /** Returns the string of the first of these characters. */
  String string(char[] text, int length) {
    return length > MAX_STRING_CHARS ? new String(text, 0, length) : strings.share(text, length);
  }

  /** Returns the string from a place up to the next quote; null if it is not a simple one. */
  @Nullable String quoted(byte[] text, int from, int to) {
    return strings.quoted(text, from, to, MAX_STRING_CHARS);
  }

  /** Returns the string of these bytes of ASCII, whose hash is that of the string. */
  String ascii(byte[] text, int offset, int length, int hash) {
    return length > MAX_STRING_CHARS
        ? new String(text, offset, length, ISO_8859_1)
        : strings.share(text, offset, length, hash);
  }

  /** Returns the value that was found, which is equal to the one asked for. */
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
