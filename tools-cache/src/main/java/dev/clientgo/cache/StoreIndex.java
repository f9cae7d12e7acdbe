package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All indices of a store. {@link #updates} calls the index functions, which may fail, and changes
 * nothing; {@link IndexUpdate#apply} changes an index and cannot fail.
 *
 * <p>Not safe for use by many threads; the locks of the store guard it.
 *
 * <p>Corresponds to client-go's {@code storeIndex}.
 *
 * @param <T> the type of the objects
 */
final class StoreIndex<T> {

  private static final String NULL_VALUE =
      "a value of its list is null; use IndexFunction.ofNullable if objects may have no value";

  /** An index and the function behind it. */
  private record Entry<T>(String name, IndexFunction<? super T> function, Index index) {

    /** Calls the function; if it fails, the error names the index and the object. */
    List<String> valuesOf(String key, @Nullable T object) {
      if (object == null) {
        return List.of();
      }
      try {
        // List.copyOf refuses a null, so that IndexUpdate.apply cannot fail.
        return List.copyOf(
            requireNonNull(function.indexValues(object), "it gave null in place of a list"));
      } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
        // These errors concern one object, too: the store accepts the others.
        throw new IllegalStateException(
            "the index function of \"%s\" failed on the object \"%s\": %s"
                .formatted(name, key, isNullValue(e) ? NULL_VALUE : e.toString()),
            e);
      }
    }

    /**
     * Returns whether a value is null: {@code List.of} in the function, or the copy above, threw.
     */
    private static boolean isNullValue(Throwable error) {
      if (error instanceof NullPointerException) {
        for (StackTraceElement frame : error.getStackTrace()) {
          if (frame.getClassName().equals(List.class.getName())) {
            return true;
          } else if (!frame.getClassName().startsWith("java.util.")) {
            return false;
          }
        }
      }
      return false;
    }
  }

  /**
   * The keys that one index files under each value. An index drops values without keys, so an index
   * of short-lived objects does not grow.
   */
  static final class Index {

    private final Map<String, Set<String>> keysByValue = new HashMap<>();

    void add(String value, String key) {
      keysByValue.merge(value, Set.of(key), Index::union);
    }

    /** An immutable set of one key, as in an index by owner, takes less memory than a HashSet. */
    private static Set<String> union(Set<String> present, Set<String> added) {
      Set<String> keys = present instanceof HashSet ? present : new HashSet<>(present);
      keys.addAll(added);
      return keys;
    }

    void remove(String value, String key) {
      Set<String> keys = keys(value);
      if (!keys.contains(key)) {
        return;
      }
      if (keys.size() == 1) {
        keysByValue.remove(value);
      } else {
        keys.remove(key);
      }
    }

    /** Returns the keys that are filed under the value. */
    Set<String> keys(String value) {
      return keysByValue.getOrDefault(value, Set.of());
    }

    /** Returns all values under which something is filed. */
    List<String> values() {
      return new ArrayList<>(keysByValue.keySet());
    }
  }

  /**
   * An update of one index that is prepared and cannot fail.
   *
   * @param from the values under which the key was filed
   * @param to the values under which the key is filed after the update
   */
  record IndexUpdate(Index index, String key, List<String> from, List<String> to) {

    void apply() {
      for (String value : from) {
        index.remove(value, key);
      }
      for (String value : to) {
        index.add(value, key);
      }
    }
  }

  private final Map<String, Entry<T>> entries;
  private final Map<String, IndexFunction<? super T>> functions;

  private StoreIndex(Map<String, Entry<T>> entries) {
    this.entries = entries;
    Map<String, IndexFunction<? super T>> byName = new LinkedHashMap<>();
    entries.forEach((name, entry) -> byName.put(name, entry.function));
    functions = Collections.unmodifiableMap(byName);
  }

  /** Returns empty indices. */
  static <T> StoreIndex<T> of(Map<String, ? extends IndexFunction<? super T>> functions) {
    Map<String, Entry<T>> entries = new LinkedHashMap<>();
    functions.forEach(
        (name, function) -> entries.put(name, new Entry<>(name, function, new Index())));
    return new StoreIndex<>(entries);
  }

  /** Returns empty indices with the same functions. */
  StoreIndex<T> emptied() {
    return of(functions);
  }

  /**
   * Returns these indices together with others, without copying either.
   *
   * @throws IllegalArgumentException if a name is taken
   */
  StoreIndex<T> with(StoreIndex<T> more) {
    Set<String> conflict = new HashSet<>(entries.keySet());
    conflict.retainAll(more.entries.keySet());
    if (!conflict.isEmpty()) {
      throw new IllegalArgumentException("indexer conflict: there already are " + conflict);
    }
    Map<String, Entry<T>> all = new LinkedHashMap<>(entries);
    all.putAll(more.entries);
    return new StoreIndex<>(all);
  }

  Map<String, IndexFunction<? super T>> functions() {
    return functions;
  }

  /**
   * Calls the index functions and returns the updates for one changed object.
   *
   * @param old the old state, null if the object is new
   * @param now the new state, null if the object is removed
   * @throws IllegalStateException if an index function fails
   */
  List<IndexUpdate> updates(String key, @Nullable T old, @Nullable T now) {
    List<IndexUpdate> updates = new ArrayList<>(0);
    for (Entry<T> entry : entries.values()) {
      List<String> from = entry.valuesOf(key, old);
      List<String> to = entry.valuesOf(key, now);
      if (!from.equals(to)) {
        updates.add(new IndexUpdate(entry.index, key, from, to));
      }
    }
    return updates;
  }

  /** Files an object that is new to these indices. */
  void add(String key, T object) {
    for (Entry<T> entry : entries.values()) {
      for (String value : entry.valuesOf(key, object)) {
        entry.index.add(value, key);
      }
    }
  }

  Index index(String name) {
    return entry(name).index;
  }

  /** Returns the values under which the index files the object. */
  List<String> values(String name, T object) {
    return List.copyOf(entry(name).function.indexValues(object));
  }

  private Entry<T> entry(String name) {
    Entry<T> entry = entries.get(name);
    if (entry == null) {
      throw new IllegalArgumentException(
          "index with name \"%s\" does not exist, there are %s".formatted(name, entries.keySet()));
    }
    return entry;
  }
}
