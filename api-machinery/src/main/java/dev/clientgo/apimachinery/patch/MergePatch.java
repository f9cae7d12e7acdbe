package dev.clientgo.apimachinery.patch;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The merge patch of RFC 7386: a document in the shape of the target, in which null removes a
 * field, an object merges recursively, and any other value, arrays included, replaces the field.
 *
 * <p>All methods take trees of maps and lists and do not change them. The three-way form
 * corresponds to apimachinery's {@code jsonmergepatch.CreateThreeWayJSONMergePatch}.
 */
public final class MergePatch {

  /** The media type of such a patch. */
  public static final String MEDIA_TYPE = "application/merge-patch+json";

  private MergePatch() {}

  /** Returns the target with the patch applied. */
  public static @Nullable Object apply(@Nullable Object target, @Nullable Object patch) {
    if (!(patch instanceof Map<?, ?> changes)) {
      return Trees.mutableCopy(patch);
    }
    Map<String, @Nullable Object> result =
        target instanceof Map<?, ?>
            ? Trees.map(requireNonNull(Trees.mutableCopy(target)))
            : new LinkedHashMap<>();
    changes.forEach(
        (key, change) -> {
          String name = (String) key;
          if (change == null) {
            result.remove(name);
          } else {
            result.put(name, apply(result.get(name), change));
          }
        });
    return result;
  }

  /**
   * Returns the patch that turns one document into another. A merge patch cannot set null, so null
   * in {@code modified} counts as absent.
   *
   * @return the patch; empty if the documents are equal
   */
  public static Map<String, Object> create(Map<String, ?> original, Map<String, ?> modified) {
    Map<String, @Nullable Object> patch = new LinkedHashMap<>();
    modified.forEach(
        (name, value) -> {
          @Nullable Object before = original.get(name);
          if (value != null) {
            difference(before, value).ifPresent(change -> patch.put(name, change));
          }
        });
    original.forEach(
        (name, before) -> {
          if (before != null && modified.get(name) == null) {
            patch.put(name, null);
          }
        });
    return patch;
  }

  private static Optional<Object> difference(@Nullable Object before, Object after) {
    if (before instanceof Map<?, ?> x && after instanceof Map<?, ?> y) {
      Map<String, Object> patch = create(Trees.map(x), Trees.map(y));
      return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
    }
    if (Trees.equal(before, after)) {
      return Optional.empty();
    }
    return Optional.of(before == null ? withoutNulls(after) : whole(after));
  }

  /**
   * Returns a value without nulls if it is a map, since there is nothing that nulls could remove.
   */
  private static Object whole(Object value) {
    return value instanceof Map<?, ?> ? withoutNulls(value) : value;
  }

  private static Object withoutNulls(Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    Map<String, Object> clean = new LinkedHashMap<>();
    map.forEach(
        (name, field) -> {
          if (field != null) {
            clean.put((String) name, withoutNulls(field));
          }
        });
    return clean;
  }

  /**
   * Returns the patch that applies an author's changes to a live document and keeps what others
   * have added. It removes fields that are in {@code original} and not in {@code modified}, and
   * sets fields that differ between {@code current} and {@code modified}.
   *
   * @param original the author's previous version
   * @param modified the author's current version
   * @param current the live document
   */
  public static Map<String, Object> createThreeWay(
      Map<String, ?> original, Map<String, ?> modified, Map<String, ?> current) {
    Map<String, @Nullable Object> patch = new LinkedHashMap<>();
    merge(patch, keep(create(current, modified), false));
    merge(patch, keep(create(original, modified), true));
    return patch;
  }

  /** Keeps either the removals of a patch or the rest, and drops objects that become empty. */
  private static Map<String, Object> keep(Map<String, Object> patch, boolean removals) {
    Map<String, @Nullable Object> kept = new LinkedHashMap<>();
    patch.forEach(
        (name, change) -> {
          if (change instanceof Map<?, ?> map && !map.isEmpty()) {
            Map<String, Object> inner = keep(Trees.map(map), removals);
            if (!inner.isEmpty()) {
              kept.put(name, inner);
            }
          } else if ((change == null) == removals) {
            kept.put(name, change);
          }
        });
    return kept;
  }

  private static void merge(Map<String, @Nullable Object> into, Map<String, ?> from) {
    from.forEach(
        (name, change) -> {
          @Nullable Object there = into.get(name);
          if (there instanceof Map<?, ?> && change instanceof Map<?, ?> map) {
            merge(Trees.map(there), Trees.map(map));
          } else {
            into.put(name, change);
          }
        });
  }
}
