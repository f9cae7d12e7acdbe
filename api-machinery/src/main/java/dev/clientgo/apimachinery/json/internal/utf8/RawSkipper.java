package dev.clientgo.apimachinery.json.internal.utf8;

/**
 * Skips values that cannot be read, by their quotes and brackets alone.
 *
 * <p>It tracks only quotes and nesting, so its memory is constant and the depth has no limit. It
 * does not check the syntax.
 */
public final class RawSkipper {

  private final ByteWindow in;
  private final ReaderErrors errors;

  public RawSkipper(ByteWindow in, ReaderErrors errors) {
    this.in = in;
    this.errors = errors;
  }

  /** Leaves this number of objects and arrays; if it is 0, skips the next value. */
  public void skip(int levels) {
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
    if (in.marked(0) > ByteWindow.MAX_OBJECT_BYTES) {
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
