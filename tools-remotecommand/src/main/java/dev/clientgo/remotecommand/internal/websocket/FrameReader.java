package dev.clientgo.remotecommand.internal.websocket;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads frames from a connection through one buffer, and passes their bytes on in it. */
final class FrameReader {

  /** Takes the bytes of a message as they arrive. */
  @FunctionalInterface
  interface Content {
    void received(boolean first, byte[] bytes, int offset, int length) throws IOException;
  }

  private static final int BUFFER = 64 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int limit;

  FrameReader(InputStream in) {
    this.in = in;
  }

  /** Reads a number of some bytes, the highest first. */
  long readNumber(int bytes) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      fill();
      number = number << 8 | (buffer[position++] & 0xff);
    }
    return number;
  }

  /** Reads the content of a control frame. */
  byte[] readContent(int length) throws IOException {
    byte[] content = new byte[length];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) readNumber(1);
    }
    return content;
  }

  /** Passes the bytes of a frame on as they arrive. */
  void pass(long length, boolean first, Content receiver) throws IOException {
    boolean isFirst = first;
    for (long left = length; left > 0; ) {
      fill();
      int part = (int) Math.min(left, limit - position);
      int start = position;
      position += part;
      receiver.received(isFirst, buffer, start, part);
      isFirst = false;
      left -= part;
    }
  }

  /** Waits for bytes, unless the buffer has some. */
  private void fill() throws IOException {
    if (position == limit) {
      int read = in.read(buffer);
      if (read < 0) {
        throw new EOFException("the connection ended without a frame that closes it");
      }
      position = 0;
      limit = read;
    }
  }
}
