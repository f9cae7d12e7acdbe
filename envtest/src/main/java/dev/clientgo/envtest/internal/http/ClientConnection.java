package dev.clientgo.envtest.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client that reports when it is closed.
 *
 * <p>While a response is streamed over HTTP/1.1 nothing reads from the socket, so the server would
 * notice only at the next write that the client has hung up. A thread therefore {@linkplain
 * #readAhead reads ahead}: the end of the input closes the connection; bytes that arrive instead
 * belong to the next request and are kept for the next reader.
 */
final class ClientConnection extends Socket {

  private static final Logger LOG = System.getLogger(ClientConnection.class.getName());

  /** No client sends more than this before its last response has ended. */
  private static final int MAX_AHEAD = 64 * 1024;

  /** How long a connection that was cut waits for the client to close it. */
  private static final int CUT_MILLIS = 1000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final List<Runnable> onGone = new ArrayList<>();

  private final List<Runnable> onRead = new CopyOnWriteArrayList<>();

  /** The bytes that were read ahead and not yet consumed. */
  @GuardedBy("lock")
  private byte[] ahead = {};

  /**
   * Whether a thread is reading ahead. It may continue after a stop, because a read cannot be
   * cancelled.
   */
  @GuardedBy("lock")
  private boolean reading;

  @GuardedBy("lock")
  private boolean askedToRead;

  @GuardedBy("lock")
  private boolean gone;

  private volatile @Nullable InputStream input;

  private volatile boolean isCut;

  /** Calls back when the connection is closed, or at once if it is closed already. */
  void onGone(Runnable callback) {
    lock.lock();
    try {
      if (!gone) {
        onGone.add(callback);
        return;
      }
    } finally {
      lock.unlock();
    }
    callback.run();
  }

  /**
   * Calls back whenever the reader of this connection has processed its input and reads again. Over
   * HTTP/2, the end of a stream has taken effect by then.
   */
  void onRead(Runnable callback) {
    onRead.add(callback);
  }

  /** Removes callbacks. */
  void remove(Runnable goneCallback, Runnable readCallback) {
    onRead.remove(readCallback);
    lock.lock();
    try {
      onGone.remove(goneCallback);
    } finally {
      lock.unlock();
    }
  }

  /** Starts to read ahead, on a thread of the executor. */
  void readAhead(Executor executor) throws IOException {
    InputStream in = super.getInputStream();
    lock.lock();
    try {
      askedToRead = true;
      if (reading || gone) {
        return;
      }
      reading = true;
    } finally {
      lock.unlock();
    }
    executor.execute(() -> readAll(in));
  }

  /** Stops reading ahead, at the latest after the next byte. */
  void stopReadingAhead() {
    lock.lock();
    try {
      askedToRead = false;
    } finally {
      lock.unlock();
    }
  }

  private void readAll(InputStream in) {
    byte[] buffer = new byte[8192];
    boolean more = true;
    while (more) {
      int count;
      try {
        count = in.read(buffer);
      } catch (IOException e) {
        count = -1;
      }
      if (count < 0) {
        markGone();
      }
      more = keep(buffer, count);
    }
  }

  private boolean keep(byte[] buffer, int count) {
    lock.lock();
    try {
      if (count > 0) {
        int before = ahead.length;
        ahead = Arrays.copyOf(ahead, before + count);
        System.arraycopy(buffer, 0, ahead, before, count);
      }
      reading = count > 0 && askedToRead && ahead.length < MAX_AHEAD;
      changed.signalAll();
      return reading;
    } finally {
      lock.unlock();
    }
  }

  private void markGone() {
    List<Runnable> callbacks;
    lock.lock();
    try {
      gone = true;
      callbacks = List.copyOf(onGone);
      onGone.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    callbacks.forEach(Runnable::run);
  }

  @Override
  public InputStream getInputStream() throws IOException {
    InputStream present = input;
    if (present == null) {
      present = new Input(super.getInputStream());
      input = present;
    }
    return present;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new Output(super.getOutputStream());
  }

  @Override
  @SuppressWarnings(
      "UnsynchronizedOverridesSynchronized") // Callbacks must not run under the socket's lock.
  public void close() throws IOException {
    if (!isCut) { // Otherwise the thread that drains it closes it.
      closeNow();
    }
  }

  private void closeNow() throws IOException {
    try {
      super.close();
    } finally {
      markGone();
    }
  }

  /** Closes the connection, also one that was cut; an error is logged. */
  void closeQuietly() {
    try {
      closeNow();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A connection did not close", e);
    }
  }

  /**
   * Breaks the connection. The client reads what was sent before, and the end: closed at once, a
   * socket with unread input would reset the connection, and the client may lose the headers and
   * send the request again. Closes it when the client has, or waits no longer.
   */
  void cut(Executor executor) throws IOException {
    InputStream in = super.getInputStream();
    isCut = true;
    setSoTimeout(CUT_MILLIS);
    shutdownOutput();
    try {
      executor.execute(() -> drain(in));
    } catch (RejectedExecutionException e) {
      closeQuietly(); // The server ends.
    }
  }

  private void drain(InputStream in) {
    byte[] buffer = new byte[8192];
    try {
      for (int read, left = MAX_AHEAD; left > 0 && (read = in.read(buffer)) >= 0; left -= read) {}
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "A connection that was cut has ended", e);
    } finally {
      closeQuietly();
    }
  }

  /**
   * Closes the connection if a write fails. MockWebServer does not if its first write fails,
   * because it has no reader yet.
   */
  private final class Output extends OutputStream {
    private final OutputStream socket;

    Output(OutputStream socket) {
      this.socket = socket;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        socket.write(bytes, offset, length);
      } catch (IOException e) {
        ClientConnection.this.close();
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      ClientConnection.this.close();
    }
  }

  /** Returns the bytes that were read ahead, then those of the socket. */
  private final class Input extends InputStream {
    private final InputStream socket;

    Input(InputStream socket) {
      this.socket = socket;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = takeAhead(bytes, offset, length);
      if (count > 0 || length == 0) {
        return count;
      }
      onRead.forEach(Runnable::run);
      try {
        count = socket.read(bytes, offset, length);
      } catch (IOException e) {
        markGone();
        throw e;
      }
      if (count < 0) {
        markGone();
      }
      return count;
    }

    private int takeAhead(byte[] bytes, int offset, int length) throws IOException {
      lock.lock();
      try {
        while (reading && ahead.length == 0) {
          changed.await();
        }
        int count = Math.min(length, ahead.length);
        System.arraycopy(ahead, 0, bytes, offset, count);
        ahead = Arrays.copyOfRange(ahead, count, ahead.length);
        return count;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a request was awaited");
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int available() throws IOException {
      lock.lock();
      try {
        return ahead.length + socket.available();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() throws IOException {
      ClientConnection.this.close();
    }
  }
}
