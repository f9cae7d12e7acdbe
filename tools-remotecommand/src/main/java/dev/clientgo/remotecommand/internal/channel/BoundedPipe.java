package dev.clientgo.remotecommand.internal.channel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Passes bytes from one thread to another through a buffer that grows up to a limit: a writer waits
 * while the buffer is full. A closed reader discards the rest, so that its writer never waits for
 * it.
 */
public final class BoundedPipe extends InputStream {

  /** The bytes of a buffer that need not grow, and the limit by default. */
  private static final int INITIAL = 64 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Clock clock;
  private final Condition changed;
  private final OutputStream writer = new Writer();

  /** The most bytes that are written and not yet read. */
  private final int capacity;

  @GuardedBy("lock")
  private byte[] buffer = new byte[INITIAL];

  @GuardedBy("lock")
  private int start;

  @GuardedBy("lock")
  private int size;

  @GuardedBy("lock")
  private boolean ended;

  @GuardedBy("lock")
  private @Nullable Throwable failure;

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private Duration readTimeout = Duration.ZERO;

  /** Creates an empty pipe for 64 KiB. */
  public BoundedPipe(Clock clock) {
    this(clock, INITIAL);
  }

  /** Creates an empty pipe for so many bytes, 64 KiB at least. */
  public BoundedPipe(Clock clock, int capacity) {
    this.capacity = Math.max(INITIAL, capacity);
    this.clock = clock;
    this.changed = clock.newCondition(lock);
  }

  /** Returns the end for the writer. */
  public OutputStream writer() {
    return writer;
  }

  /**
   * Ends the bytes.
   *
   * @param cause why they are incomplete; null if they are complete
   */
  public void end(@Nullable Throwable cause) {
    lock.lock();
    try {
      if (!ended) {
        ended = true;
        failure = cause;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets how long {@link #read} waits before it throws a {@link SocketTimeoutException}; zero, the
   * default, means without limit. A thread that waits already is not affected.
   */
  public void setReadTimeout(Duration timeout) {
    lock.lock();
    try {
      readTimeout = timeout;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    lock.lock();
    try {
      awaitBytesLocked();
      if (closed) {
        throw new IOException("the stream is closed");
      }
      if (size > 0) {
        return takeLocked(bytes, offset, length);
      }
      if (failure != null) {
        throw new IOException(failure.getMessage(), failure);
      }
      return -1;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private int takeLocked(byte[] bytes, int offset, int length) {
    int taken = Math.min(length, Math.min(size, buffer.length - start));
    System.arraycopy(buffer, start, bytes, offset, taken);
    start = (start + taken) % buffer.length;
    size -= taken;
    if (size == 0 && buffer.length > INITIAL) {
      resizeLocked(INITIAL);
    }
    changed.signalAll();
    return taken;
  }

  @GuardedBy("lock")
  private void resizeLocked(int length) {
    byte[] resized = new byte[length];
    int first = Math.min(size, buffer.length - start);
    System.arraycopy(buffer, start, resized, 0, first);
    System.arraycopy(buffer, 0, resized, first, size - first);
    buffer = resized;
    start = 0;
  }

  @GuardedBy("lock")
  private void awaitBytesLocked() throws InterruptedIOException {
    Duration timeout = readTimeout;
    Deadline deadline = clock.deadline(timeout);
    try {
      while (size == 0 && !ended && !closed) {
        if (timeout.isZero()) {
          changed.await();
        } else if (!deadline.await(lock, changed)) {
          throw new SocketTimeoutException("nothing has arrived within " + timeout);
        }
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  @GuardedBy("lock")
  private void awaitSpaceLocked() throws InterruptedIOException {
    try {
      while (size == capacity && !ended && !closed) {
        changed.await();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException("interrupted");
    interrupted.initCause(e);
    return interrupted;
  }

  @Override
  public int available() {
    lock.lock();
    try {
      return closed ? 0 : size;
    } finally {
      lock.unlock();
    }
  }

  /** Discards what is not read yet and what is still to come. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      size = 0;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private final class Writer extends OutputStream {

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      lock.lock();
      try {
        int written = 0;
        while (written < length) {
          awaitSpaceLocked();
          if (closed) {
            return;
          }
          if (ended) {
            throw new IOException("the stream has ended");
          }
          written += putLocked(bytes, offset + written, length - written);
        }
      } finally {
        lock.unlock();
      }
    }

    @GuardedBy("lock")
    private int putLocked(byte[] bytes, int offset, int length) {
      if (size == buffer.length) {
        resizeLocked((int) Math.min(capacity, 2L * size));
      }
      int end = (start + size) % buffer.length;
      int free = end < start ? start - end : buffer.length - end;
      int put = Math.min(length, Math.min(free, buffer.length - size));
      System.arraycopy(bytes, offset, buffer, end, put);
      size += put;
      changed.signalAll();
      return put;
    }
  }
}
