package dev.clientgo.apimachinery.json.internal.collections;

import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;

/**
 * The empty list and the empty map that stand for an absent one. They equal every other empty list
 * and map, and are recognised by their identity.
 */
public final class Absent {

  private static final List<?> LIST = new AbsentList();
  private static final Map<?, ?> MAP = new AbsentMap();

  private Absent() {}

  /** Returns the list that stands for an absent one. */
  @SuppressWarnings("unchecked") // nothing in it is of any type
  public static <T> List<T> list() {
    return (List<T>) LIST;
  }

  /** Returns the map that stands for an absent one. */
  @SuppressWarnings("unchecked") // nothing in it is of any type
  public static <K, V> Map<K, V> map() {
    return (Map<K, V>) MAP;
  }

  private static final class AbsentList extends AbstractList<Object> implements RandomAccess {

    @Override
    public int size() {
      return 0;
    }

    @Override
    public Object get(int index) {
      throw new IndexOutOfBoundsException("index " + index + " of a list that is absent");
    }
  }

  private static final class AbsentMap extends AbstractMap<Object, Object> {

    @Override
    public Set<Entry<Object, Object>> entrySet() {
      return Set.of();
    }
  }
}
