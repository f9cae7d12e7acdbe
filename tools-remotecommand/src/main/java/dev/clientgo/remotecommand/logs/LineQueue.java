package dev.clientgo.remotecommand.logs;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lines of many logs on their way to one reader. If it is full, the threads that add lines
 * wait, and so do the servers that send them.
 */
final class LineQueue {

  /** The most lines. */
  static final int MAX_LINES = 1000;

  /** The most characters of all lines together, unless it is one line. */
  static final int MAX_CHARACTERS = 1 << 20;

  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition changed;

  @GuardedBy("lock")
  private final Queue<LogLine> lines = new ArrayDeque<>();

  @GuardedBy("lock")
  private int characters;

  @GuardedBy("lock")
  private boolean ended;

  @GuardedBy("lock")
  private @Nullable RuntimeException failure;

  LineQueue(Clock clock) {
    this.changed = clock.newCondition(lock);
  }

  /** Adds a line; waits while the queue is full. */
  void put(LogLine line) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (isFullLocked(line) && !ended) {
        changed.await();
      }
      if (!ended) {
        lines.add(line);
        characters += line.text().length();
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean isFullLocked(LogLine line) {
    return lines.size() >= MAX_LINES
        || (!lines.isEmpty() && characters + line.text().length() > MAX_CHARACTERS);
  }

  /** Ends the lines; those that are in the queue are still returned. */
  void end() {
    end(null, false);
  }

  /** Ends the lines with an error, after those that are in the queue. */
  void fail(RuntimeException cause) {
    end(cause, false);
  }

  /** Ends the lines with an error, at once. */
  void close(RuntimeException cause) {
    end(cause, true);
  }

  private void end(@Nullable RuntimeException cause, boolean atOnce) {
    lock.lock();
    try {
      if (atOnce) {
        lines.clear();
      }
      if (!ended || atOnce) {
        ended = true;
        failure = cause;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for the next line.
   *
   * @return empty at the end
   */
  Optional<LogLine> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (lines.isEmpty() && !ended) {
        changed.await();
      }
      if (lines.isEmpty()) {
        if (failure != null) {
          throw failure;
        }
        return Optional.empty();
      }
      LogLine line = requireNonNull(lines.remove(), "a line");
      characters -= line.text().length();
      changed.signalAll();
      return Optional.of(line);
    } finally {
      lock.unlock();
    }
  }
}
