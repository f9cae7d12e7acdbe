package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All indices of a store. A change is made in two steps: {@link #plan} calls the index functions,
 * which may fail, and touches nothing; {@link Move#apply} files the key elsewhere and cannot fail.
 *
 * <p>Not safe for use by many threads; the store's locks guard it.
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

    /** Asks the function, and says which index and object are at fault if it fails. */
    List<String> valuesOf(String key, @Nullable T object) {
      if (object == null) {
        return List.of();
      }
      try {
        // Checks for nulls, too: Move.apply must not fail.
        return List.copyOf(
            requireNonNull(function.indexValues(object), "it gave null in place of a list"));
      } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
        // These errors, too, are about one object: the others go in.
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

  /** The part of a change that concerns one index. */
  record Move(Index index, String key, List<String> from, List<String> to) {

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
    for (Entry<T> entry : entries.values()) {
      byName.put(entry.name, entry.function);
    }
    functions = Collections.unmodifiableMap(byName);
  }

  /** Returns empty indices. */
  static <T> StoreIndex<T> of(Map<String, ? extends IndexFunction<? super T>> functions) {
    Map<String, Entry<T>> entries = new LinkedHashMap<>();
    for (Map.Entry<String, ? extends IndexFunction<? super T>> each : functions.entrySet()) {
      entries.put(each.getKey(), new Entry<>(each.getKey(), each.getValue(), new Index()));
    }
    return new StoreIndex<>(entries);
  }

  /** Returns indices with the same functions, empty. */
  StoreIndex<T> emptied() {
    Map<String, Entry<T>> empty = new LinkedHashMap<>();
    for (Entry<T> entry : entries.values()) {
      empty.put(entry.name, new Entry<>(entry.name, entry.function, new Index()));
    }
    return new StoreIndex<>(empty);
  }

  /**
   * Returns these indices and some more. Both share the indices that are here already.
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
   * Returns what must be filed elsewhere when an object takes the place of another.
   *
   * @param old the object so far, null if there was none
   * @param now the object from now on, null if there will be none
   * @throws IllegalStateException if an index function fails
   */
  List<Move> plan(String key, @Nullable T old, @Nullable T now) {
    List<Move> moves = new ArrayList<>(0);
    for (Entry<T> entry : entries.values()) {
      List<String> from = entry.valuesOf(key, old);
      List<String> to = entry.valuesOf(key, now);
      if (!from.equals(to)) {
        moves.add(new Move(entry.index, key, from, to));
      }
    }
    return moves;
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

  /** Returns the values under which the index files such an object. */
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
