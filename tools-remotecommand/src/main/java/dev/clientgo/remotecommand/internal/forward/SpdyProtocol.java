package dev.clientgo.remotecommand.internal.forward;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.remotecommand.internal.websocket.WebSocket;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.Deflater;

/**
 * {@code SPDY/3.1+portforward.k8s.io}: frames of SPDY/3.1, which messages cut anywhere. A
 * connection has two streams, one for the text of an error and one for the bytes, and each side
 * ends its half of a stream by itself.
 *
 * <p>This is the part of SPDY that a connection needs. Servers have no flow control of streams, and
 * it has none: a WebSocket carries one connection, so the flow control of TCP serves. The headers
 * of the server carry nothing and are skipped, so no dictionary is needed. A server does not ping.
 *
 * <p>One thread receives; many may send.
 */
final class SpdyProtocol implements ForwardProtocol {

  static final String NAME = "SPDY/3.1+portforward.k8s.io";

  private static final int VERSION = 0x8003;
  private static final int SYN_STREAM = 1;
  private static final int SYN_REPLY = 2;
  private static final int RST_STREAM = 3;
  private static final int PING = 6;
  private static final int FIN = 1;

  private static final int ERROR_STREAM = 1;
  private static final int DATA_STREAM = 3;

  /** The bytes of the header of a frame, and the most bytes of a control frame that matter. */
  private static final int HEADER = 8;

  /** The names of the codes of {@code RST_STREAM}, from 1 on. */
  private static final String[] RESETS = {
    "protocol error",
    "invalid stream",
    "refused stream",
    "unsupported version",
    "cancelled",
    "internal error",
    "flow control error"
  };

  private final WebSocket socket;
  private final int port;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;

  /** The server drops what arrives before it has accepted the stream. */
  @GuardedBy("lock")
  private boolean accepted;

  // The frame that the receiver reads.
  private final byte[] header = new byte[HEADER];
  private final byte[] control = new byte[HEADER];
  private int headerSize;
  private int payloadSize;
  private int payloadLeft;

  SpdyProtocol(WebSocket socket, int port, Clock clock) {
    this.socket = socket;
    this.port = port;
    this.changed = clock.newCondition(lock);
  }

  @Override
  public void open() throws IOException {
    Deflater deflater = new Deflater();
    try {
      synStream(deflater, ERROR_STREAM, "error", FIN);
      synStream(deflater, DATA_STREAM, "data", 0);
    } finally {
      deflater.end();
    }
  }

  /** All header blocks of a connection are one compressed stream, flushed after each block. */
  private void synStream(Deflater deflater, int stream, String type, int flags) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(block);
    String[] fields = {"streamtype", type, "port", Integer.toString(port), "requestid", "0"};
    out.writeInt(fields.length / 2);
    for (String field : fields) {
      out.writeInt(field.length());
      out.write(field.getBytes(UTF_8));
    }
    deflater.setInput(block.toByteArray());
    byte[] compressed = new byte[1024];
    int size = deflater.deflate(compressed, 0, compressed.length, Deflater.SYNC_FLUSH);
    byte[] frame =
        ByteBuffer.allocate(HEADER + 10 + size)
            .putShort((short) VERSION)
            .putShort((short) SYN_STREAM)
            .putInt(flags << 24 | (10 + size))
            .putInt(stream)
            .putInt(0) // not associated with another stream
            .putShort((short) 0) // the highest priority
            .put(compressed, 0, size)
            .array();
    socket.send(frame, new byte[0], 0, 0);
  }

  @Override
  public void send(byte[] bytes, int offset, int length) throws IOException {
    awaitAccepted();
    socket.send(dataHeader(0, length), bytes, offset, length);
  }

  private void awaitAccepted() throws IOException {
    lock.lock();
    try {
      while (!accepted) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      lock.unlock();
    }
  }

  /** Releases senders: the server has accepted the stream, or the connection has ended. */
  void accept() {
    lock.lock();
    try {
      accepted = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static byte[] dataHeader(int flags, int length) {
    return ByteBuffer.allocate(HEADER).putInt(DATA_STREAM).putInt(flags << 24 | length).array();
  }

  @Override
  public boolean canEndOutput() {
    return true;
  }

  @Override
  public void endOutput() throws IOException {
    awaitAccepted();
    socket.send(dataHeader(FIN, 0), new byte[0], 0, 0);
  }

  @Override
  public boolean leave() throws IOException {
    return socket.trySend(dataHeader(FIN, 0));
  }

  /** Sends a ping of SPDY, which reaches the node, where one of WebSockets may not. */
  @Override
  public boolean ping() throws IOException {
    return socket.trySend(
        ByteBuffer.allocate(HEADER + 4)
            .putShort((short) VERSION)
            .putShort((short) PING)
            .putInt(4)
            .putInt(1)
            .array());
  }

  @Override
  public void received(boolean first, byte[] bytes, int offset, int length, Receiver receiver)
      throws IOException {
    int start = offset;
    int end = offset + length;
    while (start < end) {
      if (headerSize < HEADER) {
        header[headerSize++] = bytes[start++];
        if (headerSize == HEADER) {
          beginFrame(receiver);
        }
      } else {
        int part = Math.min(payloadLeft, end - start);
        payload(bytes, start, part, receiver);
        start += part;
      }
    }
  }

  private void beginFrame(Receiver receiver) throws ProtocolException {
    ByteBuffer fields = ByteBuffer.wrap(header);
    if (isControl() && (fields.getShort(0) & 0xffff) != VERSION) {
      throw new ProtocolException("a frame has another version than SPDY/3");
    }
    payloadSize = fields.getInt(4) & 0xffffff;
    payloadLeft = payloadSize;
    if (isControl() && payloadSize < smallest(type())) {
      throw new ProtocolException("a frame of the type " + type() + " is too short");
    }
    if (payloadLeft == 0) {
      endFrame(receiver);
    }
  }

  private static int smallest(int type) {
    return switch (type) {
      case SYN_REPLY -> 4;
      case RST_STREAM -> 8;
      default -> 0;
    };
  }

  private boolean isControl() {
    return header[0] < 0;
  }

  private int type() {
    return ByteBuffer.wrap(header).getShort(2);
  }

  private void payload(byte[] bytes, int offset, int length, Receiver receiver) throws IOException {
    if (isControl()) {
      int position = payloadSize - payloadLeft;
      for (int i = 0; i < length && position + i < control.length; i++) {
        control[position + i] = bytes[offset + i];
      }
    } else {
      switch (ByteBuffer.wrap(header).getInt(0)) {
        case DATA_STREAM -> receiver.data(bytes, offset, length);
        case ERROR_STREAM -> receiver.error(bytes, offset, length);
        default -> throw new ProtocolException("a frame belongs to an unknown stream");
      }
    }
    payloadLeft -= length;
    if (payloadLeft == 0) {
      endFrame(receiver);
    }
  }

  private void endFrame(Receiver receiver) {
    headerSize = 0;
    boolean fin = (header[4] & FIN) != 0;
    if (!isControl()) {
      end(ByteBuffer.wrap(header).getInt(0), fin, receiver);
      return;
    }
    int stream = ByteBuffer.wrap(control).getInt(0);
    switch (type()) {
      case SYN_REPLY -> {
        if (stream == DATA_STREAM) {
          accept();
        }
        end(stream, fin, receiver);
      }
      case RST_STREAM -> reset(stream, ByteBuffer.wrap(control).getInt(4), receiver);
      default -> {} // Other frames do not concern the two streams.
    }
  }

  private static void end(int stream, boolean fin, Receiver receiver) {
    if (fin && stream == DATA_STREAM) {
      receiver.dataEnd();
    } else if (fin && stream == ERROR_STREAM) {
      receiver.errorEnd();
    }
  }

  private static void reset(int stream, int code, Receiver receiver) {
    if (stream == ERROR_STREAM) {
      receiver.errorEnd();
    } else if (stream == DATA_STREAM) {
      receiver.reset(
          code > 0 && code <= RESETS.length
              ? RESETS[code - 1]
              : "the code " + Integer.toString(code));
    }
  }

  @Override
  public boolean endsWithWebSocket() {
    return false;
  }
}
