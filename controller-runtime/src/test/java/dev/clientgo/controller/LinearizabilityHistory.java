package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The reads and writes of the threads of one process; it checks whether each key was linearizable.
 *
 * <p>The server gives each change of a key a version, so a key has one history: which state it had
 * from which version on. A read returns the state of some moment of that history. It is right if
 * that moment is not before the end of any write of this process that had returned when the read
 * began, nor before the moment of an earlier read of the same thread, and not after the version
 * that the server had when the read ended.
 */
final class LinearizabilityHistory {

  /**
   * A read of one key.
   *
   * @param start the moment before it
   * @param label what it selected by, null if by name
   * @param version the version of the object, 0 if it was not in the result
   * @param ceiling the version of the server after it
   */
  private record Read(
      int thread, String key, long start, @Nullable String label, long version, long ceiling) {}

  /**
   * A write that has returned.
   *
   * @param end the moment after it
   * @param version the version that it returned; 0 for a deletion
   * @param uid the object that it wrote or deleted
   * @param removed whether nothing was left of the object
   */
  private record Write(String key, long end, long version, String uid, boolean removed) {}

  /** The state of a key from a version on; without an object, it is absent. */
  private record State(long version, @Nullable ConfigMap object) {

    boolean hasLabel(String label) {
      return object != null && label.equals(labelOf(object));
    }
  }

  private final AtomicLong moments = new AtomicLong();
  private final Queue<Read> reads = new ConcurrentLinkedQueue<>();
  private final Queue<Write> writes = new ConcurrentLinkedQueue<>();
  private final Map<String, List<State>> states = new HashMap<>();

  /** The versions at which an object was marked as deleted, or went, by uid. */
  private final Map<String, Long> deletions = new HashMap<>();

  /** The versions at which an object went, by uid. */
  private final Map<String, Long> removals = new HashMap<>();

  static @Nullable String labelOf(ConfigMap object) {
    Map<String, String> labels = object.metadata().labels();
    return labels == null ? null : labels.get("l");
  }

  static long versionOf(ConfigMap object) {
    return Long.parseLong(String.valueOf(object.metadata().resourceVersion()));
  }

  /** Returns the moment of now. */
  long now() {
    return moments.incrementAndGet();
  }

  void read(
      int thread, String key, long start, @Nullable String label, long version, long ceiling) {
    reads.add(new Read(thread, key, start, label, version, ceiling));
  }

  /** Adds a write that has returned the object; without finalizers, a deleted object is gone. */
  void written(ConfigMap object) {
    ObjectMeta metadata = object.metadata();
    List<String> finalizers = metadata.finalizers();
    boolean removed =
        metadata.deletionTimestamp() != null && (finalizers == null || finalizers.isEmpty());
    writes.add(
        new Write(
            String.valueOf(metadata.name()),
            now(),
            removed ? 0 : versionOf(object),
            String.valueOf(metadata.uid()),
            removed));
  }

  void deleted(String key, String uid) {
    writes.add(new Write(key, now(), 0, uid, false));
  }

  int size() {
    return reads.size();
  }

  /** Adds what the server says; in the order of versions. */
  void happened(WatchEvent<ConfigMap> event) {
    ConfigMap object = valueOf(event);
    if (object == null) {
      return;
    }
    boolean gone = event instanceof WatchEvent.Deleted;
    states
        .computeIfAbsent(
            String.valueOf(object.metadata().name()),
            key -> new ArrayList<>(List.of(new State(0, null))))
        .add(new State(versionOf(object), gone ? null : object));
    if (gone) {
      removals.put(String.valueOf(object.metadata().uid()), versionOf(object));
    }
    if (gone || object.metadata().deletionTimestamp() != null) {
      deletions.putIfAbsent(String.valueOf(object.metadata().uid()), versionOf(object));
    }
  }

  private static @Nullable ConfigMap valueOf(WatchEvent<ConfigMap> event) {
    if (event instanceof WatchEvent.Added<ConfigMap> added) {
      return added.value();
    }
    if (event instanceof WatchEvent.Modified<ConfigMap> modified) {
      return modified.value();
    }
    return event instanceof WatchEvent.Deleted<ConfigMap> deleted ? deleted.value() : null;
  }

  /** Returns what was read wrongly; empty if all is linearizable. */
  List<String> violations() {
    List<String> violations = new ArrayList<>();
    Map<String, NavigableMap<Long, Long>> floors = floors();
    Map<String, Long> seen = new HashMap<>();
    reads.stream()
        .sorted(Comparator.comparingLong(Read::start))
        .forEach(
            read -> {
              String reader = read.thread + " " + read.key;
              long floor = Math.max(seen.getOrDefault(reader, 0L), floor(floors, read));
              long moment = firstMoment(read, floor);
              if (moment > read.ceiling) {
                violations.add(read + " shows no state since version " + floor);
              }
              seen.put(reader, Math.min(moment, read.ceiling));
            });
    return violations;
  }

  /** Returns, by key, the newest version of all writes that had returned before a moment. */
  private Map<String, NavigableMap<Long, Long>> floors() {
    Map<String, NavigableMap<Long, Long>> floors = new HashMap<>();
    for (Write write : writes) {
      long version =
          write.version > 0
              ? write.version
              : (write.removed ? removals : deletions).getOrDefault(write.uid, 0L);
      floors.computeIfAbsent(write.key, key -> new TreeMap<>()).put(write.end, version);
    }
    for (NavigableMap<Long, Long> ofKey : floors.values()) {
      long newest = 0;
      for (Map.Entry<Long, Long> write : ofKey.entrySet()) {
        newest = Math.max(newest, write.getValue());
        write.setValue(newest);
      }
    }
    return floors;
  }

  private static long floor(Map<String, NavigableMap<Long, Long>> floors, Read read) {
    NavigableMap<Long, Long> ofKey = floors.get(read.key);
    Map.Entry<Long, Long> last = ofKey == null ? null : ofKey.lowerEntry(read.start);
    return last == null ? 0 : last.getValue();
  }

  /** Returns the first version since the floor whose state is what was read; or a huge one. */
  private long firstMoment(Read read, long floor) {
    List<State> history = states.getOrDefault(read.key, List.of(new State(0, null)));
    for (int i = 0; i < history.size(); i++) {
      boolean isLast = i + 1 == history.size();
      State state = history.get(i);
      if ((isLast || history.get(i + 1).version > floor) && isWhatWasRead(state, read)) {
        return Math.max(floor, state.version);
      }
    }
    return Long.MAX_VALUE;
  }

  private static boolean isWhatWasRead(State state, Read read) {
    if (read.version == 0) {
      return read.label == null ? state.object == null : !state.hasLabel(read.label);
    }
    return state.object != null
        && state.version == read.version
        && (read.label == null || state.hasLabel(read.label));
  }
}
