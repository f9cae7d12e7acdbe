package dev.clientgo.rest.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import okio.Buffer;
import okio.Sink;
import okio.Socket;
import okio.Source;

/**
 * A connection that has switched to another protocol, with the streams of the socket itself. Those
 * of Okio copy each byte once more and take 8 KiB at most, half a record of TLS: with them, the
 * output of a command took 3.9 s of processor time per GB, and takes 3.3 s (a steady stream, median
 * of three, docs/benchmarks/streams.md).
 */
final class UpgradedSocket implements Socket {

  private final Socket okio;
  private final InputStream input;
  private final OutputStream output;

  /**
   * @param okio the connection as OkHttp returns it
   * @param socket the socket below
   */
  UpgradedSocket(Socket okio, java.net.Socket socket) throws IOException {
    this.okio = okio;
    this.input = new Input(okio.getSource(), socket.getInputStream());
    this.output = socket.getOutputStream();
  }

  InputStream input() {
    return input;
  }

  OutputStream output() {
    return output;
  }

  @Override
  public Source getSource() {
    return okio.getSource();
  }

  @Override
  public Sink getSink() {
    return okio.getSink();
  }

  @Override
  public void cancel() {
    okio.cancel();
  }

  /** Reads first what OkHttp has read behind the head of the response, and then the socket. */
  private static final class Input extends InputStream {
    private final Source source;
    private final InputStream direct;
    private final Buffer first = new Buffer();
    private boolean begun;

    Input(Source source, InputStream direct) {
      this.source = source;
      this.direct = direct;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (!begun) {
        source.read(first, Long.MAX_VALUE); // All that OkHttp holds, or one read of the socket.
        begun = true;
      }
      if (!first.exhausted()) {
        return first.read(bytes, offset, length);
      }
      int read;
      do {
        read = direct.read(bytes, offset, length);
      } while (read == 0 && length > 0); // Conscrypt returns 0 after a renegotiation.
      return read;
    }

    /** Closes the connection by OkHttp, which then forgets it. */
    @Override
    public void close() throws IOException {
      source.close();
    }
  }
}
