package dev.clientgo.remotecommand.internal.websocket;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of a server that arrive in any pieces. */
final class FrameReaderTest {

  private static final byte[] MEDIUM = bytes(126);
  private static final byte[] LARGE = bytes(70_000);

  /** A message in three frames with a ping between them, and lengths of 7, 16 and 64 bits. */
  private static byte[] wire() throws IOException {
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(wire);
    out.writeByte(Frame.BINARY);
    out.writeByte(3);
    out.writeBytes("abc");
    out.writeByte(0x80 | Frame.PING);
    out.writeByte(2);
    out.writeBytes("hi");
    out.writeByte(Frame.CONTINUATION);
    out.writeByte(126);
    out.writeShort(MEDIUM.length);
    out.write(MEDIUM);
    out.writeByte(0x80); // the last continuation
    out.writeByte(127);
    out.writeLong(LARGE.length);
    out.write(LARGE);
    out.writeByte(0x80 | Frame.BINARY);
    out.writeByte(0);
    out.writeByte(0x80 | Frame.CLOSE);
    out.writeByte(2);
    out.writeShort(WebSocket.NORMAL);
    return wire.toByteArray();
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i * 31 + i / 251);
    }
    return bytes;
  }

  /** What a receiver saw: control frames as text, and all bytes of messages. */
  private static final class Recorder implements WebSocket.Receiver {
    private final List<String> events = new ArrayList<>();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    @Override
    public void received(boolean first, byte[] bytes, int offset, int length) {
      if (first) {
        events.add("message");
      }
      content.write(bytes, offset, length);
    }

    @Override
    public void pinged(byte[] ping) {
      events.add("ping " + new String(ping, US_ASCII));
    }

    @Override
    public void ponged() {
      events.add("pong");
    }

    /** Reads frames until one closes. */
    void read(InputStream in) throws IOException {
      FrameReader reader = new FrameReader(in);
      boolean first = true;
      for (Frame frame = Frame.read(reader); ; frame = Frame.read(reader)) {
        if (frame.opcode() == Frame.PING) {
          pinged(reader.readContent((int) frame.length()));
        } else if (frame.opcode() == Frame.CLOSE) {
          events.add("close " + reader.readContent((int) frame.length()).length);
          return;
        } else {
          reader.pass(frame.length(), first, this::received);
          first = frame.last();
        }
      }
    }

    void assertAll() {
      assertThat(events).containsExactly("message", "ping hi", "close 2");
      byte[] all = content.toByteArray();
      assertThat(all).hasSize(3 + MEDIUM.length + LARGE.length);
      assertThat(new String(all, 0, 3, US_ASCII)).isEqualTo("abc");
      assertThat(Arrays.equals(all, 3, 3 + MEDIUM.length, MEDIUM, 0, MEDIUM.length)).isTrue();
      assertThat(Arrays.equals(all, 3 + MEDIUM.length, all.length, LARGE, 0, LARGE.length))
          .isTrue();
    }
  }

  /** Returns at most some bytes for each read. */
  private static InputStream inPieces(byte[] wire, int size) {
    return new ByteArrayInputStream(wire) {
      @Override
      public synchronized int read(byte[] bytes, int offset, int length) {
        return super.read(bytes, offset, Math.min(length, size));
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 125, 4096, 16 * 1024, 1 << 20})
  void read_inPiecesOfAnySize_passesAllBytes(int size) throws IOException {
    Recorder recorder = new Recorder();

    recorder.read(inPieces(wire(), size));

    recorder.assertAll();
  }

  @Test
  void read_cutInTwoAnywhere_passesAllBytes() throws IOException {
    byte[] wire = wire();
    for (int cut = 0; cut <= wire.length; cut = nextCut(cut, wire.length)) {
      Recorder recorder = new Recorder();

      recorder.read(
          new SequenceInputStream(
              new ByteArrayInputStream(wire, 0, cut),
              new ByteArrayInputStream(wire, cut, wire.length - cut)));

      recorder.assertAll();
    }
  }

  @Test
  void read_ofAConnectionThatEndsAnywhere_throws() throws IOException {
    byte[] wire = wire();
    for (int end = 0; end < wire.length; end = nextCut(end, wire.length)) {
      InputStream in = new ByteArrayInputStream(wire, 0, end);

      assertThatThrownBy(() -> new Recorder().read(in)).isInstanceOf(EOFException.class);
    }
  }

  /** Each byte of the headers and of the ends; every 997th byte of the long content. */
  private static int nextCut(int cut, int length) {
    return cut < 200 || cut > length - 50 ? cut + 1 : Math.min(cut + 997, length - 49);
  }
}
