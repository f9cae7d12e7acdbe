package dev.clientgo.apimachinery.managedfields;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reduces a tree to the paths of a set.
 *
 * <p>A leaf of the set may stand for a value that is owned as a whole, such as a selector, or for a
 * map or list whose contents the manager does not own. Upstream distinguishes them by the schema of
 * the type. This class looks at the other managers: if one of them owns a path below the leaf, the
 * contents have their own owners.
 */
final class Extraction {

  private Extraction() {}

  /**
   * Returns the owned part of a value.
   *
   * @param owned the paths to keep
   * @param all the paths that any manager owns
   */
  static @Nullable Object extract(@Nullable Object value, FieldSet owned, FieldSet all) {
    if (owned.isLeaf()) {
      return all.isLeaf() ? value : hollow(value);
    } else if (value instanceof Map<?, ?> map) {
      return extractMap(map, owned, all);
    } else if (value instanceof List<?> list) {
      return extractList(list, owned, all);
    }
    return value;
  }

  private static @Nullable Object hollow(@Nullable Object value) {
    if (value instanceof Map) {
      return Map.of();
    }
    return value instanceof List ? List.of() : value;
  }

  static Map<String, @Nullable Object> extractMap(Map<?, ?> map, FieldSet owned, FieldSet all) {
    Map<String, @Nullable Object> kept = new LinkedHashMap<>();
    map.forEach(
        (key, value) -> {
          PathElement.Field field = new PathElement.Field((String) key);
          FieldSet child = owned.children().get(field);
          if (child != null) {
            kept.put(field.name(), extract(value, child, all.at(field)));
          }
        });
    return kept;
  }

  private static List<@Nullable Object> extractList(List<?> list, FieldSet owned, FieldSet all) {
    List<@Nullable Object> kept = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      Object item = list.get(i);
      for (Map.Entry<PathElement, FieldSet> child : owned.children().entrySet()) {
        if (leadsTo(child.getKey(), item, i)) {
          kept.add(extract(item, child.getValue(), all.at(child.getKey())));
          break;
        }
      }
    }
    return kept;
  }

  private static boolean leadsTo(PathElement element, @Nullable Object item, int index) {
    if (element instanceof PathElement.Key key) {
      return item instanceof Map<?, ?> map
          && key.fields().entrySet().stream()
              .allMatch(field -> Objects.equals(map.get(field.getKey()), field.getValue()));
    } else if (element instanceof PathElement.Value value) {
      return Objects.equals(value.value(), item);
    }
    return element instanceof PathElement.Index place && place.index() == index;
  }
}
