package dev.clientgo.apimachinery.json.internal.collections;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stack of the elements of the lists and maps around a reader, the innermost on top. So the
 * reader creates a collection only when its size is known.
 */
public final class Scratch {

  private static final int SIZE = 16;
  private static final int MAX_IDLE_SIZE = 1024;

  private @Nullable Object[] elements = new Object[SIZE];
  private int top;

  /** Returns the place where the next collection begins. */
  public int top() {
    return top;
  }

  public void push(@Nullable Object element) {
    if (top == elements.length) {
      elements = Arrays.copyOf(elements, top * 2);
    }
    elements[top++] = element;
  }

  /** Returns a list of the elements from a place on. */
  @SuppressWarnings("unchecked") // the reader has pushed elements of this type
  public <T> List<T> list(int from) {
    if (top - from == 1 && elements[from] != null) {
      return (List<T>) new SingletonList<>(elements[from]);
    }
    Object[] list = Arrays.copyOfRange(elements, from, top);
    for (Object element : list) {
      if (element == null) {
        return (List<T>) Collections.unmodifiableList(Arrays.asList(list));
      }
    }
    return (List<T>) List.of(list);
  }

  /** Returns a map of the elements from a place on, in which names and values alternate. */
  public <T> Map<String, T> map(int from) {
    return ArrayMap.copyOf(elements, from, top);
  }

  /** Drops the elements from a place on. */
  public void dropTo(int from) {
    if (from == 0 && elements.length > MAX_IDLE_SIZE) {
      elements = new Object[SIZE];
    } else {
      Arrays.fill(elements, from, top, null);
    }
    top = from;
  }
}
