package dev.clientgo.apimachinery.json.internal.intern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * A bounded set of values that returns the first of equal values.
 *
 * <p>Values age by generations: {@link #startGeneration} drops the values that were not looked up
 * since the previous call. A value of the previous generation that is looked up joins the new one.
 *
 * <p>The pool has two arrays and no object per entry. Each hash belongs to one row of eight places;
 * a look-up compares all of them. In a full row, a new value enters in the middle and pushes the
 * values behind it towards the end; a value that is looked up there moves to the front. So names
 * and uids that occur once pass only through the second half of a row, and never replace values
 * that repeat. Nor do values that occur twice in one object, since a value in the middle does not
 * move. The table doubles while it pushes values out, up to its bound; after that it drops them.
 * That took a pod from 3.2 kB to 3.05 kB (docs/benchmarks/informer.md).
 *
 * <p>Not safe for use by many threads.
 */
public final class Pool {

  /**
   * Longer strings are not pooled: they rarely repeat, and the pool would keep alive memory that no
   * object uses.
   */
  public static final int MAX_STRING_CHARS = 64;

  /** A pool that never has a value. */
  public static final Pool NONE = new Pool();

  private static final int ROW = 8;
  private static final int MIDDLE = ROW / 2;
  private static final int FIRST_ROWS = 2;

  private final int maxRows;
  private int[] hashes;
  private @Nullable Object[] values;
  private int pushedOut;

  /** The previous generation, which is closed; null if there is none. */
  private @Nullable Pool previous;

  /** Whether the pool adds no values. */
  private boolean closed;

  /** Creates a pool of at most {@code bound} values a generation, a power of two. */
  public Pool(int bound) {
    this.maxRows = Math.max(1, bound / ROW);
    int rows = Math.min(FIRST_ROWS, maxRows);
    this.hashes = new int[rows * ROW];
    this.values = new Object[rows * ROW];
  }

  /** Creates a pool that stays empty. */
  private Pool() {
    this.maxRows = 0;
    this.hashes = new int[ROW];
    this.values = new Object[ROW];
    this.closed = true;
  }

  /** Creates a closed copy of another pool, without its previous generation. */
  private Pool(Pool other) {
    this.maxRows = other.maxRows;
    this.hashes = other.hashes;
    this.values = other.values;
    this.closed = true;
  }

  /** Starts a generation, and drops the values that were not looked up in the previous one. */
  public void startGeneration() {
    if (isEmpty()) {
      previous = null;
      return;
    }
    previous = new Pool(this);
    int rows = Math.min(FIRST_ROWS, maxRows);
    hashes = new int[rows * ROW];
    values = new Object[rows * ROW];
    pushedOut = 0;
  }

  private boolean isEmpty() {
    for (Object value : values) {
      if (value != null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Sets whether the pool is closed: a closed pool finds values, but neither adds nor renews them.
   */
  public void close(boolean closed) {
    this.closed = closed || maxRows == 0;
  }

  /** Returns an equal value of the pool, or else adds this one and returns it. */
  public Object share(Object value) {
    int hash = value.hashCode();
    int row = row(hash);
    for (int i = row; i < row + ROW; i++) {
      if (hashes[i] == hash && value.equals(values[i])) {
        return hit(row, i);
      }
    }
    Object shared = previous == null ? value : previous.share(value);
    add(row, hash, shared);
    return shared;
  }

  /** Returns an equal string of the pool, or else adds this one and returns it. */
  public String string(String value) {
    return value.length() > MAX_STRING_CHARS ? value : (String) share((Object) value);
  }

  /** Returns the string of these characters: that of the pool, or a new one, which it adds. */
  public String string(char[] text, int length) {
    if (length > MAX_STRING_CHARS) {
      return new String(text, 0, length);
    }
    int hash = 0; // as String computes it, so each way of look-up finds the same string
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + text[i];
    }
    int row = row(hash);
    for (int i = row; i < row + ROW; i++) {
      if (hashes[i] == hash && values[i] instanceof String string && equal(string, text, length)) {
        hit(row, i);
        return string;
      }
    }
    String string = previous == null ? new String(text, 0, length) : previous.string(text, length);
    add(row, hash, string);
    return string;
  }

  /**
   * Returns the string of these bytes of ASCII: that of the pool, or a new one, which it adds.
   *
   * @param hash the hash that the string has
   */
  public String string(byte[] text, int offset, int length, int hash) {
    if (length > MAX_STRING_CHARS) {
      return new String(text, offset, length, ISO_8859_1);
    }
    int row = row(hash);
    for (int i = row; i < row + ROW; i++) {
      if (hashes[i] == hash
          && values[i] instanceof String string
          && equal(string, text, offset, length)) {
        hit(row, i);
        return string;
      }
    }
    String string =
        previous == null
            ? new String(text, offset, length, ISO_8859_1)
            : previous.string(text, offset, length, hash);
    add(row, hash, string);
    return string;
  }

  /**
   * Returns the string of ASCII that begins at a place and ends before a quote; null if it has an
   * escape or another character, or if its end is not in the array.
   *
   * <p>This method looks at most bytes of a stream, once. HotSpot compiles this early, and to so
   * much code that it does not copy it into its callers, which are all codecs
   * (docs/benchmarks/informer.md).
   */
  public @Nullable String quoted(byte[] text, int from, int to) {
    int hash = 0;
    for (int end = from; end < to; end++) {
      byte b = text[end];
      if (b == '"') {
        return string(text, from, end - from, hash);
      }
      if (b == '\\' || b < ' ') {
        break;
      }
      hash = 31 * hash + b;
    }
    return null;
  }

  /** Returns the value of this text; null if the pool does not have it. */
  @Nullable RepeatedValue find(ValueKind kind, byte[] source, int from, int length, int hash) {
    int row = row(hash);
    for (int i = row; i < row + ROW; i++) {
      if (hashes[i] == hash
          && values[i] instanceof RepeatedValue text
          && text.is(kind, source, from, length)) {
        hit(row, i);
        return text;
      }
    }
    RepeatedValue text = previous == null ? null : previous.find(kind, source, from, length, hash);
    if (text != null) {
      add(row, hash, text);
    }
    return text;
  }

  /** Adds a text that the pool does not have. */
  void keep(RepeatedValue text, int hash) {
    add(row(hash), hash, text);
  }

  private static boolean equal(String string, char[] text, int length) {
    if (string.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (string.charAt(i) != text[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean equal(String string, byte[] text, int offset, int length) {
    if (string.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (string.charAt(i) != text[offset + i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the current number of places, of both generations. */
  public int capacity() {
    return values.length + (previous == null ? 0 : previous.capacity());
  }

  private int row(int hash) {
    // Names that end in numbers have adjacent hashes, which without this would crowd a few rows.
    int mixed = (hash ^ (hash >>> 16)) * 0x85EBCA6B;
    return ((mixed ^ (mixed >>> 13)) & (values.length / ROW - 1)) * ROW;
  }

  private Object hit(int row, int place) {
    Object value = values[place];
    if (place > row + MIDDLE) {
      int hash = hashes[place];
      open(row, place);
      hashes[row] = hash;
      values[row] = value;
    }
    assert value != null;
    return value;
  }

  private void add(int row, int hash, Object value) {
    if (closed) {
      return;
    }
    int end = row + ROW - 1;
    if (values[end] == null) {
      append(row, hash, value);
    } else if (++pushedOut > values.length / 4 && values.length < maxRows * ROW) {
      grow();
      append(row(hash), hash, value);
    } else {
      open(row + MIDDLE, end);
      hashes[row + MIDDLE] = hash;
      values[row + MIDDLE] = value;
    }
  }

  /** Puts a value into the first free place of its row, or else the last place. */
  private void append(int row, int hash, Object value) {
    int place = row;
    while (values[place] != null && place < row + ROW - 1) {
      place++;
    }
    hashes[place] = hash;
    values[place] = value;
  }

  /** Moves values back by one place, over the last one. */
  private void open(int from, int to) {
    System.arraycopy(hashes, from, hashes, from + 1, to - from);
    System.arraycopy(values, from, values, from + 1, to - from);
  }

  private void grow() {
    int[] oldHashes = hashes;
    @Nullable Object[] oldValues = values;
    hashes = new int[oldHashes.length * 2];
    values = new Object[oldValues.length * 2];
    pushedOut = 0;
    for (int i = 0; i < oldValues.length; i++) {
      Object value = oldValues[i];
      if (value != null) {
        append(
            row(oldHashes[i]),
            oldHashes[i],
            value); // a row becomes two, so there is a place for all
      }
    }
  }
}
