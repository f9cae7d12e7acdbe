package dev.clientgo.liveview;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.cache.Delta;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The deltas in a queue, in order. Not safe for use by many threads. */
final class DeltaMirror<T> {

  /** A delta in the queue. One of a DeltaFIFO may leave before those in front of it. */
  private static final class Entry<T> {
    private final Delta<T> delta;
    private final long number;
    private boolean gone;

    Entry(Delta<T> delta, long number) {
      this.delta = delta;
      this.number = number;
    }
  }

  private final ArrayDeque<Entry<T>> entries = new ArrayDeque<>();

  /** The entries by their deltas. The same delta, such as one of all objects, may wait twice. */
  private final IdentityHashMap<Delta<T>, Deque<Entry<T>>> byDelta = new IdentityHashMap<>();

  private long numbers;
  private int size;

  void queued(Delta<T> delta) {
    Entry<T> entry = new Entry<>(delta, ++numbers);
    entries.addLast(entry);
    byDelta.computeIfAbsent(delta, any -> new ArrayDeque<>(1)).addLast(entry);
    size++;
  }

  void popped(List<Delta<T>> deltas) {
    for (Delta<T> delta : deltas) {
      Delta<T> queued = byDelta.containsKey(delta) ? delta : replacedBy(delta);
      Deque<Entry<T>> same = byDelta.get(queued);
      if (same == null) {
        continue;
      }
      same.removeFirst().gone = true;
      size--;
      if (same.isEmpty()) {
        byDelta.remove(queued);
      }
    }
    while (!entries.isEmpty() && entries.getFirst().gone) {
      entries.removeFirst();
    }
  }

  /**
   * A DeltaFIFO replaces a deletion by a later one of its object, and does not queue that again.
   */
  private Delta<T> replacedBy(Delta<T> delta) {
    return entries.stream()
        .filter(entry -> !entry.gone && delta.type() == Delta.Type.DELETED)
        .map(entry -> entry.delta)
        .filter(each -> each.type() == Delta.Type.DELETED && keyOf(each).equals(keyOf(delta)))
        .findFirst()
        .orElse(delta);
  }

  void clear() {
    entries.clear();
    byDelta.clear();
    size = 0;
  }

  /** Returns the key of the object, or a word for a delta of all objects. */
  static String keyOf(Delta<?> delta) {
    if (delta instanceof Delta.ObjectDelta<?> object) {
      return object.key();
    } else if (delta instanceof Delta.ReplacedAll<?> list) {
      return "(" + list.objects().size() + " @" + list.resourceVersion() + ")";
    } else if (delta instanceof Delta.Bookmark<?> bookmark) {
      return "(@" + bookmark.resourceVersion() + ")";
    }
    return "(*)";
  }

  private static String versionOf(Delta<?> delta) {
    Object object = null;
    if (delta instanceof Delta.Upserted<?> upserted) {
      object = upserted.value();
    } else if (delta instanceof Delta.Deleted<?> deleted) {
      object = deleted.deleted().lastKnown();
      if (deleted.deleted().finalStateUnknown()) {
        return "finalStateUnknown";
      }
    }
    String version =
        object instanceof KubernetesObject api ? api.metadata().resourceVersion() : null;
    return version == null ? "" : version;
  }

  /**
   * Returns the first entries.
   *
   * @param byKey whether an entry is an object with all its deltas, as in a DeltaFIFO
   */
  Map<String, Object> tree(boolean byKey) {
    Map<Object, List<Object>> shown = new LinkedHashMap<>();
    Map<Object, String> keys = new LinkedHashMap<>();
    for (Entry<T> entry : entries) {
      if (entry.gone) {
        continue;
      }
      String key = keyOf(entry.delta);
      Object group = byKey ? key : entry.number;
      if (shown.size() == InformerView.SHOWN && !shown.containsKey(group)) {
        break;
      }
      keys.put(group, key);
      shown
          .computeIfAbsent(group, any -> new ArrayList<>())
          .add(Map.of("what", entry.delta.type().name(), "version", versionOf(entry.delta)));
    }
    List<Object> items = new ArrayList<>();
    keys.forEach(
        (group, key) ->
            items.add(
                Map.of(
                    "number", group, "key", key, "deltas", shown.getOrDefault(group, List.of()))));
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("size", size);
    var left = entries.stream().filter(entry -> !entry.gone).map(entry -> keyOf(entry.delta));
    tree.put("entries", byKey ? left.distinct().count() : size);
    tree.put("items", items);
    return tree;
  }
}
