package dev.clientgo.apimachinery.json;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The objects and arrays that a reader is inside of, and where in each of them it is.
 *
 * <p>Kept in arrays by depth, so that entering and leaving allocates nothing.
 */
final class Nesting {

  /** No more are expected, as most objects are small; each array grows. */
  private static final int DEPTH = 8;

  private int depth;

  /** Whether it is an object. */
  private boolean[] objects = new boolean[DEPTH];

  /** How many of its elements have begun. */
  private int[] counts = new int[DEPTH];

  /** The name of the field, once it is known. */
  private @Nullable String[] names = new String[DEPTH];

  int depth() {
    return depth;
  }

  boolean isIn(boolean object) {
    return depth > 0 && objects[depth] == object;
  }

  void enter(boolean object) {
    depth++;
    if (depth == counts.length) {
      objects = Arrays.copyOf(objects, depth * 2);
      counts = Arrays.copyOf(counts, depth * 2);
      names = Arrays.copyOf(names, depth * 2);
    }
    objects[depth] = object;
    counts[depth] = 0;
    names[depth] = null;
  }

  void leave() {
    depth--;
  }

  void leaveTo(int outer) {
    depth = Math.min(depth, outer);
  }

  /** Returns whether an element has begun. */
  boolean hasElements() {
    return counts[depth] > 0;
  }

  /** Returns how many elements have begun, including this one. */
  int beginElement() {
    return ++counts[depth];
  }

  void unbeginElement() {
    counts[depth]--;
  }

  @Nullable String name() {
    return names[depth];
  }

  void name(@Nullable String name) {
    names[depth] = name;
  }

  /** Returns the RFC 6901 pointer to the element that has begun last. */
  String path() {
    StringBuilder path = new StringBuilder();
    for (int i = 1; i <= depth; i++) {
      String name = names[i];
      if (objects[i] ? name == null : counts[i] == 0) {
        break;
      }
      path.append('/');
      if (name == null) {
        path.append(counts[i] - 1);
      } else {
        path.append(name.replace("~", "~0").replace("/", "~1"));
      }
    }
    return path.toString();
  }
}
