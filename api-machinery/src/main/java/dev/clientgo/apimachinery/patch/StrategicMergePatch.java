package dev.clientgo.apimachinery.patch;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.patch.PatchSchema.Rule;
import dev.clientgo.apimachinery.patch.PatchSchema.Strategy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The merge patch of Kubernetes: like a {@link MergePatch}, but it can change single elements of
 * lists that the schema of a type declares to be merged.
 *
 * <p>A patch may also hold directives:
 *
 * <ul>
 *   <li>{@code $patch: replace} replaces a map or list by the rest of the patch; {@code $patch:
 *       delete} removes a map, or the element with the same key
 *   <li>{@code $retainKeys: […]} drops all other keys
 *   <li>{@code $deleteFromPrimitiveList/f: […]} removes values from the list {@code f}
 *   <li>{@code $setElementOrder/f: […]} sorts the elements of the list {@code f}; elements that it
 *       does not name keep their place relative to their neighbours
 * </ul>
 *
 * <p>All methods take trees of maps and lists and do not change them. Corresponds to apimachinery's
 * {@code util/strategicpatch}.
 */
public final class StrategicMergePatch {

  /** The media type of such a patch. */
  public static final String MEDIA_TYPE = Patch.STRATEGIC_MERGE;

  static final String PATCH = "$patch";
  static final String RETAIN_KEYS = "$retainKeys";
  static final String DELETE_FROM = "$deleteFromPrimitiveList/";
  static final String SET_ORDER = "$setElementOrder/";

  private StrategicMergePatch() {}

  /**
   * Returns the document with the patch applied, as the API server does.
   *
   * @throws PatchException if a directive or a list of the patch does not match the document
   */
  public static Map<String, Object> apply(
      Map<String, ?> original, Map<String, ?> patch, PatchSchema schema) {
    Map<String, @Nullable Object> result = mutable(original);
    mergeMap(result, patch, schema);
    return result;
  }

  /**
   * Returns the patch that turns one document into another.
   *
   * @return the patch; empty if the documents are equal
   */
  public static Map<String, Object> create(
      Map<String, ?> original, Map<String, ?> modified, PatchSchema schema) {
    return new StrategicDiff(true, true).maps(original, modified, schema);
  }

  /**
   * Returns the patch that applies an author's changes to a live document and keeps the fields that
   * others have added. It removes fields that are in {@code original} and not in {@code modified},
   * and sets fields that differ between {@code current} and {@code modified}.
   *
   * @param original the author's previous version
   * @param modified the author's current version
   * @param current the live document
   * @param overwrite whether to set fields that another author has changed to a different value
   * @throws PatchException if {@code overwrite} is false and there are such fields
   */
  public static Map<String, Object> createThreeWay(
      Map<String, ?> original,
      Map<String, ?> modified,
      Map<String, ?> current,
      PatchSchema schema,
      boolean overwrite) {
    Map<String, Object> changes = new StrategicDiff(true, false).maps(current, modified, schema);
    Map<String, Object> deletions = new StrategicDiff(false, true).maps(original, modified, schema);
    Map<String, Object> patch = StrategicDiff.unite(deletions, changes, schema);
    if (!overwrite) {
      StrategicDiff.refuseConflicts(
          new StrategicDiff(true, true).maps(original, current, schema), patch, schema, "");
    }
    return patch;
  }

  private static Map<String, @Nullable Object> mutable(Map<String, ?> map) {
    return Trees.map(requireNonNull(Trees.mutableCopy(map)));
  }

  private static void mergeMap(
      Map<String, @Nullable Object> into, Map<String, ?> patch, PatchSchema schema) {
    @Nullable Object directive = patch.get(PATCH);
    if ("replace".equals(directive) || "delete".equals(directive)) {
      into.clear();
      if ("replace".equals(directive)) {
        Map<String, @Nullable Object> rest = mutable(patch);
        rest.remove(PATCH);
        into.putAll(rest);
      }
      return;
    }
    if (directive != null && !"merge".equals(directive)) {
      throw new PatchException("unknown $patch: " + Trees.describe(directive));
    }
    retainKeys(into, patch);
    patch.forEach((name, change) -> mergeField(into, patch, name, change, schema));
  }

  private static void retainKeys(Map<String, @Nullable Object> into, Map<String, ?> patch) {
    if (!patch.containsKey(RETAIN_KEYS)) {
      return;
    }
    if (!(patch.get(RETAIN_KEYS) instanceof List<?> retained)) {
      throw new PatchException("$retainKeys is not an array");
    }
    patch.forEach(
        (name, change) -> {
          if (!name.startsWith("$") && change != null && !retained.contains(name)) {
            throw new PatchException("$retainKeys does not list \"" + name + "\", which is set");
          }
        });
    into.keySet().retainAll(retained);
  }

  private static void mergeField(
      Map<String, @Nullable Object> into,
      Map<String, ?> patch,
      String name,
      @Nullable Object change,
      PatchSchema schema) {
    if (name.equals(PATCH) || name.equals(RETAIN_KEYS)) {
      return;
    }
    if (name.startsWith(DELETE_FROM)) {
      if (into.get(name.substring(DELETE_FROM.length())) instanceof List<?> list) {
        List<?> gone = directiveList(name, change);
        Trees.list(list)
            .removeIf(value -> gone.stream().anyMatch(other -> Trees.equal(other, value)));
      }
      return;
    }
    if (name.startsWith(SET_ORDER)) {
      String field = name.substring(SET_ORDER.length());
      if (into.get(field) instanceof List<?> list && !patch.containsKey(field)) {
        into.put(
            field,
            StrategicLists.merge(list, List.of(), directiveList(name, change), schema.rule(field)));
      }
      return;
    }
    if (change == null) {
      into.remove(name);
      return;
    }
    @Nullable Object there = into.get(name);
    Rule rule = schema.rule(name);
    if (there instanceof Map<?, ?> && change instanceof Map<?, ?> map) {
      if (rule.has(Strategy.REPLACE)) {
        into.put(name, StrategicLists.withoutDirectives(map));
      } else {
        mergeMap(Trees.map(there), Trees.map(map), rule.schema());
      }
    } else if (there instanceof List<?> list
        && change instanceof List<?> changes
        && rule.has(Strategy.MERGE)) {
      @Nullable Object order = patch.get(SET_ORDER + name);
      into.put(
          name,
          StrategicLists.merge(
              list, changes, order == null ? null : directiveList(SET_ORDER + name, order), rule));
    } else {
      into.put(name, StrategicLists.withoutDirectives(change));
    }
  }

  private static List<?> directiveList(String name, @Nullable Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new PatchException(name + " is not an array but " + Trees.describe(value));
  }

  /** Merges a change into the element of a list with the same key. */
  static Map<String, Object> mergeElement(
      Map<String, ?> element, Map<String, ?> patch, PatchSchema schema) {
    Map<String, @Nullable Object> merged = new LinkedHashMap<>(mutable(element));
    mergeMap(merged, patch, schema);
    return merged;
  }
}
