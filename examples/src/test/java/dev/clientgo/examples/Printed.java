package dev.clientgo.examples;

import java.io.Writer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The output of a lesson so far, with a way to wait for more. */
final class Printed extends Writer {

  private static final long SECONDS = 300;

  private final ReentrantLock mutex = new ReentrantLock();
  private final Condition more = mutex.newCondition();
  private final StringBuilder text = new StringBuilder();

  @Override
  public void write(char[] characters, int offset, int length) {
    mutex.lock();
    try {
      text.append(characters, offset, length);
      more.signalAll();
    } finally {
      mutex.unlock();
    }
  }

  /** Waits until all of this has been printed, one after the other. */
  void await(String... parts) throws InterruptedException {
    mutex.lockInterruptibly();
    try {
      long left = TimeUnit.SECONDS.toNanos(SECONDS);
      while (!has(parts)) {
        if (left <= 0) {
          throw new AssertionError("not printed: " + String.join(" ... ", parts) + "\n" + text);
        }
        left = more.awaitNanos(left);
      }
    } finally {
      mutex.unlock();
    }
  }

  private boolean has(String... parts) {
    int from = 0;
    for (String part : parts) {
      int at = text.indexOf(part, from);
      if (at < 0) {
        return false;
      }
      from = at + part.length();
    }
    return true;
  }

  @Override
  public String toString() {
    mutex.lock();
    try {
      return text.toString();
    } finally {
      mutex.unlock();
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
