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
 * How the value at a place of an object is owned and merged: as a whole, or part by part.
 *
 * <p>Corresponds to the schema of structured-merge-diff. Objects are merged field by field unless
 * they are atomic; lists are replaced unless they are sets or have keys.
 */
public interface MergeRules {

  /** Returns the rules of a field of the object at this place. */
  MergeRules field(String name);

  /** Returns the rules of the elements of the list at this place. */
  MergeRules items();

  /** Returns whether the object at this place is replaced as a whole. */
  boolean isAtomic();

  /** Returns whether the list at this place is a set. */
  boolean isSet();

  /** Returns what tells the elements of the list at this place apart; nothing if they are not. */
  List<String> keys();

  /** Returns whether the object at this place is always there, so that nobody owns it as such. */
  boolean isAlwaysThere();

  /** Returns what an element has for a key that it leaves out. */
  @Nullable Object otherwise(String key);

  /**
   * Returns the elements of a list by the step that leads to each.
   *
   * @return null if the list is replaced as a whole, or is not what it should be
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

  /** Returns the step that leads to an element, or null if there is none. */
  default @Nullable String step(@Nullable Object element) {
    if (isSet()) {
      return "v:" + JsonText.text(element);
    }
    Map<String, Object> sorted = new TreeMap<>();
    for (String key : keys()) {
      Object value = JsonTree.asObject(element).get(key);
      Object known = value == null ? otherwise(key) : value;
      if (known == null) {
        return null;
      }
      sorted.put(key, known);
    }
    return sorted.isEmpty() ? null : "k:" + JsonText.text(sorted);
  }
}
