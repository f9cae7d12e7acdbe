package dev.clientgo.apimachinery.json;

import java.util.Arrays;

/**
 * The ends of the objects and arrays of a stream, found by quotes and brackets alone. It checks
 * nothing else: it is for texts that are compared with one that was read before.
 *
 * <p>A reader asks for the end of a list, then of each object in it, then of what is in that
 * object. One pass over the list records all of them; the next questions need no pass.
 */
final class StructureIndex {

  private static final int NONE = -1;

  /** For how many notes there is room at first. */
  private static final int NOTES = 16;

  private final ByteWindow in;

  /** Where in the stream the notes begin, and how many bytes they are about. */
  private long origin;

  private int covered;

  /** Where each object or array begins, counted from there, in the order of the text. */
  private int[] starts = new int[NOTES];

  /** Where it ends; if that is not known, the one around it, as {@link #open} gives it. */
  private int[] ends = new int[NOTES];

  private int count;

  /** The first note that has not been passed. */
  private int next;

  StructureIndex(ByteWindow in) {
    this.in = in;
  }

  /**
   * Measures the object or array at the position, which stays.
   *
   * @return its length in bytes; 0 if that is above the limit, or the stream ends before the value
   */
  int measure(int limit) {
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
    return draw(limit);
  }

  private int draw(int limit) {
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
          // A loop of its own, as most bytes are in strings.
          byte b = bytes[start + i++];
          while (b != '"' && b != '\\' && i < available) {
            b = bytes[start + i++];
          }
          quoted = b != '"';
          i += b == '\\' ? 1 : 0; // whatever is escaped, it does not end the string
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

  /** Turns the number of a note into what stands for it in place of an end, and back. */
  private static int open(int note) {
    return -2 - note;
  }
}
