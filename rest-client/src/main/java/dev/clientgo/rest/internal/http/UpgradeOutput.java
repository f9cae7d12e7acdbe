package dev.clientgo.rest.internal.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import okio.Buffer;
import okio.Sink;

/**
 * The stream to the server over a connection that has switched to another protocol. Each write is
 * sent at once, and ends if its thread is interrupted; the connection is then unusable, because
 * part of the bytes may have been sent.
 */
final class UpgradeOutput extends OutputStream {

  private static final Logger LOG = System.getLogger(UpgradeOutput.class.getName());

  private final Sink sink;
  private final InterruptibleCall call;
  private final BooleanSupplier closed;
  private final ReentrantLock writing = new ReentrantLock();

  UpgradeOutput(Sink sink, InterruptibleCall call, BooleanSupplier closed) {
    this.sink = sink;
    this.call = call;
    this.closed = closed;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    writing.lock();
    try {
      if (closed.getAsBoolean()) {
        throw new IOException("closed");
      }
      call.write(sink, new Buffer().write(bytes, offset, length));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      writing.unlock();
      if (closed.getAsBoolean()) {
        releaseIfIdle();
      }
    }
  }

  /** A sink must not be closed during a write; the writing thread closes it afterwards. */
  void releaseIfIdle() {
    if (writing.tryLock()) {
      try {
        closeQuietly(sink);
      } finally {
        writing.unlock();
      }
    }
  }

  static void closeQuietly(Closeable closeable) {
    try {
      closeable.close();
    } catch (IOException e) {
      LOG.log(Level.TRACE, "the connection was already broken when it was closed", e);
    }
  }
}
