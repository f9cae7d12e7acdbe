package dev.clientgo.controller.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The UIDs of objects that this process has seen on the server, and not only in a cache, which may
 * be older than this process.
 *
 * <p>Memory is bounded: it keeps the {@value #CAPACITY} objects that were asked for last. Safe for
 * use by many threads.
 */
public final class ConfirmedObjects {

  /** How many objects are kept. */
  public static final int CAPACITY = 50_000;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Set<String> uids = Collections.newSetFromMap(new LastUsed());

  /** Returns whether an object was seen. */
  public boolean contains(String uid) {
    lock.lock();
    try {
      return uids.remove(uid) && uids.add(uid); // It is the one used last.
    } finally {
      lock.unlock();
    }
  }

  /** Records that an object was seen. */
  public void add(String uid) {
    lock.lock();
    try {
      uids.add(uid);
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
