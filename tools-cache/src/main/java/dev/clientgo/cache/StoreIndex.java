package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.cache.internal.trie.HashTrie;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All indices of a store. A change returns other indices, which share most of their content with
 * these; one that throws has changed nothing.
 *
 * <p>Immutable. Corresponds to client-go's {@code storeIndex}.
 *
 * @param <T> the type of the objects
 */
final class StoreIndex<T> {

  private static final String NULL_VALUE =
      "a value of its list is null; use IndexFunction.ofNullable if objects may have no value";

  /**
   * An index.
   *
   * @param keysByValue the keys that the index files under each value: a set of keys, or a single
   *     key itself, which takes less memory. An index drops values without keys, so an index of
   *     short-lived objects does not grow.
   */
  private record Entry<T>(
      String name, IndexFunction<? super T> function, HashTrie<Object> keysByValue) {

    /** Calls the function; if it fails, the error names the index and the object. */
    List<String> valuesOf(String key, @Nullable T object) {
      if (object == null) {
        return List.of();
      }
      try {
        // List.copyOf refuses a null.
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

    /** Does the same; if the function fails, there are no values. */
    List<String> valuesOf(
        String key, @Nullable T object, Consumer<IllegalStateException> onFailure) {
      try {
        return valuesOf(key, object);
      } catch (IllegalStateException e) {
        onFailure.accept(e);
        return List.of();
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

    /** Returns the index of all objects. */
    Entry<T> filing(HashTrie<T> items) {
      Map<String, List<String>> filed = new HashMap<>();
      items.forEach(
          (key, object) -> {
            for (String value : valuesOf(key, object)) {
              List<String> keys = filed.computeIfAbsent(value, v -> new ArrayList<>(1));
              if (keys.isEmpty() || !keys.get(keys.size() - 1).equals(key)) {
                keys.add(key); // A function may return a value twice.
              }
            }
          });
      Map<String, Object> compact = new HashMap<>();
      filed.forEach(
          (value, keys) ->
              compact.put(value, keys.size() == 1 ? keys.get(0) : HashTrie.ofKeys(keys)));
      return new Entry<>(name, function, HashTrie.copyOf(compact));
    }

    /** Returns the index in which a key is filed under other values. */
    Entry<T> moving(String key, List<String> from, List<String> to) {
      HashTrie<Object> changed = keysByValue;
      for (String value : from) {
        changed = with(changed, value, keys(changed, value).without(key));
      }
      for (String value : to) {
        changed = with(changed, value, keys(changed, value).with(key, key));
      }
      return new Entry<>(name, function, changed);
    }

    private static HashTrie<Object> with(
        HashTrie<Object> byValue, String value, HashTrie<String> keys) {
      return switch (keys.size()) {
        case 0 -> byValue.without(value);
        case 1 -> byValue.with(value, keys.keys().get(0));
        default -> byValue.with(value, keys);
      };
    }

    HashTrie<String> keys(String value) {
      return keys(keysByValue, value);
    }

    @SuppressWarnings("unchecked") // It is null, a string, or a set of strings.
    private static HashTrie<String> keys(HashTrie<Object> byValue, String value) {
      Object keys = byValue.get(value);
      if (keys == null) {
        return HashTrie.empty();
      }
      return keys instanceof String key
          ? HashTrie.<String>empty().with(key, key)
          : (HashTrie<String>) keys;
    }
  }

  /** There are only a few. */
  private final List<Entry<T>> entries;

  private final Map<String, IndexFunction<? super T>> functions;

  private StoreIndex(List<Entry<T>> entries, Map<String, IndexFunction<? super T>> functions) {
    this.entries = entries;
    this.functions = functions;
  }

  /** Returns empty indices. */
  static <T> StoreIndex<T> of(Map<String, ? extends IndexFunction<? super T>> functions) {
    return filing(functions, HashTrie.empty());
  }

  /**
   * Returns the indices of all objects.
   *
   * @throws IllegalStateException if an index function fails
   */
  static <T> StoreIndex<T> filing(
      Map<String, ? extends IndexFunction<? super T>> functions, HashTrie<T> items) {
    List<Entry<T>> entries = new ArrayList<>();
    functions.forEach(
        (name, function) ->
            entries.add(new Entry<T>(name, function, HashTrie.empty()).filing(items)));
    return new StoreIndex<>(entries, Collections.unmodifiableMap(new LinkedHashMap<>(functions)));
  }

  /**
   * Checks that no index has one of the names.
   *
   * @throws IllegalArgumentException if a name is taken
   */
  void requireFree(Set<String> names) {
    Set<String> conflict = new TreeSet<>(functions.keySet());
    conflict.retainAll(names);
    if (!conflict.isEmpty()) {
      throw new IllegalArgumentException("indexer conflict: there already are " + conflict);
    }
  }

  /** Returns these indices together with others. */
  StoreIndex<T> and(StoreIndex<T> more) {
    List<Entry<T>> allEntries = new ArrayList<>(entries);
    allEntries.addAll(more.entries);
    Map<String, IndexFunction<? super T>> allFunctions = new LinkedHashMap<>(functions);
    allFunctions.putAll(more.functions);
    return new StoreIndex<>(allEntries, Collections.unmodifiableMap(allFunctions));
  }

  Map<String, IndexFunction<? super T>> functions() {
    return functions;
  }

  /**
   * Returns the indices after a change of one object.
   *
   * @param old the old state, null if the object is new
   * @param now the new state, null if the object is removed
   * @param onFailure called if an index function fails; if it returns, that index does not file the
   *     object
   */
  StoreIndex<T> with(
      String key, @Nullable T old, @Nullable T now, Consumer<IllegalStateException> onFailure) {
    List<Entry<T>> changed = entries;
    for (int i = 0; i < entries.size(); i++) {
      Entry<T> entry = entries.get(i);
      List<String> from = entry.valuesOf(key, old, onFailure);
      List<String> to = entry.valuesOf(key, now, onFailure);
      if (!from.equals(to)) {
        changed = changed == entries ? new ArrayList<>(entries) : changed;
        changed.set(i, entry.moving(key, from, to));
      }
    }
    return changed == entries ? this : new StoreIndex<>(changed, functions);
  }

  /** Returns the keys that the index files under the value. */
  HashTrie<String> keys(String name, String value) {
    return entry(name).keys(value);
  }

  /** Returns all values under which the index files an object. */
  List<String> values(String name) {
    return entry(name).keysByValue.keys();
  }

  /** Returns the values under which the index files the object. */
  List<String> values(String name, T object) {
    return List.copyOf(entry(name).function.indexValues(object));
  }

  private Entry<T> entry(String name) {
    for (Entry<T> entry : entries) {
      if (entry.name.equals(name)) {
        return entry;
      }
    }
    throw new IllegalArgumentException(
        "index with name \"%s\" does not exist, there are %s".formatted(name, functions.keySet()));
  }
}
