package dev.clientgo.envtest.internal.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import okio.BufferedSink;
import okio.Okio;
import okio.Socket;

/** The connection of a client, after its upgrade. */
final class OkioSocket implements UpgradedSocket {

  private final InputStream input;
  private final BufferedSink sink;
  private final ClientConnection connection;

  OkioSocket(Socket socket, ClientConnection connection) {
    this.input = new Input(Okio.buffer(socket.getSource()).inputStream());
    this.sink = Okio.buffer(socket.getSink());
    this.connection = connection;
  }

  @Override
  public InputStream inputStream() {
    return input;
  }

  @Override
  public OutputStream outputStream() {
    return sink.outputStream();
  }

  @Override
  public void endOutput() throws IOException {
    sink.close();
  }

  @Override
  public void onGone(Runnable callback) {
    connection.onGone(callback);
  }

  @Override
  public void cut() {
    connection.closeQuietly();
  }

  private static final class Input extends FilterInputStream {

    Input(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return length == 0 ? 0 : in.read(bytes, offset, length); // Okio would wait for a byte.
    }
  }
}
