package dev.clientgo.apimachinery.json;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The stream beneath a parser. Knows whether it has ended, and can give back the bytes from a mark
 * on.
 *
 * <p>A parser asks for more bytes when it has used up its buffer, and passes that buffer. So what
 * it has of the last bytes is still there to be copied before the next overwrite it, and reading
 * from a mark costs nothing for as long as one buffer suffices.
 */
final class JsonSource extends InputStream {

  /** Too many bytes were read since the mark. */
  static final class LimitException extends IOException {
    private static final long serialVersionUID = 1;

    LimitException(long limit) {
      super("object of more than " + limit + " bytes");
    }
  }

  private static final long NO_MARK = -1;

  private final InputStream in;
  private final long limit;

  private byte[] buffer = new byte[0];
  private int bufferOffset;
  private int bufferLength;
  private long bufferPosition;
  private boolean ended;

  private long mark = NO_MARK;
  private ByteArrayOutputStream saved = new ByteArrayOutputStream(0);

  /** Creates a source that refuses to go on when so many bytes were read from a mark on. */
  JsonSource(InputStream in, long limit) {
    this.in = in;
    this.limit = limit;
  }

  /** Returns whether a read has met the end. */
  boolean ended() {
    return ended;
  }

  /** Returns whether there is a mark. */
  boolean marked() {
    return mark != NO_MARK;
  }

  /** Marks a position, which must be in the parser's buffer. */
  void mark(long position) {
    mark = position;
  }

  /** Returns the bytes from the mark to a position, which must be in the parser's buffer. */
  byte[] sinceMark(long position) {
    save(position);
    return saved.toByteArray();
  }

  /** Removes the mark. */
  void unmark() {
    mark = NO_MARK;
    if (saved.size() > 0) {
      saved = new ByteArrayOutputStream(0);
    }
  }

  /** Saves what is in the parser's buffer between the mark, or its beginning, and a position. */
  private void save(long position) {
    long from = Math.max(mark, bufferPosition);
    saved.write(
        buffer, bufferOffset + (int) (from - bufferPosition), (int) Math.max(0, position - from));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (marked()) {
      save(bufferPosition + bufferLength);
      if (saved.size() > limit) {
        throw new LimitException(limit);
      }
    }
    int count = in.read(target, offset, length);
    bufferPosition += bufferLength;
    buffer = target;
    bufferOffset = offset;
    bufferLength = Math.max(0, count);
    ended = count < 0;
    return count;
  }
}
