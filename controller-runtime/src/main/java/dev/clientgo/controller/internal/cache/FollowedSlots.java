package dev.clientgo.controller.internal.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.leaderelection.shard.ShardListener;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which slots the caches of this replica follow: those that it should own, and those that
 * it still owns because their reconciles have not ended.
 *
 * <p>Each change ends the watches of the caches, and they read the slots that are new. So they grow
 * at once, but shrink only when all slots that go to others have gone. A replica that loses its
 * slots because it cannot reach the server keeps its caches: it will probably get the same slots
 * again.
 */
public final class FollowedSlots implements ShardListener {

  private final Consumer<SortedSet<Integer>> caches;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition known;

  /** Null as long as this replica is not a member of the group. */
  @GuardedBy("lock")
  private @Nullable SortedSet<Integer> followed;

  @GuardedBy("lock")
  private SortedSet<Integer> expected = Collections.emptySortedSet();

  @GuardedBy("lock")
  private final SortedSet<Integer> owned = new TreeSet<>();

  /**
   * Creates an instance that knows of no slots.
   *
   * @param caches receives all slots to follow, each time that they change
   */
  public FollowedSlots(Clock clock, Consumer<SortedSet<Integer>> caches) {
    this.clock = clock;
    this.caches = caches;
    known = clock.newCondition(lock);
  }

  @Override
  public void expects(SortedSet<Integer> slots) {
    lock.lock();
    try {
      expected = slots;
      followLocked();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void taken(SortedSet<Integer> slots) {
    lock.lock();
    try {
      owned.addAll(slots);
      followLocked();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void left(SortedSet<Integer> slots, String reason) {
    lock.lock();
    try {
      owned.removeAll(slots);
      followLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void followLocked() {
    SortedSet<Integer> all = new TreeSet<>(expected);
    all.addAll(owned);
    boolean grows = followed == null || !followed.containsAll(all);
    boolean hasGivenAll = expected.containsAll(owned);
    if (grows || (hasGivenAll && !all.equals(followed))) {
      caches.accept(Collections.unmodifiableSortedSet(all)); // If it fails, the next call tries.
      followed = all;
      known.signalAll();
    }
  }

  /** Waits until this replica is a member, and knows its slots. Returns whether it does. */
  public boolean await(Duration timeout) throws InterruptedException {
    Deadline deadline = clock.deadline(timeout);
    lock.lockInterruptibly();
    try {
      while (followed == null && deadline.await(lock, known)) {}
      return followed != null;
    } finally {
      lock.unlock();
    }
  }
}
