package dev.clientgo.apimachinery.json;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The elements of the lists and maps that a reader is inside of, those of the innermost on top. So
 * a collection is made once its size is known, and no other is made on the way.
 */
final class Scratch {

  private static final int SIZE = 16;
  private static final int MAX_IDLE_SIZE = 1024;

  private @Nullable Object[] elements = new Object[SIZE];
  private int top;

  /** Returns where the next collection begins. */
  int top() {
    return top;
  }

  void push(@Nullable Object element) {
    if (top == elements.length) {
      elements = Arrays.copyOf(elements, top * 2);
    }
    elements[top++] = element;
  }

  /** Returns a list of what was pushed from a place on. */
  <T> List<T> list(int from) {
    return Immutable.list(elements, from, top);
  }

  /** Returns a map of what was pushed from a place on, names and values in turn. */
  <T> Map<String, T> map(int from) {
    return ArrayMap.copyOf(elements, from, top);
  }

  /** Forgets what was pushed from a place on. */
  void dropTo(int from) {
    if (from == 0 && elements.length > MAX_IDLE_SIZE) {
      elements = new Object[SIZE];
    } else {
      Arrays.fill(elements, from, top, null);
    }
    top = from;
  }
}
