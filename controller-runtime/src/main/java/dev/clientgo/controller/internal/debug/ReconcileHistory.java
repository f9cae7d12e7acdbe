package dev.clientgo.controller.internal.debug;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.controller.debug.KeyHistory;
import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.controller.internal.debug.RecordedReconcile.Draft;
import dev.clientgo.controller.internal.diff.Clipped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The last reconciles of the requests of a manager, with their causes, in bounded memory. Causes
 * gather for each request until a worker begins to reconcile it.
 *
 * <p>Safe for use by many threads. A method that records takes one lock for about 100 ns.
 */
public final class ReconcileHistory {

  /** The version of an object that this process has written, or the uid that it has deleted. */
  private record Write(GroupVersionResource resource, String identity) {}

  private static final class Entry {
    final ArrayDeque<RecordedReconcile> last = new ArrayDeque<>(/* numElements= */ 1);
    long reconciles;
  }

  private static final int MAX_ERROR = 500;

  private final RecorderLimits limits;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** The one that was reconciled last at the end. */
  @GuardedBy("lock")
  private final Map<RequestKey, Entry> entries;

  @GuardedBy("lock")
  private final Map<RequestKey, PendingCauses> pending = new HashMap<>();

  /** The updates whose states are kept, the oldest first. */
  @GuardedBy("lock")
  private final ArrayDeque<RecordedEvent> withStates = new ArrayDeque<>();

  /** The writers of this process' last writes, the oldest first. */
  @GuardedBy("lock")
  private final Map<Write, String> ownWrites;

  /** Creates a history without records. */
  public ReconcileHistory(RecorderLimits limits, Clock clock) {
    this.limits = limits;
    this.clock = clock;
    this.entries = bounded(limits.keys(), /* byAccess= */ true);
    this.ownWrites = bounded(limits.ownWrites(), /* byAccess= */ false);
  }

  @SuppressWarnings("serial") // It is never serialized.
  private static <K, V> Map<K, V> bounded(int size, boolean byAccess) {
    return new LinkedHashMap<>(16, 0.75f, byAccess) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > size;
      }
    };
  }

  /** Returns the time at which the caller records something. */
  Instant now() {
    return clock.now();
  }

  boolean keepsStates() {
    return limits.states() > 0;
  }

  // ---- recording

  /** Records a cause for a request; call this before the request is added to the queue. */
  void caused(RequestKey key, RecordedCause cause) {
    lock.lock();
    try {
      causedLocked(key, cause);
    } finally {
      lock.unlock();
    }
  }

  /** Records an event for all its requests. */
  void caused(List<RequestKey> keys, RecordedEvent event) {
    lock.lock();
    try {
      boolean kept = false;
      for (RequestKey key : keys) {
        kept |= causedLocked(key, event);
      }
      if (event.hasStates()) {
        keepStatesLocked(event, kept);
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean causedLocked(RequestKey key, RecordedCause cause) {
    if (pending.size() >= limits.pendingKeys() && !pending.containsKey(key)) {
      return false;
    }
    return pending.computeIfAbsent(key, any -> new PendingCauses()).add(cause, limits.causes());
  }

  @GuardedBy("lock")
  private void keepStatesLocked(RecordedEvent event, boolean kept) {
    if (!kept) {
      event.dropStates();
      return;
    }
    withStates.add(event);
    if (withStates.size() > limits.states()) {
      withStates.remove().dropStates();
    }
  }

  /** Records a write of this process. */
  void written(GroupVersionResource resource, String identity, String writer) {
    lock.lock();
    try {
      ownWrites.put(new Write(resource, identity), writer);
    } finally {
      lock.unlock();
    }
  }

  /** Begins a reconcile, whose causes are those recorded since the last one began. */
  RecordedReconcile begin(RequestKey key, long reconcileId, int priority) {
    Instant start = now();
    lock.lock();
    try {
      PendingCauses causes = pending.remove(key);
      RecordedReconcile reconcile =
          new RecordedReconcile(
              reconcileId, start, priority, causes == null ? new PendingCauses() : causes);
      Entry entry = entries.computeIfAbsent(key, any -> new Entry());
      entry.reconciles++;
      entry.last.add(reconcile);
      if (entry.last.size() > limits.reconciles()) {
        entry.last.remove();
      }
      return reconcile;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a reconcile. */
  void end(
      RecordedReconcile reconcile,
      Duration took,
      Outcome outcome,
      @Nullable Duration requeueAfter,
      @Nullable Throwable error) {
    String message = error == null ? null : Clipped.of(CrashLog.text(error), MAX_ERROR);
    lock.lock();
    try {
      reconcile.end(took, outcome, requeueAfter, message);
      markOwnWritesLocked(reconcile.causes);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Marks the events that show own writes. An event can be here before the response of the write,
   * so this waits until the reconcile ends.
   */
  @GuardedBy("lock")
  private void markOwnWritesLocked(List<RecordedCause> causes) {
    if (ownWrites.isEmpty()) {
      return;
    }
    for (RecordedCause cause : causes) {
      if (cause instanceof RecordedEvent event && event.write != null) {
        String writer = ownWrites.get(new Write(event.resource.resource(), event.write));
        if (writer != null) {
          event.writtenBy(writer);
        }
      }
    }
  }

  /** Forgets the causes of reconciles that will not come, because the controller has ended. */
  void forgetPending(String controller) {
    lock.lock();
    try {
      pending.keySet().removeIf(key -> key.controller().equals(controller));
    } finally {
      lock.unlock();
    }
  }

  // ---- reading

  /** A history whose causes are still to be read, which happens without the lock. */
  private record KeyDraft(
      RequestKey key,
      long reconciles,
      List<Draft> records,
      List<RecordedCause> pending,
      int dropped) {

    KeyHistory read(boolean withChanges) {
      return new KeyHistory(
          key.controller(),
          key.request(),
          reconciles,
          records.stream().map(each -> each.read(withChanges)).toList(),
          pending.stream().map(cause -> cause.read(withChanges)).toList(),
          dropped);
    }
  }

  /**
   * Returns the histories of the selected requests: first those that were reconciled, the last one
   * at the end, then those that never were.
   *
   * @param withChanges whether to compute the changes of fields
   */
  public List<KeyHistory> histories(Predicate<RequestKey> selected, boolean withChanges) {
    List<KeyDraft> drafts = new ArrayList<>();
    Instant now = now();
    lock.lock();
    try {
      entries.forEach(
          (key, entry) -> {
            if (selected.test(key)) {
              drafts.add(draftLocked(key, entry, now));
            }
          });
      for (RequestKey key : pending.keySet()) {
        if (!entries.containsKey(key) && selected.test(key)) {
          drafts.add(draftLocked(key, new Entry(), now));
        }
      }
    } finally {
      lock.unlock();
    }
    return drafts.stream().map(draft -> draft.read(withChanges)).toList();
  }

  /** Returns the history of one request; empty if it is not known. */
  public Optional<KeyHistory> history(RequestKey key) {
    return histories(key::equals, /* withChanges= */ true).stream().findFirst();
  }

  @GuardedBy("lock")
  private KeyDraft draftLocked(RequestKey key, Entry entry, Instant now) {
    List<Draft> records = new ArrayList<>();
    for (RecordedReconcile reconcile : entry.last) {
      markOwnWritesLocked(reconcile.causes);
      records.add(reconcile.read(now));
    }
    PendingCauses waiting = pending.getOrDefault(key, new PendingCauses());
    markOwnWritesLocked(waiting.causes());
    return new KeyDraft(
        key, entry.reconciles, records, List.copyOf(waiting.causes()), waiting.dropped());
  }
}
