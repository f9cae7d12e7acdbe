package dev.clientgo.controller.internal.fights;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.controller.debug.FieldChange;
import dev.clientgo.controller.debug.FieldFight;
import dev.clientgo.controller.debug.FieldFight.Writer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An object in which two writers may fight, with the last changes of its fields. The detector's
 * lock guards it.
 */
final class Suspect {

  /** A fight is this many changes of the writer... */
  static final int FLIPS = 6;

  /** ... in this time. */
  static final Duration WINDOW = Duration.ofMinutes(10);

  /** A fight with itself is this many changes by this process alone... */
  static final int OWN_CHANGES = 10;

  /** ... in this time. */
  static final Duration OWN_WINDOW = Duration.ofMinutes(1);

  /** How many moves of fields, or own writes, make an object suspicious. */
  private static final int MOVES = 2;

  private static final int WRITES = 3;

  /** After how long without a change something may be forgotten for something new. */
  static final Duration IDLE = Duration.ofMinutes(2);

  private static final int MAX_FIELDS = 16;
  private static final int MAX_CHANGES = 12;
  private static final int MAX_VERSIONS = 64;

  /**
   * A change of a field.
   *
   * @param version the version of the object that has it, which tells an own write
   */
  private record Change(
      long time,
      String version,
      String manager,
      boolean startsReconcile,
      @Nullable String before,
      @Nullable String after) {}

  /** Both sides of a fight. */
  record Sides(Writer last, Writer other, int changes, Duration within) {

    FieldFight fight(String resource, ObjectName object, String field) {
      return new FieldFight(resource, object, field, last, other, changes, within);
    }
  }

  private final Deque<Long> moves = new ArrayDeque<>();
  private final Deque<Long> writes = new ArrayDeque<>();

  /** The versions that this process has written; the oldest first. */
  private final Set<String> ownVersions = new LinkedHashSet<>();

  /** By field. */
  private final Map<String, Deque<Change>> fields = new LinkedHashMap<>();

  private final Set<String> reported = new HashSet<>();
  private String lastVersion = "";
  private long lastUse;

  /** Records that this process has written a version. */
  void wrote(String version, long now) {
    lastUse = now;
    remember(writes, WRITES, now);
    if (ownVersions.add(version) && ownVersions.size() > MAX_VERSIONS) {
      ownVersions.remove(ownVersions.iterator().next());
    }
  }

  /** Records an update; returns whether it is new and worth a closer look. */
  boolean isSuspicious(String version, boolean moved, long now) {
    if (version.equals(lastVersion)) {
      return false;
    }
    lastVersion = version;
    lastUse = now;
    if (moved) {
      remember(moves, MOVES, now);
    }
    return isFull(moves, MOVES, WINDOW, now) || isFull(writes, WRITES, OWN_WINDOW, now);
  }

  /** Returns whether nothing has happened for a while. */
  boolean isIdle(long now) {
    return now - lastUse > IDLE.toNanos();
  }

  private static void remember(Deque<Long> times, int count, long now) {
    times.addLast(now);
    if (times.size() > count) {
      times.removeFirst();
    }
  }

  private static boolean isFull(Deque<Long> times, int count, Duration window, long now) {
    return times.size() == count && now - times.getFirst() <= window.toNanos();
  }

  /** Records the change of a field; returns a fight, if this is the change that makes it one. */
  Optional<Sides> changed(
      FieldChange change, String manager, String version, boolean startsReconcile, long now) {
    if (fields.size() >= MAX_FIELDS && !fields.containsKey(change.path())) {
      fields.values().removeIf(old -> now - old.getLast().time() > IDLE.toNanos());
      reported.retainAll(fields.keySet());
      if (fields.size() >= MAX_FIELDS) {
        return Optional.empty(); // The fields before it tell the same.
      }
    }
    Deque<Change> changes = fields.computeIfAbsent(change.path(), any -> new ArrayDeque<>());
    while (!changes.isEmpty() && now - changes.getFirst().time() > WINDOW.toNanos()) {
      changes.removeFirst();
    }
    if (changes.isEmpty()) {
      reported.remove(change.path()); // It was quiet for a while, so the next fight is news.
    }
    changes.addLast(
        new Change(now, version, manager, startsReconcile, change.before(), change.after()));
    if (changes.size() > MAX_CHANGES) {
      changes.removeFirst();
    }
    Optional<Sides> sides = sides(new ArrayList<>(changes), now);
    return sides.isPresent() && reported.add(change.path()) ? sides : Optional.empty();
  }

  private Optional<Sides> sides(List<Change> changes, long now) {
    int flips = 0;
    for (int i = 1; i < changes.size(); i++) {
      flips += isFlip(changes.get(i - 1), changes.get(i)) ? 1 : 0;
    }
    Change last = changes.get(changes.size() - 1);
    if (flips >= FLIPS) {
      Change other = changes.get(changes.size() - 2);
      return Optional.of(sides(changes, last, other, other.after(), now));
    }
    List<Change> recent =
        changes.stream().filter(change -> now - change.time() <= OWN_WINDOW.toNanos()).toList();
    boolean alone = recent.stream().allMatch(change -> isOwn(change) && change.startsReconcile());
    return alone && recent.size() >= OWN_CHANGES
        ? Optional.of(sides(recent, last, last, last.before(), now))
        : Optional.empty();
  }

  /** Without managed fields, only a value that comes back shows that there are two writers. */
  private boolean isFlip(Change first, Change second) {
    return !writer(first).equals(writer(second))
        || (writer(second).equals(FieldWriters.UNKNOWN)
            && first.before() != null
            && first.before().equals(second.after()));
  }

  /** Two processes may write under one name. */
  private String writer(Change change) {
    return isOwn(change) ? "this process" : change.manager();
  }

  private boolean isOwn(Change change) {
    return ownVersions.contains(change.version());
  }

  private Sides sides(
      List<Change> changes, Change last, Change other, @Nullable String otherValue, long now) {
    return new Sides(
        new Writer(last.manager(), isOwn(last), last.after()),
        new Writer(other.manager(), isOwn(other), otherValue),
        changes.size(),
        Duration.ofMillis((now - changes.get(0).time()) / 1_000_000));
  }
}
