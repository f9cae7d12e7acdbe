package dev.clientgo.envtest.internal.tables;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Cells of resource quotas. */
final class QuotaCells {

  private static final String LIMITS = "limits.";

  private QuotaCells() {}

  static String requests(Map<String, Object> quota) {
    return used(quota, false);
  }

  static String limits(Map<String, Object> quota) {
    return used(quota, true);
  }

  private static String used(Map<String, Object> quota, boolean limits) {
    Map<String, Object> used = JsonTree.object(quota, "status", "used");
    return new TreeMap<>(JsonTree.object(quota, "status", "hard"))
        .entrySet().stream()
            .filter(hard -> hard.getKey().startsWith(LIMITS) == limits)
            .map(
                hard ->
                    "%s: %s/%s"
                        .formatted(
                            hard.getKey(),
                            requireNonNullElse(used.get(hard.getKey()), "0"),
                            hard.getValue()))
            .collect(Collectors.joining(", "));
  }
}
