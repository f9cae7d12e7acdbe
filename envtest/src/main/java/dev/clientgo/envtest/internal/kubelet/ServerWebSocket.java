package dev.clientgo.envtest.internal.kubelet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.envtest.internal.http.UpgradedSocket;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The server's end of a WebSocket. One thread receives, many may send. No message is held in
 * memory.
 *
 * <p>The receiving thread never waits for a slow client: it answers a ping unless another thread is
 * sending; then that thread answers.
 */
final class ServerWebSocket {

  /** Receives the bytes of messages, in the thread of {@link #receive}. */
  interface Receiver {
    /**
     * Receives some bytes of a message.
     *
     * @param first whether these are the first bytes of the message
     */
    void received(boolean first, byte[] bytes, int length) throws IOException, InterruptedException;
  }

  private static final int CONTINUATION = 0;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int BUFFER = 32 * 1024;
  private static final int NORMAL = 1000;

  private final UpgradedSocket socket;
  private final DataInputStream in;
  private final ReentrantLock sending = new ReentrantLock();
  private final AtomicReference<byte @Nullable []> pong = new AtomicReference<>();

  @GuardedBy("sending")
  private final OutputStream out;

  ServerWebSocket(UpgradedSocket socket) {
    this.socket = socket;
    this.in = new DataInputStream(socket.inputStream());
    this.out = socket.outputStream();
  }

  /**
   * Passes all messages to a receiver, until the client closes the WebSocket or its half of the
   * connection.
   *
   * @throws ProtocolException if the client breaks the rules of the protocol
   */
  void receive(Receiver receiver) throws IOException, InterruptedException {
    byte[] buffer = new byte[BUFFER];
    boolean inMessage = false;
    while (true) {
      int start = in.read();
      if (start < 0) {
        return;
      }
      int opcode = start & 0x0f;
      int second = in.readUnsignedByte();
      if ((second & 0x80) == 0) {
        throw new ProtocolException("a frame of the client is not masked");
      }
      long length = length(second & 0x7f);
      byte[] mask = in.readNBytes(4);
      if (opcode >= CLOSE) {
        if (opcode == CLOSE) {
          return;
        }
        byte[] content = new byte[(int) Math.min(length, 125)];
        in.readFully(content);
        unmask(content, content.length, mask, 0);
        if (opcode == PING) {
          pong.set(content);
          answerPing();
        }
      } else {
        if (inMessage != (opcode == CONTINUATION)) {
          throw new ProtocolException("a message begins or continues within another");
        }
        receive(receiver, buffer, length, mask, !inMessage);
        inMessage = (start & 0x80) == 0;
      }
    }
  }

  private long length(int length) throws IOException {
    return length < 126 ? length : length == 126 ? in.readUnsignedShort() : in.readLong();
  }

  private void receive(
      Receiver receiver, byte[] buffer, long length, byte[] mask, boolean firstFrame)
      throws IOException, InterruptedException {
    boolean first = firstFrame;
    for (long done = 0; done < length; ) {
      int read = in.read(buffer, 0, (int) Math.min(length - done, buffer.length));
      if (read < 0) {
        throw new EOFException("a message is incomplete");
      }
      unmask(buffer, read, mask, (int) (done & 3));
      receiver.received(first, buffer, read);
      first = false;
      done += read;
    }
  }

  private static void unmask(byte[] bytes, int length, byte[] mask, int offset) {
    for (int i = 0; i < length; i++) {
      bytes[i] ^= mask[(i + offset) & 3];
    }
  }

  /** Sends a binary message that begins with a byte. */
  void send(int prefix, byte[] bytes, int offset, int length) throws IOException {
    sending.lock();
    try {
      headerLocked(BINARY, length + 1);
      out.write(prefix);
      out.write(bytes, offset, length);
      out.flush();
    } finally {
      sending.unlock();
    }
    answerPing();
  }

  /** Sends a binary message. */
  void send(byte[] bytes, int offset, int length) throws IOException {
    sending.lock();
    try {
      headerLocked(BINARY, length);
      out.write(bytes, offset, length);
      out.flush();
    } finally {
      sending.unlock();
    }
    answerPing();
  }

  /** Signals to the client that no more messages come; {@link #receive} continues. */
  void close() throws IOException {
    sending.lock();
    try {
      headerLocked(CLOSE, 2);
      out.write(NORMAL >> 8);
      out.write(NORMAL & 0xff);
      out.flush();
      socket.endOutput();
    } finally {
      sending.unlock();
    }
  }

  /** Breaks the connection. */
  void cut() {
    socket.cut();
  }

  private void answerPing() throws IOException {
    while (pong.get() != null && sending.tryLock()) {
      try {
        byte[] content = pong.getAndSet(null);
        if (content != null) {
          headerLocked(PONG, content.length);
          out.write(content);
          out.flush();
        }
      } finally {
        sending.unlock();
      }
    }
  }

  @GuardedBy("sending")
  private void headerLocked(int opcode, int length) throws IOException {
    out.write(0x80 | opcode);
    if (length < 126) {
      out.write(length);
    } else if (length <= 0xffff) {
      out.write(126);
      out.write(length >> 8);
      out.write(length);
    } else {
      out.write(127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        out.write((int) ((long) length >> shift));
      }
    }
  }
}
