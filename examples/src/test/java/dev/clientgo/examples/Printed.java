package dev.clientgo.examples;

import java.io.Writer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What a lesson has printed so far, and whoever waits for more of it. */
final class Printed extends Writer {

  private static final long SECONDS = 120;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final StringBuilder text = new StringBuilder();

  @Override
  public void write(char[] characters, int offset, int length) {
    lock.lock();
    try {
      text.append(characters, offset, length);
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all of this has been printed, one after the other. */
  void await(String... parts) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = TimeUnit.SECONDS.toNanos(SECONDS);
      while (!has(parts)) {
        if (left <= 0) {
          throw new AssertionError("not printed: " + String.join(" ... ", parts) + "\n" + text);
        }
        left = more.awaitNanos(left);
      }
    } finally {
      lock.unlock();
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
    lock.lock();
    try {
      return text.toString();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
