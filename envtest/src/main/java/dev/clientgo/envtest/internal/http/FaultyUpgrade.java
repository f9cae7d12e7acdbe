package dev.clientgo.envtest.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;

/** An upgraded connection with a fault after a number of bytes to the client. */
final class FaultyUpgrade implements Response.Upgrade {

  private final Response.Upgrade upgrade;
  private final long after;
  private final Response.Fault fault;
  private final ResponsePause pause;

  FaultyUpgrade(Response.Upgrade upgrade, long after, Response.Fault fault, ResponsePause pause) {
    this.upgrade = upgrade;
    this.after = after;
    this.fault = fault;
    this.pause = pause;
  }

  @Override
  public void speak(UpgradedSocket socket) throws IOException, InterruptedException {
    try {
      upgrade.speak(new FaultySocket(socket));
    } finally {
      pause.end();
    }
  }

  private final class FaultySocket implements UpgradedSocket {
    private final UpgradedSocket socket;
    private final OutputStream output;

    FaultySocket(UpgradedSocket socket) {
      this.socket = socket;
      this.output = new Counting(socket);
    }

    @Override
    public InputStream inputStream() {
      return socket.inputStream();
    }

    @Override
    public OutputStream outputStream() {
      return output;
    }

    @Override
    public void endOutput() throws IOException {
      socket.endOutput();
    }

    @Override
    public void onGone(Runnable callback) {
      socket.onGone(callback);
    }

    @Override
    public void cut() {
      socket.cut();
    }
  }

  private final class Counting extends OutputStream {
    private final UpgradedSocket socket;
    private final OutputStream out;
    private long left = after;

    Counting(UpgradedSocket socket) {
      this.socket = socket;
      this.out = socket.outputStream();
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int before = left < 0 ? length : (int) Math.min(left, length);
      out.write(bytes, offset, before);
      left -= left < 0 ? 0 : before;
      if (left == 0) {
        left = -1;
        inject();
      }
      out.write(bytes, offset + before, length - before);
    }

    private void inject() throws IOException {
      out.flush();
      try {
        fault.inject(new Target());
      } catch (ConnectionCutException e) {
        socket.cut();
        throw e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted during a fault");
      }
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    private final class Target implements Response.Sink {
      @Override
      public void write(byte[] bytes) throws IOException {
        out.write(bytes);
      }

      @Override
      public void flush() throws IOException {
        out.flush();
      }
    }
  }
}
