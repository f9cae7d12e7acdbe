package dev.clientgo.apimachinery.json;

/**
 * Finds where the object or array at the position of a window ends, by its quotes and brackets
 * alone, and takes a hash of its text on the way. It checks nothing: it is for texts that are
 * compared with one that was read before.
 */
final class Extent {

  private final ByteWindow in;
  private int hash;

  Extent(ByteWindow in) {
    this.in = in;
  }

  /**
   * Measures the value at the position, which stays.
   *
   * @return its length in bytes; 0 if that is above the limit, or the stream ends before the value
   */
  int measure(int limit) {
    int open = 0;
    boolean quoted = false;
    int hash = 0;
    int i = 0;
    while (i < limit && in.byteAt(i) >= 0) {
      byte[] bytes = in.bytes;
      int start = in.position;
      int available = Math.min(in.end - start, limit);
      for (; i < available; i++) {
        byte b = bytes[start + i];
        hash = 31 * hash + b;
        if (b == '"') {
          quoted = !quoted;
        } else if (quoted) {
          i += b == '\\' ? 1 : 0; // whatever is escaped, it does not end the string
        } else if (b == '{' || b == '[') {
          open++;
        } else if ((b == '}' || b == ']') && --open == 0) {
          this.hash = hash;
          return i + 1;
        }
      }
    }
    return 0;
  }

  /** Returns the hash of the text that was measured last. */
  int hash() {
    return hash;
  }
}
