package dev.clientgo.apimachinery.json;

/**
 * Skips values that cannot be read, by their quotes and brackets alone.
 *
 * <p>It tracks only where values end, so its memory is constant and no depth is too great. It
 * checks nothing else.
 */
final class RawSkipper {

  private final ByteWindow in;
  private final ReaderErrors errors;

  RawSkipper(ByteWindow in, ReaderErrors errors) {
    this.in = in;
    this.errors = errors;
  }

  /** Skips to the end of so many objects and arrays; if that is none, skips the next value. */
  void skip(int levels) {
    int open = levels;
    do {
      switch (next()) {
        case '{', '[' -> open++;
        case '}', ']' -> open--;
        case '"' -> skipString();
        default -> {
          if (open == 0) {
            skipScalar();
          }
        }
      }
    } while (open > 0);
  }

  private void skipString() {
    for (int c = next(); c != '"'; c = next()) {
      if (c == '\\') {
        next();
      }
    }
  }

  /** Skips the rest of a number or a word. */
  private void skipScalar() {
    for (int c = in.byteAt(0); c > ' ' && c != ',' && c != ']' && c != '}'; c = in.byteAt(0)) {
      next();
    }
  }

  private int next() {
    if (in.marked(0) > JsonReader.MAX_OBJECT_BYTES) {
      in.unmark();
    }
    int c = in.byteAt(0);
    if (c < 0) {
      throw errors.truncated();
    }
    in.position++;
    return c;
  }
}
