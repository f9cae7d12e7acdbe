package dev.clientgo.simulation.internal.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects as texts without the values that differ from run to run: UIDs, versions, times,
 * field managers, generated names, and what the {@link Varying} values are.
 *
 * <p>A UID is replaced by the name of its object if that object is alive. So a reference to an
 * owner that is gone differs from one to its successor of the same name. A random value is replaced
 * by its number, so two fields that must have the same value still do. An {@code
 * observedGeneration} is replaced by whether it is that of the object.
 *
 * @param ignored the paths of the fields that may differ
 * @param names the patterns of names that may differ
 * @param varying the values that may differ
 */
public record Normalizer(Set<String> ignored, List<Pattern> names, Varying varying) {

  private static final Set<String> UNSTABLE =
      Set.of("metadata.uid", "metadata.generation", "metadata.managedFields");

  /** The lists that are sets: their order is that of the writes. */
  private static final Set<String> UNORDERED =
      Set.of("metadata.finalizers", "metadata.ownerReferences");

  /** How long a random value is at least that is found within a longer value. */
  private static final int PART = 6;

  private static final Pattern UID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})");

  /**
   * Returns a normalizer by what two runs show that differ in all that is random.
   *
   * @param one the states after the steps; empty while an event was hidden
   */
  public static Normalizer of(
      Set<String> ignored,
      List<Pattern> names,
      List<Optional<Snapshot>> one,
      List<Optional<Snapshot>> other) {
    Varying varying = new Varying();
    Normalizer normalizer = new Normalizer(ignored, names, varying);
    varying.learn(one, other, normalizer::key);
    return normalizer;
  }

  // ---- keys

  /** Returns a raw key with a pattern for a name that may differ. */
  public String key(String rawKey) {
    int start = Snapshot.nameStart(rawKey);
    return rawKey.substring(0, start) + stableName(rawKey.substring(start));
  }

  private String stableName(String name) {
    for (Pattern pattern : names) {
      if (pattern.matcher(name).matches()) {
        return "(" + pattern + ")";
      }
    }
    return varying.name(name);
  }

  /** Returns counts by raw keys as counts by keys. */
  public Map<String, Integer> counts(Map<String, Integer> byRawKey) {
    Map<String, Integer> counts = new TreeMap<>();
    byRawKey.forEach((key, count) -> counts.merge(key(key), count, Integer::sum));
    return counts;
  }

  // ---- texts

  /** Returns the sorted texts of the objects of each key. */
  public Map<String, List<String>> texts(Snapshot snapshot) {
    Cluster cluster = new Cluster();
    snapshot.forEach(cluster::know);
    Map<String, List<String>> texts = snapshot.grouped(this::key, cluster::text);
    texts.replaceAll((key, some) -> some.stream().sorted().toList());
    return texts;
  }

  /** Returns the text of one object. */
  public String text(GroupVersionResource resource, Unstructured object) {
    return new Cluster().text(resource, object);
  }

  /** Returns what a Secret hides, as the text that it is; any other value as it is. */
  private static String decoded(GroupVersionResource resource, String path, String text) {
    if (!resource.resource().equals("secrets") || !path.startsWith("data.")) {
      return text;
    }
    try {
      return new String(Base64.getDecoder().decode(text), UTF_8);
    } catch (IllegalArgumentException e) {
      return text; // Not of a Secret of this API.
    }
  }

  /** The names and the random values of the objects of one snapshot. */
  private final class Cluster {

    private final Map<String, String> objectsByUid = new HashMap<>();
    private final Map<String, String> stableNames = new TreeMap<>();
    private final Map<String, String> random = new LinkedHashMap<>();

    void know(GroupVersionResource resource, Unstructured object) {
      String key = key(Snapshot.rawKey(resource, object));
      objectsByUid.put(String.valueOf(object.metadata().uid()), key);
      String name = String.valueOf(object.metadata().name());
      if (!key.endsWith(name)) {
        stableNames.put(name, key.substring(Snapshot.nameStart(key)));
      }
    }

    String text(GroupVersionResource resource, Unstructured object) {
      return String.valueOf(value(resource, object, object.content(), ""));
    }

    private @Nullable Object value(
        GroupVersionResource resource, Unstructured of, @Nullable Object value, String path) {
      if (value instanceof Map<?, ?> map) {
        Map<String, @Nullable Object> kept = new TreeMap<>();
        map.forEach(
            (key, child) -> {
              String at = path.isEmpty() ? String.valueOf(key) : path + "." + key;
              if (!differs(at, of) && !isEmpty(child)) {
                kept.put(String.valueOf(key), value(resource, of, child, at));
              }
            });
        return kept;
      }
      if (value instanceof List<?> list) {
        List<@Nullable Object> kept = new ArrayList<>();
        list.forEach(item -> kept.add(value(resource, of, item, path)));
        if (UNORDERED.contains(path)) {
          kept.sort(Comparator.comparing(String::valueOf));
        }
        return kept;
      }
      if (path.endsWith("observedGeneration")) {
        return String.valueOf(value).equals(String.valueOf(of.metadata().generation()))
            ? "(the generation)"
            : "(an older generation)";
      }
      if (value instanceof String text) {
        return string(resource, of, path, decoded(resource, path, text));
      }
      return varying.has(key(Snapshot.rawKey(resource, of)), path) ? "(varies)" : value;
    }

    /** Returns whether a field is as good as absent: its last entry may have been removed. */
    private static boolean isEmpty(@Nullable Object value) {
      return (value instanceof Map<?, ?> map && map.isEmpty())
          || (value instanceof List<?> list && list.isEmpty());
    }

    private boolean differs(String path, Unstructured object) {
      return UNSTABLE.contains(path)
          || path.endsWith("resourceVersion")
          || ignored.contains(path)
          || (path.equals("metadata.name")
              && stableNames.containsKey(String.valueOf(object.metadata().name())));
    }

    private String string(
        GroupVersionResource resource, Unstructured of, String path, String text) {
      String object = objectsByUid.get(text);
      if (object != null) {
        return "(uid of " + object + ")";
      }
      boolean varies = varying.has(key(Snapshot.rawKey(resource, of)), path);
      if (UID.matcher(text).matches() && (!varies || path.endsWith("ownerReferences.uid"))) {
        return "(uid of an object that is gone)";
      }
      if (TIME.matcher(text).matches()) {
        return "(a time)";
      }
      String stable = text;
      for (Map.Entry<String, String> name : stableNames.entrySet()) {
        stable = stable.replace(name.getKey(), name.getValue());
      }
      for (Map.Entry<String, String> value : random.entrySet()) {
        if (varies && !stable.equals(value.getKey()) && value.getKey().length() >= PART) {
          stable = stable.replace(value.getKey(), value.getValue());
        }
      }
      return varies && !stable.contains("(random value ")
          ? random.computeIfAbsent(stable, one -> "(random value " + (random.size() + 1) + ")")
          : stable;
    }
  }
}
