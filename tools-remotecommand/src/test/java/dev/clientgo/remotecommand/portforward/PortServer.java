package dev.clientgo.remotecommand.portforward;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.remotecommand.FakeKubelet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Connects the ports of the pod {@code default/p} to those of this machine, in both protocols. */
final class PortServer implements FakeKubelet.Script {

  static final String SPDY = "SPDY/3.1+portforward.k8s.io";
  static final String V4 = "v4.channel.k8s.io";

  private static final String NOT_FOUND =
      "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404,\"message\":\"no such pod\"}";

  @Override
  public void handle(FakeKubelet.Connection connection) throws Exception {
    if (!connection.url().encodedPath().equals("/api/v1/namespaces/default/pods/p/portforward")) {
      connection.respond(404, NOT_FOUND);
      return;
    }
    String protocol = connection.headers().get("Sec-WebSocket-Protocol").split(",", -1)[0].strip();
    connection.upgrade(protocol);
    if (protocol.equals(SPDY)) {
      spdy(connection);
    } else {
      channels(connection, Integer.parseInt(connection.url().queryParameter("ports")));
    }
  }

  private static void channels(FakeKubelet.Connection connection, int port) throws Exception {
    byte[] number = {(byte) port, (byte) (port >> 8)};
    connection.send(0, number);
    connection.send(1, number);
    try (Socket pod = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Thread reader = new Thread(() -> channelsToPod(connection, pod));
      reader.start();
      byte[] buffer = new byte[32 * 1024];
      for (int read; (read = pod.getInputStream().read(buffer)) >= 0; ) {
        connection.send(0, Arrays.copyOf(buffer, read));
      }
    } catch (IOException e) {
      connection.send(1, ("error forwarding port " + port + ": " + e.getMessage()).getBytes(UTF_8));
    }
    connection.frame(0x88, new byte[] {3, (byte) 0xe8});
  }

  private static void channelsToPod(FakeKubelet.Connection connection, Socket pod) {
    try {
      for (FakeKubelet.Message message = connection.read();
          message.channel() != 1008;
          message = connection.read()) {
        if (message.channel() == 0) {
          pod.getOutputStream().write(message.bytes());
        }
      }
    } catch (IOException e) {
      // The client is gone.
    }
    endOutput(pod);
  }

  private static void endOutput(Socket pod) {
    try {
      pod.shutdownOutput();
    } catch (IOException e) {
      // The pod is gone.
    }
  }

  private static void spdy(FakeKubelet.Connection connection) throws Exception {
    Spdy client = new Spdy(connection);
    Map<String, String> error = client.synStream(1);
    Map<String, String> data = client.synStream(3);
    if (!error.get("streamtype").equals("error") || !data.get("streamtype").equals("data")) {
      throw new IOException("the streams are " + error + " and " + data);
    }
    client.reply(1);
    client.reply(3);
    int port = Integer.parseInt(data.get("port"));
    try (Socket pod = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Thread reader = new Thread(() -> spdyToPod(client, pod));
      reader.start();
      byte[] buffer = new byte[32 * 1024];
      for (int read; (read = pod.getInputStream().read(buffer)) >= 0; ) {
        client.data(3, 0, Arrays.copyOf(buffer, read));
      }
      client.data(1, 1, new byte[0]);
      client.data(3, 1, new byte[0]);
      reader.join();
    } catch (IOException e) {
      client.data(1, 0, ("error forwarding port " + port + ": " + e.getMessage()).getBytes(UTF_8));
      client.reset(3);
      client.reset(1);
      connection.awaitEnd();
    }
  }

  private static void spdyToPod(Spdy client, Socket pod) {
    try {
      while (true) {
        client.readFrame();
        if (client.isData()) {
          pod.getOutputStream().write(client.payload());
          if (client.isFin()) {
            endOutput(pod);
          }
        }
      }
    } catch (IOException e) {
      endOutput(pod); // The client is gone.
    }
  }

  /** The server's side of SPDY. */
  static final class Spdy {
    private final FakeKubelet.Connection connection;
    private final DataInputStream in;
    private final Inflater inflater = new Inflater();
    private int first;
    private int second;
    private byte[] payload = new byte[0];

    Spdy(FakeKubelet.Connection connection) {
      this.connection = connection;
      this.in = new DataInputStream(new Messages(connection));
    }

    void readFrame() throws IOException {
      readFrameWithoutAnswer();
      if (isPing()) {
        control(6, payload);
      }
    }

    void readFrameWithoutAnswer() throws IOException {
      first = in.readInt();
      second = in.readInt();
      payload = in.readNBytes(second & 0xffffff);
    }

    boolean isPing() {
      return first == 0x80030006;
    }

    boolean isData() {
      return first == 3;
    }

    boolean isFin() {
      return second >>> 24 == 1;
    }

    byte[] payload() {
      return payload;
    }

    Map<String, String> synStream(int id) throws IOException, DataFormatException {
      do {
        readFrame();
      } while (first != 0x80030001);
      if (ByteBuffer.wrap(payload).getInt() != id) {
        throw new IOException("not the stream " + id);
      }
      byte[] block = new byte[4096];
      inflater.setInput(payload, 10, payload.length - 10);
      DataInputStream fields =
          new DataInputStream(new ByteArrayInputStream(block, 0, inflater.inflate(block)));
      Map<String, String> headers = new HashMap<>();
      for (int i = fields.readInt(); i > 0; i--) {
        String name = new String(fields.readNBytes(fields.readInt()), UTF_8);
        headers.put(name, new String(fields.readNBytes(fields.readInt()), UTF_8));
      }
      return headers;
    }

    void reply(int stream) throws IOException {
      control(2, ByteBuffer.allocate(8).putInt(stream).array());
    }

    void reset(int stream) throws IOException {
      control(3, ByteBuffer.allocate(8).putInt(stream).putInt(5).array());
    }

    void control(int type, byte[] content) throws IOException {
      frame(0x80030000 | type, 0, content);
    }

    void data(int stream, int flags, byte[] content) throws IOException {
      frame(stream, flags, content);
    }

    private void frame(int head, int flags, byte[] content) throws IOException {
      raw(
          ByteBuffer.allocate(8 + content.length)
              .putInt(head)
              .putInt(flags << 24 | content.length)
              .put(content)
              .array());
    }

    /** Cuts the bytes at odd places, as a server may. */
    synchronized void raw(byte[] bytes) throws IOException {
      for (int sent = 0; sent < bytes.length; ) {
        int part = Math.min(bytes.length - sent, sent == 0 ? 3 : 20_000);
        connection.frame(0x82, Arrays.copyOfRange(bytes, sent, sent + part));
        sent += part;
      }
    }
  }

  /** The content of messages as one stream. */
  private static final class Messages extends InputStream {
    private final FakeKubelet.Connection connection;
    private InputStream rest = InputStream.nullInputStream();

    Messages(FakeKubelet.Connection connection) {
      this.connection = connection;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      for (int read; ; ) {
        read = rest.read(bytes, offset, length);
        if (read >= 0) {
          return read;
        }
        FakeKubelet.Message message = connection.read();
        if (message.channel() < 1000) {
          ByteArrayOutputStream whole = new ByteArrayOutputStream();
          whole.write(message.channel());
          whole.writeBytes(message.bytes());
          rest = new ByteArrayInputStream(whole.toByteArray());
        } else if (message.channel() == 1008) {
          return -1;
        }
      }
    }
  }
}
