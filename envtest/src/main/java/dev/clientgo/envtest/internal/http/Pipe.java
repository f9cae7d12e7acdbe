package dev.clientgo.envtest.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Carries the bytes of a stream from the thread that writes it to the thread that reads it. The
 * writer waits while much is unread, as it would for a socket.
 */
public final class Pipe implements Response.Sink {

  /** How many bytes may be unread before the writer waits. */
  private static final int CAPACITY = 1 << 16;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;
  private final Runnable onRead;
  private final ByteArrayOutputStream unflushed = new ByteArrayOutputStream();

  @GuardedBy("lock")
  private final Deque<byte[]> pieces = new ArrayDeque<>();

  /** How many bytes of the first piece have been read. */
  @GuardedBy("lock")
  private int position;

  @GuardedBy("lock")
  private int unread;

  @GuardedBy("lock")
  private boolean ended;

  @GuardedBy("lock")
  private boolean closed;

  @GuardedBy("lock")
  private @Nullable IOException failure;

  /**
   * Creates an empty pipe.
   *
   * @param onRead runs when the reader has read all
   */
  public Pipe(Clock clock, Runnable onRead) {
    this.changed = clock.newCondition(lock);
    this.onRead = onRead;
  }

  @Override
  public void write(byte[] bytes) {
    unflushed.writeBytes(bytes);
  }

  @Override
  public void flush() throws IOException {
    byte[] piece = unflushed.toByteArray();
    unflushed.reset();
    lock.lock();
    try {
      while (unread > CAPACITY && !closed) {
        changed.await();
      }
      if (closed) {
        throw new IOException("the client has closed the stream");
      }
      if (piece.length > 0) {
        pieces.add(piece);
        unread += piece.length;
        changed.signalAll();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the stream: the reader gets what is unread, and then the failure or the end. */
  public void end(@Nullable IOException cause) {
    lock.lock();
    try {
      ended = true;
      failure = cause;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the stream because the reader no longer wants it. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the end that is read. */
  public InputStream in() {
    return new In();
  }

  private int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int count;
    boolean drained;
    lock.lock();
    try {
      while (pieces.isEmpty() && !ended && !closed) {
        changed.await();
      }
      if (closed) {
        throw new IOException("unexpected end of stream: it was closed");
      }
      byte[] piece = pieces.peek();
      if (piece == null) {
        if (failure != null) {
          throw failure;
        }
        return -1;
      }
      count = Math.min(length, piece.length - position);
      System.arraycopy(piece, position, bytes, offset, count);
      position += count;
      unread -= count;
      if (position == piece.length) {
        pieces.remove();
        position = 0;
      }
      drained = pieces.isEmpty();
      changed.signalAll();
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      lock.unlock();
    }
    if (drained) {
      onRead.run();
    }
    return count;
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException("interrupted");
    interrupted.initCause(e);
    return interrupted;
  }

  private final class In extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return Pipe.this.read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return Pipe.this.read(bytes, offset, length);
    }

    @Override
    public void close() {
      Pipe.this.close();
    }
  }
}
