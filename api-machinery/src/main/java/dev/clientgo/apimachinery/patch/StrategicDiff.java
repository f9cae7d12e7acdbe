package dev.clientgo.apimachinery.patch;

import dev.clientgo.apimachinery.patch.PatchSchema.Rule;
import dev.clientgo.apimachinery.patch.PatchSchema.Strategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Creates strategic merge patches from two documents.
 *
 * @param changes whether to include new and changed fields
 * @param deletions whether to include removed fields
 */
record StrategicDiff(boolean changes, boolean deletions) {

  Map<String, Object> maps(Map<String, ?> before, Map<String, ?> after, PatchSchema schema) {
    Map<String, @Nullable Object> patch = new LinkedHashMap<>();
    after.forEach((name, value) -> field(patch, name, before.get(name), value, schema.rule(name)));
    if (deletions) {
      before.forEach(
          (name, value) -> {
            if (value != null && after.get(name) == null) {
              patch.put(name, null);
            }
          });
    }
    return patch;
  }

  private void field(
      Map<String, @Nullable Object> patch,
      String name,
      @Nullable Object before,
      @Nullable Object after,
      Rule rule) {
    if (after == null || Trees.equal(before, after)) {
      return;
    }
    if (before instanceof Map<?, ?> x
        && after instanceof Map<?, ?> y
        && !rule.has(Strategy.REPLACE)) {
      Map<String, @Nullable Object> inner = maps(Trees.map(x), Trees.map(y), rule.schema());
      if (!inner.isEmpty()) {
        if (rule.has(Strategy.RETAIN_KEYS)) {
          inner.put(StrategicMergePatch.RETAIN_KEYS, new ArrayList<>(new TreeSet<>(y.keySet())));
        }
        patch.put(name, inner);
      }
    } else if (before instanceof List<?> x
        && after instanceof List<?> y
        && rule.has(Strategy.MERGE)) {
      lists(patch, name, x, y, rule);
    } else if (changes) {
      patch.put(name, after);
    }
  }

  private void lists(
      Map<String, @Nullable Object> patch, String name, List<?> before, List<?> after, Rule rule) {
    List<@Nullable Object> merged = new ArrayList<>();
    List<@Nullable Object> gone = new ArrayList<>();
    boolean objects =
        before.stream().anyMatch(Map.class::isInstance)
            || after.stream().anyMatch(Map.class::isInstance);
    @Nullable String mergeKey = objects ? rule.mergeKey() : null;
    for (Object element : after) {
      int at = StrategicLists.indexOf(before, StrategicLists.key(element, mergeKey), mergeKey);
      if (at < 0) {
        if (changes) {
          merged.add(element);
        }
      } else if (element instanceof Map<?, ?> map) {
        Map<String, @Nullable Object> inner =
            maps(StrategicLists.object(before.get(at)), Trees.map(map), rule.schema());
        if (!inner.isEmpty()) {
          inner.put(String.valueOf(mergeKey), map.get(mergeKey));
          merged.add(inner);
        }
      }
    }
    if (deletions) {
      for (Object element : before) {
        Object key = StrategicLists.key(element, mergeKey);
        if (StrategicLists.indexOf(after, key, mergeKey) >= 0) {
          continue;
        }
        if (objects) {
          Map<String, @Nullable Object> deletion = new LinkedHashMap<>();
          deletion.put(String.valueOf(mergeKey), key);
          deletion.put(StrategicMergePatch.PATCH, "delete");
          merged.add(deletion);
        } else {
          gone.add(element);
        }
      }
    }
    boolean moved = changes && !sameOrder(before, after, mergeKey);
    if (!merged.isEmpty() || !gone.isEmpty() || moved) {
      patch.put(StrategicMergePatch.SET_ORDER + name, order(after, mergeKey));
    }
    if (!merged.isEmpty()) {
      patch.put(name, merged);
    }
    if (!gone.isEmpty()) {
      patch.put(StrategicMergePatch.DELETE_FROM + name, gone);
    }
  }

  private static boolean sameOrder(List<?> before, List<?> after, @Nullable String mergeKey) {
    int last = -1;
    for (Object element : after) {
      int at = StrategicLists.indexOf(before, StrategicLists.key(element, mergeKey), mergeKey);
      if (at >= 0 && at < last) {
        return false;
      }
      last = Math.max(last, at);
    }
    return true;
  }

  private static List<@Nullable Object> order(List<?> list, @Nullable String mergeKey) {
    List<@Nullable Object> order = new ArrayList<>();
    for (Object element : list) {
      if (element instanceof Map<?, ?> map) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        named.put(String.valueOf(mergeKey), map.get(mergeKey));
        order.add(named);
      } else {
        order.add(element);
      }
    }
    return order;
  }

  /** Merges two patches of the same document; where both set a field, the second wins. */
  static Map<String, Object> unite(
      Map<String, ?> first, Map<String, ?> second, PatchSchema schema) {
    Map<String, @Nullable Object> united = new LinkedHashMap<>(first);
    second.forEach(
        (name, value) -> {
          @Nullable Object there = united.get(name);
          Rule rule = schema.rule(name);
          if (there instanceof Map<?, ?> x && value instanceof Map<?, ?> y) {
            united.put(name, unite(Trees.map(x), Trees.map(y), rule.schema()));
          } else if (there instanceof List<?> x
              && value instanceof List<?> y
              && !StrategicLists.isDirective(name)) {
            united.put(name, uniteLists(x, y, rule));
          } else {
            united.put(name, value);
          }
        });
    return united;
  }

  private static List<@Nullable Object> uniteLists(List<?> first, List<?> second, Rule rule) {
    List<@Nullable Object> united = new ArrayList<>(first);
    for (Object element : second) {
      Object key = StrategicLists.key(element, rule.mergeKey());
      int at = StrategicLists.indexOf(united, key, rule.mergeKey());
      if (at < 0) {
        united.add(element);
      } else if (element instanceof Map<?, ?> map) {
        united.set(at, unite(StrategicLists.object(united.get(at)), Trees.map(map), rule.schema()));
      }
    }
    return united;
  }

  /** Fails if two patches set the same field to different values. */
  static void refuseConflicts(
      Map<String, ?> theirs, Map<String, ?> ours, PatchSchema schema, String path) {
    ours.forEach(
        (name, mine) -> {
          if (!theirs.containsKey(name) || StrategicLists.isDirective(name)) {
            return;
          }
          @Nullable Object other = theirs.get(name);
          Rule rule = schema.rule(name);
          String here = path + "/" + name;
          if (mine instanceof Map<?, ?> x && other instanceof Map<?, ?> y) {
            refuseConflicts(Trees.map(y), Trees.map(x), rule.schema(), here);
          } else if (mine instanceof List<?> x
              && other instanceof List<?> y
              && rule.has(Strategy.MERGE)) {
            refuseListConflicts(y, x, rule, here);
          } else if (!Trees.equal(mine, other)) {
            throw new PatchException(
                "conflict at "
                    + here
                    + ": the patch sets "
                    + Trees.describe(mine)
                    + ", but another author has set "
                    + Trees.describe(other));
          }
        });
  }

  private static void refuseListConflicts(List<?> theirs, List<?> ours, Rule rule, String path) {
    for (Object element : ours) {
      if (element instanceof Map<?, ?> mine) {
        Object key = StrategicLists.key(element, rule.mergeKey());
        int at = StrategicLists.indexOf(theirs, key, rule.mergeKey());
        if (at >= 0) {
          refuseConflicts(
              StrategicLists.object(theirs.get(at)),
              Trees.map(mine),
              rule.schema(),
              path + "/" + key);
        }
      }
    }
  }
}
