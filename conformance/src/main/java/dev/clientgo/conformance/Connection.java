package dev.clientgo.conformance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** One connection of a client: HTTP/1.1, or a WebSocket after an upgrade. */
final class Connection {

  /** Serves one request. */
  interface Handler {
    void serve(ServerRequest request, Connection connection) throws IOException;
  }

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private @Nullable ServerRequest request;
  private volatile boolean isStream;
  private volatile boolean isSilent;

  Connection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** Serves requests until the client or the server ends the connection. */
  void serve(Handler handler) {
    try (socket) {
      while (!isStream) {
        request = ServerRequest.read(in);
        if (request == null) {
          return;
        }
        handler.serve(request, this);
      }
      if (isWebSocket()) {
        readFrames();
      } else {
        in.transferTo(OutputStream.nullOutputStream());
      }
    } catch (IOException e) {
      // The client has closed it, or the script has cut the connection.
    }
  }

  void close() {
    try {
      socket.setSoLinger(true, 0); // A reset, not an orderly end.
      socket.close();
    } catch (IOException e) {
      // It is closed.
    }
  }

  void answer(int status, String body, boolean gzip) throws IOException {
    answer(status, body, gzip, Map.of());
  }

  void answer(int status, String body, boolean gzip, Map<String, String> headers)
      throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    StringBuilder head = head(status, body.startsWith("<") ? "text/html" : "application/json");
    headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    if (gzip) {
      ByteArrayOutputStream zipped = new ByteArrayOutputStream();
      try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
        zip.write(bytes);
      }
      bytes = zipped.toByteArray();
      head.append("Content-Encoding: gzip\r\n");
    }
    head.append("Content-Length: " + bytes.length + "\r\n\r\n");
    write(head.toString().getBytes(ISO_8859_1));
    write(bytes);
  }

  /** Begins a response that stays open. */
  ServerStream stream(boolean trickle) throws IOException {
    isStream = true;
    ServerRequest upgrade = request;
    if (upgrade != null && isWebSocket()) {
      write(
          ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  + ("Sec-WebSocket-Accept: " + acceptKey(upgrade) + "\r\n\r\n"))
              .getBytes(ISO_8859_1));
      return new Stream() {
        @Override
        void write(byte[] bytes) throws IOException {
          writeFrame(0x81, bytes);
        }

        @Override
        void writeEnd() throws IOException {
          writeFrame(0x88, new byte[] {0x03, (byte) 0xe8}); // 1000, a normal end.
        }
      };
    }
    write(
        head(200, "application/json")
            .append("Transfer-Encoding: chunked\r\n\r\n")
            .toString()
            .getBytes(ISO_8859_1));
    return new Stream() {
      @Override
      void write(byte[] bytes) throws IOException {
        int size = trickle ? 3 : bytes.length;
        for (int i = 0; i < bytes.length; i += size) {
          writeChunk(bytes, i, Math.min(size, bytes.length - i));
        }
      }

      @Override
      void writeEnd() throws IOException {
        writeChunk(new byte[0], 0, 0);
      }
    };
  }

  private static StringBuilder head(int status, String contentType) {
    return new StringBuilder()
        .append("HTTP/1.1 " + status + " Scripted\r\n")
        .append("Content-Type: " + contentType + "\r\n");
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  private void writeChunk(byte[] bytes, int from, int length) throws IOException {
    ByteArrayOutputStream chunk = new ByteArrayOutputStream();
    chunk.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
    chunk.write(bytes, from, length);
    chunk.writeBytes("\r\n".getBytes(ISO_8859_1));
    write(chunk.toByteArray());
  }

  private abstract class Stream implements ServerStream {

    abstract void write(byte[] bytes) throws IOException;

    abstract void writeEnd() throws IOException;

    @Override
    public void send(String text) {
      try {
        write(text.getBytes(UTF_8));
      } catch (IOException e) {
        close();
      }
    }

    @Override
    public void end() {
      try {
        writeEnd();
        if (!isWebSocket()) {
          socket.shutdownOutput();
        }
      } catch (IOException e) {
        close();
      }
    }

    @Override
    public void cut() {
      close();
    }

    @Override
    public void silence() {
      isSilent = true;
    }
  }

  // ---- WebSockets: fabric8's client watches through them

  private boolean isWebSocket() {
    return request != null && request.header("upgrade").equalsIgnoreCase("websocket");
  }

  private static String acceptKey(ServerRequest upgrade) {
    try {
      String key = upgrade.header("sec-websocket-key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
      byte[] hash = MessageDigest.getInstance("SHA-1").digest(key.getBytes(ISO_8859_1));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void writeFrame(int firstByte, byte[] bytes) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(firstByte);
    if (bytes.length < 126) {
      frame.write(bytes.length);
    } else if (bytes.length < 1 << 16) {
      frame.write(126);
      frame.write(bytes.length >> 8);
      frame.write(bytes.length);
    } else {
      frame.write(127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        frame.write((int) ((long) bytes.length >> shift));
      }
    }
    frame.writeBytes(bytes);
    write(frame.toByteArray());
  }

  /** Answers pings, until the client closes the WebSocket. */
  private void readFrames() throws IOException {
    DataInputStream frames = new DataInputStream(in);
    while (true) {
      int opcode = frames.readUnsignedByte() & 0x0f;
      int length = frames.readUnsignedByte() & 0x7f;
      if (length == 126) {
        length = frames.readUnsignedShort();
      }
      byte[] mask = frames.readNBytes(4);
      byte[] payload = frames.readNBytes(length);
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= mask[i % 4];
      }
      if (opcode == 8) {
        return;
      }
      if (opcode == 9 && !isSilent) {
        writeFrame(0x8a, payload);
      }
    }
  }
}
