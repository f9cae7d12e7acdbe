package dev.clientgo.apimachinery.json.internal.utf8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The objects and arrays around a reader, and the position in each.
 *
 * <p>Arrays by depth hold them, so entering and leaving allocates nothing.
 */
public final class Nesting {

  /** The initial size of the arrays; few objects are deeper. */
  private static final int DEPTH = 8;

  private int depth;

  /** By depth: whether it is an object. */
  private boolean[] objects = new boolean[DEPTH];

  /** By depth: the number of elements that have begun. */
  private int[] counts = new int[DEPTH];

  /** By depth: the name of the field, null until it is known. */
  private @Nullable String[] names = new String[DEPTH];

  public int depth() {
    return depth;
  }

  public boolean isIn(boolean object) {
    return depth > 0 && objects[depth] == object;
  }

  public void enter(boolean object) {
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

  public void leave() {
    depth--;
  }

  public void leaveTo(int outer) {
    depth = Math.min(depth, outer);
  }

  /** Returns whether an element has begun. */
  public boolean hasElements() {
    return counts[depth] > 0;
  }

  /** Begins an element; returns the number of elements that have begun. */
  public int beginElement() {
    return ++counts[depth];
  }

  public void unbeginElement() {
    counts[depth]--;
  }

  /** Returns the number of elements that have begun. */
  public int elements() {
    return counts[depth];
  }

  public @Nullable String name() {
    return names[depth];
  }

  public void name(@Nullable String name) {
    names[depth] = name;
  }

  /** Returns the pointer of RFC 6901 to the last element that has begun. */
  public String path() {
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
