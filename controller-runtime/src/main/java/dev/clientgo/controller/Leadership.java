package dev.clientgo.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whether this process leads, and the client with which the leader writes. Safe for use by many
 * threads.
 */
final class Leadership {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition begun;

  @GuardedBy("lock")
  private @Nullable RESTClient client;

  /**
   * Creates an instance that does not lead.
   *
   * @param clock measures no time here, but knows which threads wait
   */
  Leadership(Clock clock) {
    begun = clock.newCondition(lock);
  }

  /** Begins to lead. */
  void begin(RESTClient leader) {
    lock.lock();
    try {
      client = leader;
      begun.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean hasBegun() {
    lock.lock();
    try {
      return client != null;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until this process leads. */
  RESTClient await() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      RESTClient leader = client;
      while (leader == null) {
        begun.await();
        leader = client;
      }
      return leader;
    } finally {
      lock.unlock();
    }
  }
}
