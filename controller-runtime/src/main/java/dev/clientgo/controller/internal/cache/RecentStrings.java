package dev.clientgo.controller.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A set of strings whose memory is bounded: it keeps the {@value #CAPACITY} that were added or
 * asked for last. Safe for use by many threads.
 */
public final class RecentStrings {

  /** How many strings are kept. */
  public static final int CAPACITY = 50_000;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Set<String> strings = Collections.newSetFromMap(new LastUsed());

  /** Returns whether a string was added. */
  public boolean contains(String string) {
    lock.lock();
    try {
      return strings.remove(string) && strings.add(string); // It is the one used last.
    } finally {
      lock.unlock();
    }
  }

  /** Adds a string. */
  public void add(String string) {
    lock.lock();
    try {
      strings.add(string);
    } finally {
      lock.unlock();
    }
  }

  /** Removes a string. */
  void remove(String string) {
    lock.lock();
    try {
      strings.remove(string);
    } finally {
      lock.unlock();
    }
  }

  private static final class LastUsed extends LinkedHashMap<String, Boolean> {

    private static final long serialVersionUID = 1;

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
      return size() > CAPACITY;
    }
  }
}
