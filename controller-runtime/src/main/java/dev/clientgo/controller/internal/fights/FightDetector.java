package dev.clientgo.controller.internal.fights;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.debug.FieldChange;
import dev.clientgo.controller.debug.FieldFight;
import dev.clientgo.controller.internal.diff.FieldDiff;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds fields that two writers change again and again, and fields that a controller changes at
 * each reconcile although each change starts the next one.
 *
 * <p>It looks at the updates that informers deliver. Nearly all cost a comparison of the managed
 * fields, most of which are the same instances before and after. Only an object whose fields have
 * moved between managers more than once, or that this process writes again and again, is compared
 * field by field.
 *
 * <p>Memory is bounded: {@value #MAX_OBJECTS} objects, 16 fields of each, 12 changes of each. Safe
 * for use by many threads.
 */
public final class FightDetector {

  /** How many objects are watched more closely. */
  private static final int MAX_OBJECTS = 512;

  private static final int MAX_REQUESTS = 4096;
  private static final int MAX_STARTS = 32;

  private static final String GENERATION = "metadata.generation";

  private final int maxObjects;
  private final Clock clock;
  private final BiConsumer<FieldFight, KubernetesObject> listener;
  private final ReentrantLock lock = new ReentrantLock();

  /** By uid; the least recently used first. */
  @GuardedBy("lock")
  private final Map<String, Suspect> suspects = new LinkedHashMap<>(16, 0.75f, true);

  /** The causes of each request that events of suspects also start; the last used at the end. */
  @GuardedBy("lock")
  private final Map<Object, Causes> causes = new LinkedHashMap<>(16, 0.75f, true);

  /** An event of a suspect. Once the response has come, the version shows whether it is own. */
  private record Start(long time, String uid, String version) {}

  private static final class Causes {
    final Deque<Start> starts = new ArrayDeque<>();

    /** When something else than an own write was the cause. */
    long last;

    Causes(long now) {
      last = now;
    }
  }

  /** Lets most updates pass without the lock. */
  private volatile boolean empty = true;

  /**
   * Creates an instance that has seen nothing.
   *
   * @param listener receives each fight once, with the object in its current state
   */
  public FightDetector(Clock clock, BiConsumer<FieldFight, KubernetesObject> listener) {
    this(MAX_OBJECTS, clock, listener);
  }

  FightDetector(int maxObjects, Clock clock, BiConsumer<FieldFight, KubernetesObject> listener) {
    this.maxObjects = maxObjects;
    this.clock = requireNonNull(clock, "clock");
    this.listener = requireNonNull(listener, "listener");
  }

  /** Records that this process has written an object, as the server returned it. */
  public void wrote(KubernetesObject object) {
    String uid = object.metadata().uid();
    String version = object.metadata().resourceVersion();
    if (uid == null || version == null) {
      return;
    }
    long now = clock.nanoTime();
    lock.lock();
    try {
      Suspect suspect = suspectLocked(uid, now);
      if (suspect != null) {
        suspect.wrote(version, now);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records a cause of requests, before they start.
   *
   * @param changed the new state of the object whose change is the cause; null for other causes
   */
  public void started(Collection<?> requests, @Nullable KubernetesObject changed) {
    if (empty) {
      return;
    }
    long now = clock.nanoTime();
    lock.lock();
    try {
      String uid = changed == null ? null : changed.metadata().uid();
      String version = changed == null ? null : changed.metadata().resourceVersion();
      Suspect suspect = uid == null ? null : suspects.get(uid);
      for (Object request : requests) {
        if (uid == null || version == null || suspect == null) {
          causes.computeIfPresent(request, (key, known) -> new Causes(now));
          continue;
        }
        if (suspect.requests.size() < MAX_STARTS) {
          suspect.requests.add(request);
        }
        Causes known = causes.computeIfAbsent(request, key -> new Causes(now));
        known.starts.add(new Start(now, uid, version));
        if (known.starts.size() > MAX_STARTS) {
          known.last = Math.max(known.last, causeLocked(known.starts.removeFirst()));
        }
        if (causes.size() > MAX_REQUESTS) {
          causes.remove(causes.keySet().iterator().next());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns when one of the suspect's requests last had another cause than own writes. */
  @GuardedBy("lock")
  private long lastCauseLocked(Suspect suspect, long now) {
    long first = suspect.requests.isEmpty() ? Long.MIN_VALUE : now;
    for (Object request : suspect.requests) {
      Causes known = causes.get(request);
      first = Math.min(first, known == null ? now : lastCauseLocked(known));
    }
    return first;
  }

  @GuardedBy("lock")
  private long lastCauseLocked(Causes known) {
    long last = known.last;
    for (Start start : known.starts) {
      last = Math.max(last, causeLocked(start));
    }
    return last;
  }

  /** Returns the time of a start, or long ago if an own write was its cause. */
  @GuardedBy("lock")
  private long causeLocked(Start start) {
    Suspect suspect = suspects.get(start.uid);
    return suspect != null && suspect.isOwn(start.version) ? Long.MIN_VALUE : start.time;
  }

  /**
   * Records an update of an object. Several controllers may record the same one.
   *
   * @param startsReconcile whether it leads to a request of a controller
   */
  public <T extends KubernetesObject> void updated(
      ResourceType<T> type, T before, T after, boolean startsReconcile) {
    String uid = after.metadata().uid();
    String version = after.metadata().resourceVersion();
    if (uid == null || version == null || version.equals(before.metadata().resourceVersion())) {
      return;
    }
    boolean moved = FieldWriters.haveMoved(before, after);
    if ((empty && !moved) || !isSuspicious(uid, version, moved)) {
      return;
    }
    FieldDiff diff = FieldDiff.between(type, before, after);
    FieldWriters writers = FieldWriters.of(before, after);
    List<FieldFight> fights = new ArrayList<>();
    long now = clock.nanoTime();
    lock.lock();
    try {
      Suspect suspect = suspects.get(uid);
      if (suspect == null) {
        return; // Forgotten meanwhile.
      }
      long lastCause = lastCauseLocked(suspect, now);
      for (int i = 0; i < diff.changes().size(); i++) {
        FieldChange change = diff.changes().get(i);
        if (change.path().equals(GENERATION)) {
          continue; // It changes with each change of the spec, whoever makes it.
        }
        String writer = writers.of(change.path(), change.after() == null);
        suspect
            .changed(
                change.path(),
                new Suspect.Change(
                    now, version, writer, startsReconcile, change, diff.hashes().get(i)),
                lastCause)
            .map(sides -> sides.fight(type.toString(), ObjectName.of(after), change.path()))
            .ifPresent(fights::add);
      }
    } finally {
      lock.unlock();
    }
    fights.forEach(fight -> listener.accept(fight, after));
  }

  private boolean isSuspicious(String uid, String version, boolean moved) {
    long now = clock.nanoTime();
    lock.lock();
    try {
      Suspect suspect = moved ? suspectLocked(uid, now) : suspects.get(uid);
      return suspect != null && suspect.isSuspicious(version, moved, now);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the object's record, null if there is no room for a new one. */
  @GuardedBy("lock")
  private @Nullable Suspect suspectLocked(String uid, long now) {
    Suspect present = suspects.get(uid);
    if (present != null) {
      return present;
    }
    if (suspects.size() >= maxObjects) {
      // If many objects are busy at once, it stays with those that it has, or it would see none.
      Map.Entry<String, Suspect> eldest = suspects.entrySet().iterator().next();
      if (!eldest.getValue().isIdle(now)) {
        return null;
      }
      suspects.remove(eldest.getKey());
    }
    Suspect created = new Suspect();
    suspects.put(uid, created);
    empty = false;
    return created;
  }
}
