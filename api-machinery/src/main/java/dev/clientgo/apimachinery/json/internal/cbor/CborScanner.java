package dev.clientgo.apimachinery.json.internal.cbor;

import dev.clientgo.apimachinery.json.internal.intern.Pool;
import dev.clientgo.apimachinery.json.internal.utf8.ByteWindow;
import dev.clientgo.apimachinery.json.internal.utf8.ReaderErrors;

/**
 * Reads the data item at the position of a window: its tags, its head, and a number or string as a
 * whole.
 *
 * <p>An item begins with a head: three bits for its type, and an argument of up to eight bytes,
 * which is a number, a length or a count. The scanner moves only behind what it has read without an
 * error, so a caller can skip an item that it cannot read.
 */
public final class CborScanner {

  // The types of items.
  public static final int UNSIGNED = 0;
  public static final int NEGATIVE = 1;
  public static final int BYTES = 2;
  public static final int TEXT = 3;
  public static final int ARRAY = 4;
  public static final int MAP = 5;
  public static final int TAG = 6;
  public static final int SIMPLE = 7;

  // First bytes of the items without an argument.
  public static final int FALSE = 0xF4;
  public static final int TRUE = 0xF5;
  public static final int NULL = 0xF6;
  public static final int BREAK = 0xFF;

  // First bytes of numbers of floating point.
  public static final int HALF = 0xF9;
  public static final int SINGLE = 0xFA;
  public static final int DOUBLE = 0xFB;

  private static final int UNDEFINED = 0xF7;
  private static final int LONG_SIMPLE = 0xF8;

  /** The count of an array or map that ends with a break. */
  public static final long UNTIL_BREAK = -1;

  /** The largest count: that of a map's names and values together. */
  private static final long MAX_COUNT = Long.MAX_VALUE / 2;

  private static final int INFO = 0x1F;
  private static final int INFO_BYTE = 24;
  private static final int INFO_EIGHT_BYTES = 27;
  private static final int INFO_INDEFINITE = 31;

  /** The most bytes of a name whose length is in its first byte. */
  private static final int MAX_SHORT = INFO_BYTE - 1;

  /** Above this, a double does not determine all digits of a whole number. */
  private static final double MAX_WHOLE = 1L << 53;

  private final ByteWindow in;
  private final ReaderErrors errors;
  private final CborStrings strings;

  // The head that was read last.
  private int type;
  private int info;
  private long argument;
  private int size;

  /** The tag that says how the strings of the value must be read, 0 for none. */
  private int form;

  private int hash;

  public CborScanner(ByteWindow in, Pool pool, ReaderErrors errors) {
    this.in = in;
    this.errors = errors;
    this.strings = new CborStrings(this, in, pool, errors);
  }

  // --------------------------------------------------------------------------------------- Heads

  /** Returns the first byte of the value at the position, after moving behind its tags. */
  public int first() {
    if (in.position < in.end && (in.bytes[in.position] & 0xE0) != TAG << 5) {
      return in.bytes[in.position] & 0xFF;
    }
    int first = byteAt(0);
    while (first >> 5 == TAG) {
      head(0);
      apply(argument);
      in.position += size;
      first = byteAt(0);
    }
    return first;
  }

  /** Other tags, such as 55799 in front of a document, do not change the value. */
  private void apply(long tag) {
    if (tag == CborStrings.BIG || tag == CborStrings.NEGATIVE_BIG) {
      throw errors.mismatch("expected a number of 64 bits, found a longer one");
    }
    if (tag == CborStrings.EPOCH || CborStrings.isEncoding(tag)) {
      form = (int) tag;
    }
  }

  /** Returns the tag that says how strings must be read, 0 for none. */
  public int form() {
    return form;
  }

  /** Returns the tag that the values in an array or map inherit, 0 for none. */
  public int innerForm() {
    return CborStrings.isEncoding(form) ? form : 0;
  }

  /** Begins a value with the tag of what is around it, 0 for none. */
  public void begin(int form) {
    this.form = form;
  }

  /** Returns whether the number at the position is a time. */
  public boolean isTime() {
    return form == CborStrings.EPOCH;
  }

  /** Reads the head at a distance ahead of the position, which stays. */
  void head(int ahead) {
    int first = byteAt(ahead);
    type = first >> 5;
    info = first & INFO;
    argument = info;
    size = 1;
    if (info < INFO_BYTE) {
      return;
    }
    if (info <= INFO_EIGHT_BYTES) {
      size += 1 << (info - INFO_BYTE);
      argument = 0;
      for (int i = 1; i < size; i++) {
        argument = argument << 8 | byteAt(ahead + i);
      }
    } else if (info != INFO_INDEFINITE || type == UNSIGNED || type == NEGATIVE || type == TAG) {
      throw errors.malformed(
          "expected a value, found byte 0x" + Integer.toHexString(first), in.position + ahead);
    }
  }

  int type() {
    return type;
  }

  long argument() {
    return argument;
  }

  int size() {
    return size;
  }

  boolean isIndefinite() {
    return info == INFO_INDEFINITE;
  }

  boolean isBreak() {
    return type == SIMPLE && info == INFO_INDEFINITE;
  }

  /** Returns the number of items in the array or map whose head was read last. */
  long count() {
    if (isIndefinite()) {
      return UNTIL_BREAK;
    }
    if (argument < 0 || argument > MAX_COUNT) {
      throw errors.malformed(
          "array or map of " + Long.toUnsignedString(argument) + " elements", in.position);
    }
    return type == MAP ? argument * 2 : argument;
  }

  /**
   * Enters the array or map at the position.
   *
   * @return the number of items in it, names included; {@link #UNTIL_BREAK} if it is not known
   */
  public long enter() {
    head(0);
    long count = count();
    in.position += size;
    return count;
  }

  /**
   * Returns whether an array or map has more items, and moves behind the break that ends it.
   *
   * @param left the number of items that are left
   */
  public boolean hasMore(long left) {
    if (left != UNTIL_BREAK) {
      return left > 0;
    }
    if (byteAt(0) != BREAK) {
      return true;
    }
    in.position++;
    return false;
  }

  // --------------------------------------------------------------------------------------- Bytes

  /** Returns the byte at a distance ahead of the position; throws at the end of the stream. */
  int byteAt(int ahead) {
    load(ahead + 1);
    return in.bytes[in.position + ahead] & 0xFF;
  }

  /** Brings this number of bytes into the window. */
  void load(int count) {
    while (in.end - in.position < count) {
      errors.checkSizeWithin(in.end - in.position);
      if (!in.more()) {
        throw errors.truncated();
      }
    }
  }

  // -------------------------------------------------------------------------------------- Scalars

  /**
   * Measures the name at the position if it is short and in the window: the common case. Its bytes
   * begin behind the next one.
   *
   * @return its length; -1 for another name
   */
  public int shortName() {
    int start = in.position + 1;
    int first = start > in.end ? BREAK : in.bytes[in.position] & 0xFF;
    int length = first & INFO;
    boolean string = first >> 5 == BYTES || first >> 5 == TEXT;
    if (!string || length > MAX_SHORT || length > in.end - start) {
      return -1;
    }
    int hash = 0; // as String computes it
    for (int i = start; i < start + length; i++) {
      hash = 31 * hash + in.bytes[i];
    }
    this.hash = hash;
    return length;
  }

  /** Returns the hash of the {@linkplain #shortName short name} that was measured last. */
  public int hash() {
    return hash;
  }

  /**
   * Reads the head of the string at the position.
   *
   * @return the length of the string if it is in the window and JSON has it without escapes, else
   *     -1
   */
  int plainLength() {
    head(0);
    boolean string = type == TEXT || (type == BYTES && !CborStrings.isEncoding(form));
    if (!string || isIndefinite() || argument < 0 || argument > in.end - in.position - size) {
      return -1;
    }
    int start = in.position + size;
    for (int i = start; i < start + argument; i++) {
      byte b = in.bytes[i];
      if (b < ' ' || b == '"' || b == '\\') {
        return -1;
      }
    }
    return (int) argument;
  }

  /** Moves behind the head that was read last. */
  public void take() {
    in.position += size;
  }

  /** Reads the string or time at the position, and moves behind it. */
  public String string() {
    head(0);
    if (type == BYTES || type == TEXT) {
      return strings.read();
    }
    String time = strings.time(number());
    take();
    return time;
  }

  /**
   * Reads the number at the position, which stays until {@link #take}: a Long or a Double. A number
   * of floating point that is whole is a Long, since a server writes it in JSON without a point.
   */
  public Number number() {
    head(0);
    if (type == SIMPLE) {
      double value = floating();
      boolean whole = value == (long) value && Math.abs(value) < MAX_WHOLE;
      return whole && Double.compare(value, -0.0) != 0 ? (Number) (long) value : (Number) value;
    }
    if (argument < 0) {
      String found = (type == NEGATIVE ? "-1-" : "") + Long.toUnsignedString(argument);
      throw errors.mismatch("expected a number of 64 bits, found " + found);
    }
    return type == NEGATIVE ? ~argument : argument;
  }

  private double floating() {
    double value =
        switch (info) {
          case HALF & INFO -> half((int) argument);
          case SINGLE & INFO -> Float.intBitsToFloat((int) argument);
          default -> Double.longBitsToDouble(argument);
        };
    if (!Double.isFinite(value)) {
      throw errors.mismatch("expected a number, found " + value);
    }
    return value;
  }

  /** Converts a number of 16 bits: a sign, five bits of exponent, ten of fraction. */
  private static double half(int bits) {
    int exponent = bits >> 10 & 0x1F;
    int fraction = bits & 0x3FF;
    double value;
    if (exponent == 0) {
      value = Math.scalb((double) fraction, -24);
    } else if (exponent == 0x1F) {
      value = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
    } else {
      value = Math.scalb((double) (fraction | 0x400), exponent - 25);
    }
    return (bits & 0x8000) == 0 ? value : -value;
  }

  /** Returns whether a first byte is that of a value that JSON does not have. */
  public static boolean isSimple(int first) {
    return first >> 5 == SIMPLE && (first < FALSE || first == UNDEFINED || first == LONG_SIMPLE);
  }
}
