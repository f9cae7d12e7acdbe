package dev.clientgo.remotecommand.internal.websocket;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;

/**
 * The header of a frame, the unit in which a WebSocket sends bytes.
 *
 * @param opcode the kind of frame
 * @param last whether the frame ends its message
 * @param length the number of bytes that follow
 */
record Frame(int opcode, boolean last, long length) {

  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  /** The most bytes of a control frame. */
  static final int MAX_CONTROL = 125;

  private static final int LENGTH_16_BITS = 126;
  private static final int LENGTH_64_BITS = 127;

  /**
   * Reads a header.
   *
   * @throws EOFException if the connection ends before or within it
   * @throws ProtocolException if the header breaks the rules of the protocol
   */
  static Frame read(FrameReader in) throws IOException {
    int first = (int) in.readNumber(1);
    int second = (int) in.readNumber(1);
    int opcode = first & 0x0f;
    boolean last = (first & 0x80) != 0;
    if ((first & 0x70) != 0) {
      throw new ProtocolException("a frame uses an extension that was not negotiated");
    }
    if ((second & 0x80) != 0) {
      throw new ProtocolException("a frame of the server is masked");
    }
    long length = length(in, second & 0x7f);
    Frame frame = new Frame(opcode, last, length);
    if (opcode > PONG || (opcode > BINARY && opcode < CLOSE)) {
      throw new ProtocolException("a frame has the unknown opcode " + opcode);
    }
    if (frame.isControl() && (!last || length > MAX_CONTROL)) {
      throw new ProtocolException("a control frame is fragmented or longer than 125 bytes");
    }
    return frame;
  }

  private static long length(FrameReader in, int length) throws IOException {
    if (length == LENGTH_16_BITS) {
      return in.readNumber(2);
    }
    if (length != LENGTH_64_BITS) {
      return length;
    }
    long longLength = in.readNumber(8);
    if (longLength < 0) {
      throw new ProtocolException("a frame has a negative length");
    }
    return longLength;
  }

  boolean isControl() {
    return opcode >= CLOSE;
  }

  /** Returns the header of a binary or control frame of a client, without its mask. */
  static byte[] header(int opcode, int length) {
    byte first = (byte) (0x80 | opcode);
    if (length <= MAX_CONTROL) {
      return new byte[] {first, (byte) (0x80 | length)};
    }
    if (length <= 0xffff) {
      return new byte[] {
        first, (byte) (0x80 | LENGTH_16_BITS), (byte) (length >> 8), (byte) length
      };
    }
    return new byte[] {
      first,
      (byte) (0x80 | LENGTH_64_BITS),
      0,
      0,
      0,
      0,
      (byte) (length >> 24),
      (byte) (length >> 16),
      (byte) (length >> 8),
      (byte) length
    };
  }
}
