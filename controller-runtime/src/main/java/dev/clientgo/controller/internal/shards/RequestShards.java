package dev.clientgo.controller.internal.shards;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.reconcile.Attempt;
import dev.clientgo.controller.internal.reconcile.ReconcileEnd;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.leaderelection.shard.ShardWork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Decides which requests of a controller belong to this replica: those for objects whose uid is in
 * one of its slots. Safe for use by many threads.
 *
 * <p>A request has no uid. The cache has that of each object that exists. An object that is gone is
 * remembered for a while, whichever replica it belonged to: if a replica dies, the one that takes
 * its slots reconciles the deletions that came meanwhile.
 *
 * @param <R> the type of the requests
 */
public final class RequestShards<R> {

  /** How long a deleted object is remembered: longer than a failed request waits. */
  private static final Duration MEMORY = Duration.ofMinutes(30);

  /** How old a deletion may be that a former owner has not reconciled. */
  private static final Duration TAKE_OVER = Duration.ofMinutes(5);

  /** How many objects that are gone are remembered. */
  private static final int MEMORY_SIZE = 10_000;

  /**
   * Asks the server.
   *
   * @param <R> the type of the requests
   */
  @FunctionalInterface
  public interface Lookup<R> {

    /** Returns whether there is an object that the cache should have. */
    boolean exists(R request) throws InterruptedException;
  }

  /** An object that is gone. */
  private record Gone(String uid, long since) {}

  private final ShardGroup group;
  private final Clock clock;

  /** Returns the uid of the object that a request names, as the cache has it. */
  private final Function<R, Optional<String>> cached;

  private final Lookup<R> lookup;

  private final ReentrantLock lock = new ReentrantLock();

  /** In the order in which they were gone. */
  @GuardedBy("lock")
  private final Map<R, Gone> gone = new LinkedHashMap<>();

  /**
   * Creates an instance.
   *
   * @param cached returns the uid of the object that a request names, as the cache has it
   */
  public RequestShards(
      ShardGroup group, Clock clock, Function<R, Optional<String>> cached, Lookup<R> lookup) {
    this.group = group;
    this.clock = clock;
    this.cached = cached;
    this.lookup = lookup;
  }

  /** Returns the group of the replicas. */
  public ShardGroup group() {
    return group;
  }

  /** Remembers an object that the controller is for, and that was deleted. */
  public void deleted(R request, KubernetesObject last) {
    String uid = last.metadata().uid();
    if (uid == null) {
      return;
    }
    lock.lock();
    try {
      gone.remove(request); // To the end of the order.
      gone.put(request, new Gone(uid, clock.nanoTime()));
      forgetOldLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void forgetOldLocked() {
    long now = clock.nanoTime();
    Iterator<Gone> oldest = gone.values().iterator();
    while (oldest.hasNext()) {
      boolean isOld = now - oldest.next().since >= MEMORY.toNanos();
      if (!isOld && gone.size() <= MEMORY_SIZE) {
        return;
      }
      oldest.remove();
    }
  }

  /**
   * Returns whether a request belongs to this replica. One for an object that has not been seen yet
   * does not: it comes again with the object.
   */
  public boolean admits(R request) {
    return uid(request).filter(group::owns).isPresent();
  }

  /** Returns the uid of the object that a request names: as it is, or as it was. */
  private Optional<String> uid(R request) {
    Optional<String> existing = cached.apply(request);
    return existing.isPresent() ? existing : uidOfGone(request);
  }

  private Optional<String> uidOfGone(R request) {
    lock.lock();
    try {
      return Optional.ofNullable(gone.get(request)).map(Gone::uid);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the requests for objects that were in these slots and went not long ago, so that the
   * former owner may not have reconciled them.
   */
  public List<R> gone(Set<Integer> slots) {
    List<R> requests = new ArrayList<>();
    long now = clock.nanoTime();
    lock.lock();
    try {
      gone.forEach(
          (request, object) -> {
            if (now - object.since < TAKE_OVER.toNanos()
                && slots.contains(group.slotOf(object.uid))) {
              requests.add(request);
            }
          });
    } finally {
      lock.unlock();
    }
    requests.removeIf(request -> cached.apply(request).isPresent());
    return requests;
  }

  /**
   * Begins the reconcile of a request.
   *
   * <p>If the cache has no such object, this asks the server: there may be a new object of the same
   * name that the cache does not show yet. Its owner receives an event for it, and may be another
   * replica.
   *
   * @param onLost runs if the object goes to another replica meanwhile
   * @return empty if it does not belong to this replica
   */
  private Optional<ShardWork> begin(R request, Runnable onLost) throws InterruptedException {
    Optional<String> existing = cached.apply(request);
    if (existing.isPresent()) {
      return group.begin(existing.get(), onLost);
    }
    Optional<ShardWork> begun = uidOfGone(request).flatMap(uid -> group.begin(uid, onLost));
    if (begun.isEmpty()) {
      return begun;
    }
    boolean kept = false;
    try {
      kept = !lookup.exists(request);
      return kept ? begun : Optional.empty();
    } finally {
      if (!kept) {
        begun.get().close();
      }
    }
  }

  /**
   * Returns the step that reconciles a request only while its object belongs to this replica.
   *
   * @param end receives a request whose object cannot be looked up
   */
  public Attempt.Step<R> step(ReconcileEnd<R> end) {
    return attempt -> {
      Optional<ShardWork> begun;
      try {
        begun = begin(attempt.request, attempt.reconcile::lose);
      } catch (KubernetesException e) {
        end.failed(attempt, e);
        return;
      }
      if (begun.isEmpty()) {
        attempt.forgetFailures();
        return;
      }
      try (ShardWork shard = begun.get()) {
        attempt.claim(shard);
        attempt.proceed();
      }
    };
  }
}
