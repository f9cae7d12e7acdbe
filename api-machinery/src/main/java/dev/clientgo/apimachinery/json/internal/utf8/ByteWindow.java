package dev.clientgo.apimachinery.json.internal.utf8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The part of a stream that is in memory.
 *
 * <p>When it needs room, the window drops the bytes before the position. If there is a mark, it
 * keeps the bytes from the mark on, and grows. Only the reader that owns the window and its
 * scanners use the fields: in their loops, a call for each byte would cost too much.
 */
public final class ByteWindow {

  /** Larger objects are refused. */
  public static final int MAX_OBJECT_BYTES = 16 << 20;

  static final int SIZE = 16 << 10;

  /** The usual limit of the array with a mark: the largest object, and some room. */
  private static final int MAX_MARKED = MAX_OBJECT_BYTES + SIZE;

  private static final long NO_MARK = -1;

  private final InputStream in;

  /** The bytes; those from {@link #position} to {@link #end} have not been read. */
  public byte[] bytes;

  public int position;
  public int end;

  /** The offset in the stream of the first byte of the array. */
  private long base;

  private long mark = NO_MARK;
  private boolean ended;

  public ByteWindow(InputStream in) {
    this.in = in;
    this.bytes = new byte[SIZE];
  }

  /** Creates a window on all of an array, which must not change. */
  public ByteWindow(byte[] bytes) {
    this.in = InputStream.nullInputStream();
    this.bytes = bytes;
    this.end = bytes.length;
    this.ended = true;
  }

  /** Returns the offset in the stream of an index in the array. */
  public long offset(int place) {
    return base + place;
  }

  /** Returns the index in the array of an offset in the stream. */
  int place(long offset) {
    return (int) (offset - base);
  }

  /** Sets a mark at the position, unless there is one; returns whether it set the mark. */
  public boolean mark() {
    if (mark != NO_MARK) {
      return false;
    }
    mark = offset(position);
    return true;
  }

  /** Returns the distance from the mark to a byte ahead of the position; 0 without a mark. */
  long marked(int ahead) {
    return mark == NO_MARK ? 0 : offset(position) + ahead - mark;
  }

  /** Removes the mark. */
  public void unmark() {
    mark = NO_MARK;
  }

  /** Returns the bytes from an offset to the position; none if the window has dropped them. */
  public byte[] from(long offset) {
    return mark == NO_MARK || offset < mark
        ? new byte[0]
        : Arrays.copyOfRange(bytes, place(offset), position);
  }

  /** Returns the byte at a distance ahead of the position; -1 at the end of the stream. */
  public int byteAt(int i) {
    while (position + i >= end) {
      if (!more()) {
        return -1;
      }
    }
    return bytes[position + i] & 0xFF;
  }

  /**
   * Reads at least one more byte. The array and all indexes into it may change; the bytes from the
   * position on stay.
   *
   * @return whether there was one; false at the end of the stream
   */
  public boolean more() {
    if (ended) {
      return false;
    }
    boolean scarce = bytes.length - end < bytes.length / 4;
    if (end == bytes.length || (scarce && bytes.length < MAX_MARKED)) {
      makeRoom();
    }
    try {
      int count = in.read(bytes, end, bytes.length - end);
      ended = count < 0;
      end += Math.max(0, count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return !ended;
  }

  private void makeRoom() {
    int from = mark == NO_MARK ? position : place(mark);
    int kept = end - from;
    byte[] target = bytes;
    // A caller that looks ahead from the end of the largest object needs more room.
    int most = mark == NO_MARK ? Integer.MAX_VALUE : Math.max(MAX_MARKED, kept + SIZE);
    int larger = Math.min(bytes.length * 2, most);
    if (kept > bytes.length / 2 && larger > bytes.length) {
      target = new byte[larger];
    } else if (bytes.length > SIZE && kept <= SIZE / 2) {
      target = new byte[SIZE]; // a large value has been read, and needs its room no more
    }
    System.arraycopy(bytes, from, target, 0, kept);
    bytes = target;
    base += from;
    position -= from;
    end = kept;
  }
}
