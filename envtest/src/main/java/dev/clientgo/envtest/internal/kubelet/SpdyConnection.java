package dev.clientgo.envtest.internal.kubelet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The server's end of a SPDY/3.1 connection as upstream speaks it: many streams, no flow control.
 * One thread receives, many may send.
 */
final class SpdyConnection implements AutoCloseable {

  /** Receives what a client sends on a stream, in the thread of {@link #receive}. */
  interface Receiver {
    void received(byte[] bytes, int length);

    /** The client sends no more. */
    void ended();

    /** The client has given up the stream. */
    void reset();
  }

  /** Accepts streams, in the thread of {@link #receive}. */
  interface Acceptor {
    /** Returns the receiver of a stream. */
    Receiver accept(Stream stream, Map<String, String> headers) throws IOException;
  }

  private static final int SYN_STREAM = 1;
  private static final int SYN_REPLY = 2;
  private static final int RST_STREAM = 3;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int CONTROL = 0x80030000;
  private static final int FIN = 1;
  private static final int MAX_CONTROL = 64 * 1024;
  private static final int MAX_PIECE = 32 * 1024;

  private final DataInputStream in;
  private final SpdyHeaders headers = new SpdyHeaders();
  private final Map<Integer, Receiver> receivers = new HashMap<>();
  private final ReentrantLock sending = new ReentrantLock();

  @GuardedBy("sending")
  private final OutputStream out;

  SpdyConnection(InputStream in, OutputStream out) {
    this.in = new DataInputStream(in);
    this.out = out;
  }

  /**
   * Passes the streams to their receivers, until the client goes.
   *
   * @throws ProtocolException if the client breaks the rules of the protocol
   */
  void receive(Acceptor acceptor) throws IOException {
    byte[] buffer = new byte[MAX_PIECE];
    while (true) {
      byte[] head = in.readNBytes(8);
      if (head.length < 8) {
        return;
      }
      ByteBuffer frame = ByteBuffer.wrap(head);
      int first = frame.getInt();
      int second = frame.getInt();
      int flags = second >>> 24;
      int length = second & 0xffffff;
      if (first >= 0) {
        data(first, flags, length, buffer);
      } else if (length > MAX_CONTROL) {
        throw new ProtocolException("a control frame has " + length + " bytes");
      } else {
        byte[] content = new byte[length];
        in.readFully(content);
        if (!control(first & 0xffff, flags, content, acceptor)) {
          return;
        }
      }
    }
  }

  private void data(int id, int flags, int length, byte[] buffer) throws IOException {
    Receiver receiver = receivers.get(id);
    for (int left = length; left > 0; ) {
      int read = in.read(buffer, 0, Math.min(left, buffer.length));
      if (read < 0) {
        throw new ProtocolException("a frame is incomplete");
      }
      if (receiver != null) {
        receiver.received(buffer, read);
      }
      left -= read;
    }
    if ((flags & FIN) != 0 && receiver != null) {
      receiver.ended();
    }
  }

  /** Returns whether the connection continues. */
  private boolean control(int type, int flags, byte[] content, Acceptor acceptor)
      throws IOException {
    ByteBuffer values = ByteBuffer.wrap(content);
    if (type == GOAWAY) {
      return false;
    }
    if (type == SYN_STREAM && content.length > 10) {
      open(values.getInt() & 0x7fffffff, flags, content, acceptor);
    } else if (type == RST_STREAM && content.length == 8) {
      Receiver receiver = receivers.remove(values.getInt() & 0x7fffffff);
      if (receiver != null) {
        receiver.reset();
      }
    } else if (type == PING && content.length == 4) {
      send(PING, 0, content);
    }
    return true;
  }

  private void open(int id, int flags, byte[] content, Acceptor acceptor) throws IOException {
    byte[] compressed = new byte[content.length - 10];
    System.arraycopy(content, 10, compressed, 0, compressed.length);
    Stream stream = new Stream(id);
    Receiver receiver = acceptor.accept(stream, headers.read(compressed));
    receivers.put(id, receiver);
    stream.reply();
    if ((flags & FIN) != 0) {
      receiver.ended();
    }
  }

  private void send(int type, int flags, byte[] content) throws IOException {
    sending.lock();
    try {
      frameLocked(CONTROL | type, flags, content, 0, content.length);
    } finally {
      sending.unlock();
    }
  }

  /** One frame is one write, so that a tunnel sends it as one message. */
  @GuardedBy("sending")
  private void frameLocked(int first, int flags, byte[] bytes, int offset, int length)
      throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream(8 + length);
    frame.writeBytes(ByteBuffer.allocate(8).putInt(first).putInt(flags << 24 | length).array());
    frame.write(bytes, offset, length);
    out.write(frame.toByteArray());
    out.flush();
  }

  /** Releases the tables of the compression. */
  @Override
  public void close() {
    sending.lock();
    try {
      headers.close();
    } finally {
      sending.unlock();
    }
  }

  /** A stream to the client. Safe for use by many threads. */
  final class Stream {
    private final int id;

    @GuardedBy("sending")
    private boolean ended;

    private Stream(int id) {
      this.id = id;
    }

    private void reply() throws IOException {
      sending.lock();
      try {
        byte[] block = headers.write(Map.of());
        byte[] content = ByteBuffer.allocate(4 + block.length).putInt(id).put(block).array();
        frameLocked(CONTROL | SYN_REPLY, 0, content, 0, content.length);
      } finally {
        sending.unlock();
      }
    }

    /** Sends bytes, unless the stream has ended. */
    void send(byte[] bytes, int offset, int length) throws IOException {
      for (int done = 0; done < length; done += MAX_PIECE) {
        sending.lock();
        try {
          if (ended) {
            throw new IOException("the stream has ended");
          }
          frameLocked(id, 0, bytes, offset + done, Math.min(MAX_PIECE, length - done));
        } finally {
          sending.unlock();
        }
      }
    }

    /** Signals to the client that no more comes. */
    void end() throws IOException {
      sending.lock();
      try {
        if (!ended) {
          ended = true;
          frameLocked(id, FIN, new byte[0], 0, 0);
        }
      } finally {
        sending.unlock();
      }
    }
  }
}
