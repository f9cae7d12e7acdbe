package dev.clientgo.envtest.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The log of a container, which a test writes. Clients that follow it get each line at once. All
 * lines stay in memory.
 *
 * <p>Safe for use by many threads. {@link FakeKubelet#log} returns it.
 */
public final class ContainerLog {

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private Instance current = new Instance();

  @GuardedBy("lock")
  private @Nullable Instance previous;

  ContainerLog(Clock clock) {
    this.clock = clock;
  }

  /** The log of one life of the container; its fields are guarded by the lock of the log. */
  private static final class Instance {
    private final List<Entry> lines = new ArrayList<>();
    private boolean ended;
  }

  /** Adds a line of the output, with the time of the server's clock. */
  public void line(String text) {
    add(clock.now(), false, text);
  }

  /** Adds a line of the output, with its time. */
  public void line(Instant time, String text) {
    add(time, false, text);
  }

  /** Adds a line of the error output, with the time of the server's clock. */
  public void errorLine(String text) {
    add(clock.now(), true, text);
  }

  private void add(Instant time, boolean error, String text) {
    Entry entry = new Entry(time, error, text);
    lock.lock();
    try {
      current.lines.add(entry);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns a stream that adds each line that is written to it. The last line is added when it ends
   * with a line break, or when the stream is closed. One thread uses it.
   */
  public OutputStream stream() {
    return new Lines();
  }

  /** The container has ended: clients that follow the log come to its end. */
  public void end() {
    lock.lock();
    try {
      current.ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The container has ended and starts again: its lines are those of the previous container. */
  public void restart() {
    lock.lock();
    try {
      current.ended = true;
      previous = current;
      current = new Instance();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns a reader of the log of the present container. */
  public Reader reader() {
    lock.lock();
    try {
      return new Reader(current);
    } finally {
      lock.unlock();
    }
  }

  /** Returns a reader of the log before the last restart, or empty if there was none. */
  public Optional<Reader> previousReader() {
    lock.lock();
    try {
      return Optional.ofNullable(previous).map(Reader::new);
    } finally {
      lock.unlock();
    }
  }

  /** Reads the log of one life of the container. Safe for use by many threads. */
  public final class Reader implements AutoCloseable {

    private final Instance instance;

    @GuardedBy("lock")
    private boolean closed;

    private Reader(Instance instance) {
      this.instance = requireNonNull(instance);
    }

    /** Returns the lines so far. */
    public List<Entry> lines() {
      lock.lock();
      try {
        return List.copyOf(instance.lines);
      } finally {
        lock.unlock();
      }
    }

    /**
     * Waits for a line, and returns it; empty if the log has ended before it, or the reader was
     * closed.
     *
     * @param index the number of the line, from 0
     */
    public Optional<Entry> await(int index) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        while (index >= instance.lines.size() && !instance.ended && !closed) {
          changed.await();
        }
        return closed || index >= instance.lines.size()
            ? Optional.empty()
            : Optional.of(instance.lines.get(index));
      } finally {
        lock.unlock();
      }
    }

    /** Ends all waits. */
    @Override
    public void close() {
      lock.lock();
      try {
        closed = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private final class Lines extends OutputStream {
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    @Override
    public void write(int value) {
      if (value == '\n') {
        line(begun.toString(UTF_8));
        begun.reset();
      } else {
        begun.write(value);
      }
    }

    @Override
    public void close() {
      if (begun.size() > 0) {
        write('\n');
      }
    }
  }

  /**
   * A line of a log.
   *
   * @param time when the container wrote it
   * @param error whether it was written to the error output
   * @param text the line, without its end
   */
  public record Entry(Instant time, boolean error, String text) {

    public Entry {
      requireNonNull(time, "time");
      requireNonNull(text, "text");
    }
  }
}
