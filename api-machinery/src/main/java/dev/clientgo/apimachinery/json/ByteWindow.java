package dev.clientgo.apimachinery.json;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The part of a stream that is in memory.
 *
 * <p>What lies before the position is forgotten when room is needed, unless there is a mark: then
 * all from the mark on is kept, and the buffer grows. The fields are for the one reader that owns
 * this window, in whose loops a call for each byte would cost too much.
 */
final class ByteWindow {

  static final int SIZE = 16 << 10;

  /** What is kept from a mark on: an object of the greatest size, and some room. */
  private static final int MAX_MARKED = JsonReader.MAX_OBJECT_BYTES + SIZE;

  private static final long NO_MARK = -1;

  private final InputStream in;

  /** The bytes; those from {@link #position} to {@link #end} have not been read. */
  byte[] bytes;

  int position;
  int end;

  /** The offset in the stream of the first byte of the array. */
  private long base;

  private long mark = NO_MARK;
  private boolean ended;

  ByteWindow(InputStream in) {
    this.in = in;
    this.bytes = new byte[SIZE];
  }

  /** Creates a window on all of an array, which must not change. */
  ByteWindow(byte[] bytes) {
    this.in = InputStream.nullInputStream();
    this.bytes = bytes;
    this.end = bytes.length;
    this.ended = true;
  }

  /** Returns the offset in the stream of a place in the array. */
  long offset(int place) {
    return base + place;
  }

  /** Returns the place in the array of an offset in the stream. */
  int place(long offset) {
    return (int) (offset - base);
  }

  /** Keeps all from the position on, unless there is a mark already; returns whether it does. */
  boolean mark() {
    if (mark != NO_MARK) {
      return false;
    }
    mark = offset(position);
    return true;
  }

  /** Returns how many bytes lie from the mark to so far behind the position; 0 without a mark. */
  long marked(int ahead) {
    return mark == NO_MARK ? 0 : offset(position) + ahead - mark;
  }

  /** Removes the mark. */
  void unmark() {
    mark = NO_MARK;
  }

  /** Returns the bytes from an offset to the position; none if they have been forgotten. */
  byte[] from(long offset) {
    return mark == NO_MARK || offset < mark
        ? new byte[0]
        : Arrays.copyOfRange(bytes, place(offset), position);
  }

  /** Returns the byte so far behind the position, reading on if need be; -1 behind the end. */
  int byteAt(int i) {
    while (position + i >= end) {
      if (!more()) {
        return -1;
      }
    }
    return bytes[position + i] & 0xFF;
  }

  /**
   * Reads at least one byte more. The array and all places in it may change; the bytes from the
   * position on stay.
   *
   * @return whether there was one; false at the end of the stream
   */
  boolean more() {
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
    int larger = mark == NO_MARK ? bytes.length * 2 : Math.min(bytes.length * 2, MAX_MARKED);
    if (kept > bytes.length / 2 && larger > bytes.length) {
      target = new byte[larger];
    } else if (bytes.length > SIZE && kept <= SIZE / 2) {
      target = new byte[SIZE]; // a large value came by; its room is not needed any more
    }
    System.arraycopy(bytes, from, target, 0, kept);
    bytes = target;
    base += from;
    position -= from;
    end = kept;
  }
}
