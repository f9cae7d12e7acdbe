package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.rest.config.RestConfig;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.HttpUrl;

/** A server whose connections a script handles, one thread each. */
public final class FakeKubelet implements AutoCloseable {

  /** Handles a connection after its request has been read. */
  public interface Script {
    void handle(Connection connection) throws Exception;
  }

  private final ServerSocket listener;
  private final Script script;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger cuts = new AtomicInteger();
  private final Thread acceptor;

  public FakeKubelet(Script script) throws IOException {
    this.script = script;
    this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    this.acceptor = new Thread(this::accept, "fake-kubelet");
    acceptor.start();
  }

  public RestConfig config() {
    return RestConfig.builder("http://127.0.0.1:" + listener.getLocalPort()).build();
  }

  /** Waits until the client has closed all connections. */
  public void awaitNoConnections() throws InterruptedException {
    synchronized (open) {
      while (!open.isEmpty()) {
        open.wait(); // The test has a timeout.
      }
    }
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = listener.accept();
        open.add(socket);
        Thread thread = new Thread(() -> handle(socket), "fake-kubelet-connection");
        threads.add(thread);
        thread.start();
      } catch (IOException e) {
        return; // Closed.
      }
    }
  }

  private void handle(Socket socket) {
    try (socket) {
      Connection connection = new Connection(socket);
      script.handle(connection);
    } catch (CutException e) {
      cuts.incrementAndGet();
    } catch (Exception e) {
      // The client has closed the connection.
    } finally {
      synchronized (open) {
        open.remove(socket);
        open.notifyAll();
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    try {
      acceptor.join();
      for (Socket socket : open) {
        socket.close();
      }
      for (Thread thread : threads) {
        thread.join(10_000);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The threads end without this wait.
    }
  }

  /** Returns how many connections were cut before their end. */
  public int cuts() {
    return cuts.get();
  }

  /** The connection has sent all that it may send before it is cut. */
  private static final class CutException extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** A message of the client: its channel and its bytes. */
  public static final class Message {
    private final int channel;
    private final byte[] bytes;

    private Message(int channel, byte[] bytes) {
      this.channel = channel;
      this.bytes = bytes;
    }

    public int channel() {
      return channel;
    }

    public byte[] bytes() {
      return bytes;
    }
  }

  /** The server's end of a connection. */
  public static final class Connection {
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final String line;
    private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private long left = Long.MAX_VALUE;

    private Connection(Socket socket) throws IOException {
      this.socket = socket;
      this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      this.out = socket.getOutputStream();
      this.line = readLine();
      for (String header = readLine(); !header.isEmpty(); header = readLine()) {
        int colon = header.indexOf(':');
        headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
      }
    }

    @SuppressWarnings("deprecation")
    private String readLine() throws IOException {
      String read = in.readLine();
      if (read == null) {
        throw new EOFException();
      }
      return read;
    }

    public HttpUrl url() {
      return HttpUrl.get(
          "http://server" + line.substring(line.indexOf(' ') + 1, line.lastIndexOf(' ')));
    }

    public Map<String, String> headers() {
      return headers;
    }

    /** Cuts the connection after that many more bytes. */
    public void cutAfter(long bytes) {
      left = bytes;
    }

    public void respond(int code, String json) throws IOException {
      raw(
          "HTTP/1.1 %d x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(code, json.length(), json)
              .getBytes(UTF_8));
    }

    /** Agrees on a protocol, or on that of the client if it offers only one. */
    public void upgrade(String preferred) throws Exception {
      String offered = headers.getOrDefault("Sec-WebSocket-Protocol", preferred);
      String protocol = offered.contains(",") ? preferred : offered;
      String key = headers.get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
      byte[] hash = MessageDigest.getInstance("SHA-1").digest(key.getBytes(ISO_8859_1));
      raw(
          ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  + "Sec-WebSocket-Accept: "
                  + Base64.getEncoder().encodeToString(hash)
                  + "\r\nSec-WebSocket-Protocol: "
                  + protocol
                  + "\r\n\r\n")
              .getBytes(UTF_8));
    }

    public void send(int channel, byte[] bytes) throws IOException {
      byte[] message = new byte[bytes.length + 1];
      message[0] = (byte) channel;
      System.arraycopy(bytes, 0, message, 1, bytes.length);
      frame(0x82, message);
    }

    void stdout(String text) throws IOException {
      send(1, text.getBytes(UTF_8));
    }

    void status(String json) throws IOException {
      send(3, json.getBytes(UTF_8));
    }

    void exit(int code) throws IOException {
      status(
          code == 0
              ? "{\"metadata\":{},\"status\":\"Success\"}"
              : "{\"status\":\"Failure\",\"reason\":\"NonZeroExitCode\",\"message\":\"m\",\"details\":{\"causes\":[{\"reason\":\"ExitCode\",\"message\":\"%d\"}]}}"
                  .formatted(code));
      frame(0x88, new byte[] {3, (byte) 0xe8});
    }

    public synchronized void frame(int first, byte[] content) throws IOException {
      ByteArrayOutputStream frame = new ByteArrayOutputStream();
      frame.write(first);
      if (content.length < 126) {
        frame.write(content.length);
      } else if (content.length < 65536) {
        frame.write(126);
        frame.write(content.length >> 8);
        frame.write(content.length);
      } else {
        frame.write(127);
        for (int shift = 56; shift >= 0; shift -= 8) {
          frame.write((int) ((long) content.length >> shift));
        }
      }
      frame.writeBytes(content);
      raw(frame.toByteArray());
    }

    public void raw(byte[] bytes) throws IOException {
      int length = (int) Math.min(left, bytes.length);
      out.write(bytes, 0, length);
      out.flush();
      left -= length;
      if (length < bytes.length) {
        throw new CutException();
      }
    }

    /** Tells the client that no more comes. */
    public void endOutput() throws IOException {
      socket.shutdownOutput();
    }

    /** Reads the next message; control frames have the channel 1000 + opcode. */
    public Message read() throws IOException {
      int opcode = in.readUnsignedByte() & 0x0f;
      int length = in.readUnsignedByte() & 0x7f;
      if (length == 126) {
        length = in.readUnsignedShort();
      } else if (length == 127) {
        length = (int) in.readLong();
      }
      byte[] mask = in.readNBytes(4);
      byte[] content = in.readNBytes(length);
      if (content.length < length) {
        throw new EOFException();
      }
      for (int i = 0; i < length; i++) {
        content[i] ^= mask[i & 3];
      }
      if (opcode >= 8) {
        return new Message(1000 + opcode, content);
      }
      byte[] bytes = new byte[length - 1];
      System.arraycopy(content, 1, bytes, 0, bytes.length);
      return new Message(content[0] & 0xff, bytes);
    }

    /** Reads until the client is gone. */
    public void awaitEnd() throws IOException {
      while (true) {
        read();
      }
    }
  }
}
