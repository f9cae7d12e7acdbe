package dev.clientgo.envtest.internal.schema;

import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How server-side apply owns and merges the value at a place of an object: as a whole, or part by
 * part.
 *
 * <p>Corresponds to the schema of structured-merge-diff. Objects merge field by field unless they
 * are atomic; lists are replaced unless they are sets or have keys.
 */
public interface MergeRules {

  /** Returns the rules of a field of the object at this place. */
  MergeRules field(String name);

  /** Returns the rules of the elements of the list at this place. */
  MergeRules items();

  /** Returns whether the object at this place is atomic: replaced as a whole. */
  boolean isAtomic();

  /** Returns whether the list at this place is a set. */
  boolean isSet();

  /**
   * Returns the keys that identify the elements of the list at this place; none if the list has no
   * keys.
   */
  List<String> keys();

  /**
   * Returns whether the object at this place always exists, so that no manager owns the place
   * itself.
   */
  boolean isAlwaysThere();

  /** Returns the value of a key that an element omits, or null. */
  @Nullable Object defaultValue(String key);

  /**
   * Returns the elements of a list by their path elements, such as {@code k:{"name":"web"}}.
   *
   * @return null if the list is replaced as a whole, or an element has no key or a duplicate one
   */
  default @Nullable Map<String, Object> elements(Collection<?> list) {
    if (!isSet() && keys().isEmpty()) {
      return null;
    }
    Map<String, Object> elements = new LinkedHashMap<>();
    for (Object element : list) {
      String step = step(element);
      if (element == null || step == null || elements.put(step, element) != null) {
        return null;
      }
    }
    return elements;
  }

  /** Returns the path element of a list element, or null if it has no key. */
  default @Nullable String step(@Nullable Object element) {
    if (isSet()) {
      return "v:" + JsonText.text(element);
    }
    Map<String, Object> sorted = new TreeMap<>();
    for (String key : keys()) {
      Object value = JsonTree.asObject(element).get(key);
      Object known = value == null ? defaultValue(key) : value;
      if (known == null) {
        return null;
      }
      sorted.put(key, known);
    }
    return sorted.isEmpty() ? null : "k:" + JsonText.text(sorted);
  }
}
