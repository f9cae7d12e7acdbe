package dev.clientgo.apimachinery.json;

/**
 * Skips what cannot be read, by its quotes and brackets alone.
 *
 * <p>It asks for no more than that where things end, so it needs no memory, whatever their size,
 * and no depth is too great. What it skips is not checked otherwise.
 */
final class BlindSkip {

  private final ByteWindow in;
  private final Failures failures;

  BlindSkip(ByteWindow in, Failures failures) {
    this.in = in;
    this.failures = failures;
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
      throw failures.truncated();
    }
    in.position++;
    return c;
  }
}
