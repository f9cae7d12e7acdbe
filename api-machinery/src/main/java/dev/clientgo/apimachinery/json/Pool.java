package dev.clientgo.apimachinery.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/**
 * A bounded set of values, from which an equal one that was seen before can be had.
 *
 * <p>Values age by generations: {@link #startGeneration} drops those that were not asked for since
 * the call before it. A value of the generation before that is asked for joins the new one.
 *
 * <p>Two arrays and no object per entry. Each hash belongs to one row of eight places, which are
 * all looked at. In a full row a new value enters in the middle and pushes those behind it towards
 * the end; a value that is asked for again on its way there moves to the front. So the names and
 * uids that occur once drift through the second halves, and cannot drive out what repeats; nor can
 * those that come twice in one object, since a value that has just entered stays where it is. The
 * table doubles while it keeps pushing values out, up to its bound; after that it forgets.
 *
 * <p>Not safe for use by many threads.
 */
final class Pool {

  private static final int ROW = 8;
  private static final int MIDDLE = ROW / 2;
  private static final int FIRST_ROWS = 2;

  private final int maxRows;
  private int[] hashes;
  private @Nullable Object[] values;
  private int pushedOut;

  /** The generation before, which is closed; null if there is none. */
  private @Nullable Pool previous;

  /** Whether nothing is added. */
  private boolean closed;

  /** Creates a pool of at most so many values a generation, a power of two. */
  Pool(int bound) {
    this.maxRows = Math.max(1, bound / ROW);
    int rows = Math.min(FIRST_ROWS, maxRows);
    this.hashes = new int[rows * ROW];
    this.values = new Object[rows * ROW];
  }

  /** Creates what another pool is now, closed and without its generation before. */
  private Pool(Pool other) {
    this.maxRows = other.maxRows;
    this.hashes = other.hashes;
    this.values = other.values;
    this.closed = true;
  }

  /** Starts a generation, and drops the values that were not asked for in the one that ends. */
  void startGeneration() {
    previous = isEmpty() ? null : new Pool(this);
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

  /** Sets whether the pool is closed: then it finds what it has, and neither adds nor renews it. */
  void close(boolean closed) {
    this.closed = closed;
  }

  /** Returns an equal value that was seen before, or else this one. */
  Object share(Object value) {
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

  /** Returns the string of these characters that was seen before, or else a new one. */
  String share(char[] text, int length) {
    int hash = 0; // as String computes it, so that strings can be asked for in each way
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
    String string = previous == null ? new String(text, 0, length) : previous.share(text, length);
    add(row, hash, string);
    return string;
  }

  /** Returns the string of these bytes of ASCII that was seen before, or else a new one. */
  String share(byte[] text, int offset, int length, int hash) {
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
            : previous.share(text, offset, length, hash);
    add(row, hash, string);
    return string;
  }

  /**
   * Returns the string of ASCII that begins at a place and ends before a quote; null if there is an
   * escape in it, or something else than ASCII, or if it is not all here.
   *
   * <p>Most bytes of a stream are looked at here, once. HotSpot compiles this early, and to so much
   * code that it does not copy it into those who call it, which are all codecs.
   *
   * @param maxPooled how long a string may be to be looked for in the pool
   */
  @Nullable String quoted(byte[] text, int from, int to, int maxPooled) {
    int hash = 0;
    int end = from;
    for (; end < to; end++) {
      byte b = text[end];
      if (b == '"') {
        int length = end - from;
        return length <= maxPooled
            ? share(text, from, length, hash)
            : new String(text, from, length, ISO_8859_1);
      }
      if (b == '\\' || b < ' ') {
        break;
      }
      hash = 31 * hash + b;
    }
    return null;
  }

  /** Returns this text with its value; null if the pool does not have it. */
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

  /** Takes a text that it does not have. */
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

  /** Returns how many values the pool can hold as it is now, its two generations together. */
  int capacity() {
    return values.length + (previous == null ? 0 : previous.capacity());
  }

  private int row(int hash) {
    // Names that end in a number have hashes side by side; without this they crowd a few rows.
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

  /** Puts a value into the first free place of its row, or the last. */
  private void append(int row, int hash, Object value) {
    int place = row;
    while (values[place] != null && place < row + ROW - 1) {
      place++;
    }
    hashes[place] = hash;
    values[place] = value;
  }

  /** Moves the values from one place up to another by one, over the last. */
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
        append(row(oldHashes[i]), oldHashes[i], value); // a row becomes two, so all find a place
      }
    }
  }
}
