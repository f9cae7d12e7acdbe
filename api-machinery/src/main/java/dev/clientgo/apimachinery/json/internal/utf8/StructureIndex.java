package dev.clientgo.apimachinery.json.internal.utf8;

import java.util.Arrays;

/**
 * The ends of the objects and arrays of a stream, found by quotes and brackets alone. It does not
 * check the syntax, since a text is then compared with one that was read before.
 *
 * <p>A reader asks for the end of a list, then of each object in it, then of the parts of that
 * object. One pass over the list finds all ends, so the later questions need none. Together with
 * the CRC-32 of {@code ValueCache} and loops of their own for plain names and numbers, this took
 * the decoding of a pod from 23 to 17 µs (docs/benchmarks/informer.md).
 */
public final class StructureIndex {

  private static final int NONE = -1;

  /** The initial size of the arrays. */
  private static final int SIZE = 16;

  private final ByteWindow in;

  /** The offset in the stream where the last pass began. */
  private long origin;

  /** The number of bytes of the last pass. */
  private int covered;

  /** The beginning of each object or array relative to the origin, in the order of the text. */
  private int[] starts = new int[SIZE];

  /** The end of each; if it is not known, the {@link #open} index of the enclosing one. */
  private int[] ends = new int[SIZE];

  private int count;

  /** The index of the first one that the reader has not passed. */
  private int next;

  public StructureIndex(ByteWindow in) {
    this.in = in;
  }

  /**
   * Measures the object or array at the position, which stays.
   *
   * @return its length in bytes; 0 if that is above the limit, or the stream ends before the value
   */
  public int measure(int limit) {
    long at = in.offset(in.position) - origin;
    if (at < covered) {
      while (next < count && starts[next] < at) {
        next++;
      }
      if (next < count && starts[next] == at && ends[next] > 0) {
        int length = ends[next] - starts[next];
        return length <= limit ? length : 0;
      }
    }
    return scan(limit);
  }

  private int scan(int limit) {
    origin = in.offset(in.position);
    count = 0;
    next = 0;
    int innermost = NONE;
    boolean quoted = false;
    int i = 0;
    while (i < limit && in.byteAt(i) >= 0) {
      byte[] bytes = in.bytes;
      int start = in.position;
      int available = Math.min(in.end - start, limit);
      while (i < available) {
        if (quoted) {
          // A separate loop, since most bytes are in strings.
          byte b = bytes[start + i++];
          while (b != '"' && b != '\\' && i < available) {
            b = bytes[start + i++];
          }
          quoted = b != '"';
          i += b == '\\' ? 1 : 0; // an escaped character does not end the string
          continue;
        }
        byte b = bytes[start + i++];
        if (b == '"') {
          quoted = true;
        } else if ((b | 0x20) == '{') { // or [
          innermost = begin(i - 1, innermost);
        } else if ((b | 0x20) == '}') { // or ]
          int outer = open(ends[innermost]);
          ends[innermost] = i;
          innermost = outer;
          if (outer == NONE) {
            covered = i;
            return i;
          }
        }
      }
    }
    covered = i;
    return 0;
  }

  private int begin(int start, int outer) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, count * 2);
      ends = Arrays.copyOf(ends, count * 2);
    }
    starts[count] = start;
    ends[count] = open(outer);
    return count++;
  }

  /** Converts an index to a negative number that stands for an end, and back. */
  private static int open(int index) {
    return -2 - index;
  }
}
