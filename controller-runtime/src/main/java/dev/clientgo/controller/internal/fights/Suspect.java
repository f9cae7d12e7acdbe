package dev.clientgo.controller.internal.fights;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.controller.debug.FieldChange;
import dev.clientgo.controller.debug.FieldFight;
import dev.clientgo.controller.debug.FieldFight.Writer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
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

  /** ... of which so many bring back what the writer had set before... */
  static final int RETURNS = 3;

  /** ... in this time. */
  static final Duration WINDOW = Duration.ofMinutes(10);

  /** A fight with itself is this many changes by this process alone... */
  static final int OWN_CHANGES = 10;

  /** ... in this time. */
  static final Duration OWN_WINDOW = Duration.ofMinutes(1);

  /** How many moves of fields, or own writes, make an object suspicious. */
  private static final int MOVES = 2;

  private static final int WRITES = 3;

  /** An entry without a change for this long may make room for a new one. */
  static final Duration IDLE = Duration.ofMinutes(2);

  private static final int MAX_FIELDS = 16;
  private static final int MAX_CHANGES = 12;
  private static final int MAX_VERSIONS = 64;

  /**
   * A change of a field.
   *
   * @param version the version of the object that has it, which identifies this process's own write
   * @param hash the hash of the new value, whose text may be hidden or cut off
   */
  record Change(
      long time,
      String version,
      String manager,
      boolean startsReconcile,
      FieldChange field,
      int hash) {}

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

  /** Some of the requests that events of the object have started. */
  final Set<Object> requests = new LinkedHashSet<>();

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
  Optional<Sides> changed(String path, Change change, long lastCause) {
    long now = change.time();
    if (fields.size() >= MAX_FIELDS && !fields.containsKey(path)) {
      fields.values().removeIf(old -> now - old.getLast().time() > IDLE.toNanos());
      reported.retainAll(fields.keySet());
      if (fields.size() >= MAX_FIELDS) {
        return Optional.empty(); // The fields before it tell the same.
      }
    }
    Deque<Change> changes = fields.computeIfAbsent(path, any -> new ArrayDeque<>());
    while (!changes.isEmpty() && now - changes.getFirst().time() > WINDOW.toNanos()) {
      changes.removeFirst();
    }
    if (changes.isEmpty()) {
      reported.remove(path); // It was quiet for a while, so the next fight is news.
    }
    changes.addLast(change);
    if (changes.size() > MAX_CHANGES) {
      changes.removeFirst();
    }
    Optional<Sides> sides = sides(settled(new ArrayList<>(changes)), now, lastCause);
    return sides.isPresent() && reported.add(path) ? sides : Optional.empty();
  }

  /**
   * Returns the changes without the newest ones that this process may have written: the event of a
   * write may come before its response. The next change shows who wrote them.
   */
  private List<Change> settled(List<Change> changes) {
    int end = changes.size();
    while (end > 1
        && !isOwn(changes.get(end - 1))
        && (isMaybeOwn(changes.get(end - 1), changes)
            || isMaybeOwn(changes.get(end - 2), changes))) {
      end--;
    }
    return changes.subList(0, end);
  }

  private boolean isMaybeOwn(Change change, List<Change> changes) {
    return !isOwn(change)
        && changes.stream().anyMatch(own -> isOwn(own) && own.manager().equals(change.manager()));
  }

  /**
   * Returns both sides of a fight, if it is one. Values that never come back, such as a count, are
   * no fight. Neither are own writes that something else has caused, such as a change of the
   * objects that they count.
   */
  private Optional<Sides> sides(List<Change> changes, long now, long lastCause) {
    int flips = 0;
    int returns = 0;
    Map<String, Integer> values = new HashMap<>();
    for (int i = 0; i < changes.size(); i++) {
      String writer = writer(changes.get(i));
      boolean isFlip = i > 0 && !writer(changes.get(i - 1)).equals(writer);
      flips += isFlip ? 1 : 0;
      Integer hash = changes.get(i).hash();
      returns += hash.equals(values.put(writer, hash)) && isFlip ? 1 : 0;
    }
    Change last = changes.get(changes.size() - 1);
    if (flips >= FLIPS && returns >= RETURNS) {
      Change other = changes.get(changes.size() - 2);
      return Optional.of(sides(changes, last, other, other.field().after(), now));
    }
    List<Change> recent =
        changes.stream()
            .filter(change -> now - change.time() <= OWN_WINDOW.toNanos())
            .filter(change -> change.time() > lastCause)
            .toList();
    boolean alone = recent.stream().allMatch(change -> isOwn(change) && change.startsReconcile());
    return alone && recent.size() >= OWN_CHANGES
        ? Optional.of(sides(recent, last, last, last.field().before(), now))
        : Optional.empty();
  }

  /** Two processes may write under one name. */
  private String writer(Change change) {
    return isOwn(change) ? "this process" : change.manager();
  }

  private boolean isOwn(Change change) {
    return isOwn(change.version());
  }

  boolean isOwn(String version) {
    return ownVersions.contains(version);
  }

  private Sides sides(
      List<Change> changes, Change last, Change other, @Nullable String otherValue, long now) {
    return new Sides(
        new Writer(last.manager(), isOwn(last), last.field().after()),
        new Writer(other.manager(), isOwn(other), otherValue),
        changes.size(),
        Duration.ofMillis((now - changes.get(0).time()) / 1_000_000));
  }
}
