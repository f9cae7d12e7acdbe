package dev.clientgo.examples.podservice;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The last changes of the pods, in their order. All streams read the same changes, each from its
 * own position, so a slow client takes no memory.
 *
 * <p>The changes of a watch come in the order of their versions. After a new list they do not, and
 * changes in between are missing. The history then starts again, and a client that wants to resume
 * from an earlier version must list again, as at the API server.
 *
 * <p>Safe for use by many threads.
 */
final class PodHistory implements ResourceEventHandler<Pod>, AutoCloseable {

  /**
   * A change of a pod.
   *
   * @param before null if the pod is new
   * @param after null if the pod is gone
   */
  record Change(String version, @Nullable Pod before, @Nullable Pod after) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Indexer<Pod> cache;

  /** The change at position p is at p modulo the length. */
  @GuardedBy("lock")
  private final @Nullable Change[] changes;

  /** The positions of the first change that is still here, and of the next one. */
  @GuardedBy("lock")
  private long first;

  @GuardedBy("lock")
  private long next;

  /** The oldest version from which a client can resume; empty until the first client came. */
  @GuardedBy("lock")
  private String oldest = "";

  @GuardedBy("lock")
  private boolean closed;

  PodHistory(Indexer<Pod> cache, int capacity) {
    this.cache = cache;
    changes = new Change[capacity];
  }

  // ---- the informer's side

  @Override
  public void onAdd(Pod pod, boolean isInInitialList) {
    if (!isInInitialList) {
      add(new Change(version(pod), null, pod));
    }
  }

  @Override
  public void onUpdate(Pod before, Pod after) {
    if (!version(before).equals(version(after))) { // They are equal after a new list.
      add(new Change(version(after), before, after));
    }
  }

  @Override
  public void onDelete(DeletedObject<Pod> deleted) {
    Pod last = deleted.lastKnown();
    if (deleted.finalStateUnknown() || last == null) {
      beginAnew();
    } else {
      add(new Change(version(last), last, null));
    }
  }

  private static String version(Pod pod) {
    return requireNonNull(pod.metadata().resourceVersion(), "resourceVersion");
  }

  private void add(Change change) {
    lock.lock();
    try {
      if (next > first && isNotNewer(change, at(next - 1).version)) {
        beginAnew();
        return;
      }
      if (next == first && isNotNewer(change, oldest)) {
        return; // Each snapshot that a client can resume from has it.
      }
      if (next - first == changes.length) {
        oldest = at(first).version;
        first++;
      }
      changes[(int) (next % changes.length)] = change;
      next++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static boolean isNotNewer(Change change, String version) {
    return !version.isEmpty() && ResourceVersion.compare(change.version, version) <= 0;
  }

  private void beginAnew() {
    lock.lock();
    try {
      oldest = cache.lastStoreSyncResourceVersion();
      next++; // So that no stream is up to date.
      first = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Change at(long position) {
    return requireNonNull(changes[(int) (position % changes.length)]);
  }

  // ---- the streams' side

  /** Makes sure that a client can resume from each snapshot that is taken from now on. */
  void begin() {
    lock.lock();
    try {
      if (oldest.isEmpty()) {
        oldest = cache.lastStoreSyncResourceVersion();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the position of the first change after a version.
   *
   * @throws ApiStatusException if older changes are gone: {@link
   *     ApiStatusException#isResourceExpired}
   */
  long after(String version) {
    lock.lock();
    try {
      if (ResourceVersion.compare(version, oldest) < 0) {
        throw expired("the version " + version + " is too old, the oldest is " + oldest);
      }
      long position = next;
      while (position > first && ResourceVersion.compare(at(position - 1).version, version) > 0) {
        position--;
      }
      return position;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the changes from a position on, and waits for the first of them. Returns none if there
   * are none within the time, or this is closed.
   *
   * @throws ApiStatusException if the change at that position is gone: {@link
   *     ApiStatusException#isResourceExpired}
   */
  List<Change> from(long position, Duration timeout) throws InterruptedException {
    Deadline deadline = Clock.system().deadline(timeout);
    lock.lockInterruptibly();
    try {
      while (position == next && !closed && deadline.await(lock, changed)) {}
      if (position < first) {
        throw expired("the changes that come next are gone");
      }
      List<Change> found = new ArrayList<>();
      for (long i = position; i < next && !closed; i++) {
        found.add(at(i));
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  private static ApiStatusException expired(String what) {
    return ApiStatusException.resourceExpired(what + ": list the pods again");
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all streams, which then end. */
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
