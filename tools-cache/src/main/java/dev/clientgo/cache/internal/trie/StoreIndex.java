package dev.clientgo.cache.internal.trie;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.Projection;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.clock.CrashLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All indices of a store. A change returns other indices, which share most of their content with
 * these; one that throws has changed nothing.
 *
 * <p>Immutable. Corresponds to client-go's {@code storeIndex}.
 *
 * @param <T> the type of the objects
 */
public final class StoreIndex<T> {

  private static final String NULL_VALUE =
      "a value of its list is null; use IndexFunction.ofNullable if objects may have no value";

  /**
   * An index. It holds the objects themselves, so that a reader looks up the value and no key. The
   * price is that each change of an object also changes its indices; docs/benchmarks/tools-cache.md
   * has both figures.
   *
   * @param objectsByValue the objects under each value: a {@link HashTrie} from their keys, or
   *     {@link Only} a single one, which takes less memory. An index drops values without objects,
   *     so an index of short-lived objects does not grow.
   */
  private record Entry<T>(
      String name, Function<? super T, List<String>> function, HashTrie<Object> objectsByValue) {

    /** A value's only object. */
    private record Only<T>(String key, T object) {}

    /** Calls the function; if it fails, the error names the index and the object. */
    List<String> valuesOf(String key, @Nullable T object) {
      if (object == null) {
        return List.of();
      }
      try {
        // List.copyOf refuses a null.
        return List.copyOf(
            requireNonNull(function.apply(object), "it returned null instead of a list"));
      } catch (OutOfMemoryError e) {
        throw e;
      } catch (RuntimeException | Error e) {
        // Other errors concern one object, too: the store accepts the others.
        throw new IllegalStateException(
            "the index function of \"%s\" failed on the object \"%s\"%s: %s"
                .formatted(
                    name, key, readWith(object), isNullValue(e) ? NULL_VALUE : CrashLog.text(e)),
            e);
      }
    }

    /** Describes which fields of an object were read, if not all: the function may need others. */
    private static String readWith(Object object) {
      Projection projection =
          object instanceof KubernetesObject api ? api.metadata().projection() : null;
      return projection == null ? "" : ", which was read with " + projection;
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
      Map<String, Map<String, T>> filed = new HashMap<>();
      items.forEach(
          (key, object) -> {
            for (String value : valuesOf(key, object)) {
              filed.computeIfAbsent(value, v -> new HashMap<>()).put(key, object);
            }
          });
      Map<String, Object> compact = new HashMap<>();
      filed.forEach((value, objects) -> compact.put(value, compact(TrieBuilder.copyOf(objects))));
      return new Entry<>(name, function, TrieBuilder.copyOf(compact));
    }

    private static <T> Object compact(HashTrie<T> objects) {
      return objects.size() > 1
          ? objects
          : new Only<>(objects.keys().get(0), objects.values().get(0));
    }

    /**
     * Returns the index after a change of one object.
     *
     * @param from the values of the old state
     * @param to the values of the new state
     */
    Entry<T> with(String key, List<String> from, List<String> to, @Nullable T object) {
      if (object != null && from.equals(to)) {
        HashTrie<Object> replaced = replaced(key, to, object);
        if (replaced != null) {
          return new Entry<>(name, function, replaced);
        }
      }
      HashTrie<Object> changed = objectsByValue;
      for (String value : from) {
        if (objects(changed, value).get(key) == null) {
          changed = withoutAnywhere(changed, key);
        } else if (!to.contains(value)) {
          changed = without(changed, value, key);
        }
      }
      if (object != null) {
        for (String value : to) {
          changed = with(changed, value, key, object);
        }
      }
      return new Entry<>(name, function, changed);
    }

    /**
     * Returns the index with another state of an object whose values have not changed, which is so
     * in most changes; null if the index does not file the object under them.
     */
    private @Nullable HashTrie<Object> replaced(String key, List<String> values, T object) {
      HashTrie<Object> changed = objectsByValue;
      for (String value : values) {
        Object now = replaced(changed.get(value), key, object);
        if (now == null) {
          return null;
        }
        changed = changed.with(value, now);
      }
      return changed;
    }

    /** Does the same for the objects under one value. */
    @SuppressWarnings("unchecked") // It is null, one object, or a map of objects.
    private static <T> @Nullable Object replaced(@Nullable Object present, String key, T object) {
      if (present == null || present instanceof Only<?>) {
        // The key stays, so that each change does not leave another copy of it.
        return present instanceof Only<?> only && only.key.equals(key)
            ? new Only<>(only.key, object)
            : null;
      }
      HashTrie<T> before = (HashTrie<T>) present;
      HashTrie<T> now = before.with(key, object);
      return now.size() == before.size() ? now : null;
    }

    private static <T> HashTrie<Object> with(
        HashTrie<Object> byValue, String value, String key, T object) {
      Object present = byValue.get(value);
      if (present == null || (present instanceof Only<?> only && only.key.equals(key))) {
        return byValue.with(value, new Only<>(key, object));
      }
      return byValue.with(value, Entry.<T>objects(byValue, value).with(key, object));
    }

    private static HashTrie<Object> without(HashTrie<Object> byValue, String value, String key) {
      HashTrie<Object> rest = objects(byValue, value).without(key);
      return rest.isEmpty() ? byValue.without(value) : byValue.with(value, compact(rest));
    }

    /** A function that is not pure gives other values now than those that file the object. */
    private static HashTrie<Object> withoutAnywhere(HashTrie<Object> byValue, String key) {
      HashTrie<Object> changed = byValue;
      for (String value : byValue.keys()) {
        if (objects(byValue, value).get(key) != null) {
          changed = without(changed, value, key);
        }
      }
      return changed;
    }

    HashTrie<T> objects(String value) {
      return objects(objectsByValue, value);
    }

    @SuppressWarnings("unchecked") // It is null, one object, or a map of objects.
    private static <T> HashTrie<T> objects(HashTrie<Object> byValue, String value) {
      Object present = byValue.get(value);
      if (present == null) {
        return HashTrie.empty();
      }
      return present instanceof Only<?> only
          ? HashTrie.<T>empty().with(only.key, (T) only.object)
          : (HashTrie<T>) present;
    }
  }

  /** There are only a few. */
  private final List<Entry<T>> entries;

  private StoreIndex(List<Entry<T>> entries) {
    this.entries = entries;
  }

  /** Returns no indices. */
  public static <T> StoreIndex<T> empty() {
    return new StoreIndex<>(List.of());
  }

  /**
   * Returns the indices of other objects.
   *
   * @throws IllegalStateException if an index function fails
   */
  public StoreIndex<T> filing(HashTrie<T> items) {
    List<Entry<T>> filed = new ArrayList<>(entries.size());
    entries.forEach(entry -> filed.add(entry.filing(items)));
    return new StoreIndex<>(filed);
  }

  /**
   * Returns these indices and one more, of all objects.
   *
   * @param function makes the values under which the index files an object
   * @throws IllegalStateException if the function fails
   */
  public StoreIndex<T> and(
      String name, Function<? super T, List<String>> function, HashTrie<T> items) {
    List<Entry<T>> more = new ArrayList<>(entries);
    more.add(new Entry<T>(name, function, HashTrie.empty()).filing(items));
    return new StoreIndex<>(more);
  }

  /**
   * Returns the indices after a change of one object.
   *
   * @param old the old state, null if the object is new
   * @param now the new state, null if the object is removed
   * @param onFailure called if an index function fails; if it returns, that index does not file the
   *     object
   */
  public StoreIndex<T> with(
      String key, @Nullable T old, @Nullable T now, Consumer<IllegalStateException> onFailure) {
    List<Entry<T>> changed = entries;
    for (int i = 0; i < entries.size(); i++) {
      Entry<T> entry = entries.get(i);
      List<String> from = entry.valuesOf(key, old, onFailure);
      List<String> to = entry.valuesOf(key, now, onFailure);
      if (!from.isEmpty() || !to.isEmpty()) {
        changed = changed == entries ? new ArrayList<>(entries) : changed;
        changed.set(i, entry.with(key, from, to, now));
      }
    }
    return changed == entries ? this : new StoreIndex<>(changed);
  }

  /** Returns the objects that the index files under the value, by their keys. */
  public HashTrie<T> objects(String name, String value) {
    return entry(name).objects(value);
  }

  /** Returns all values under which the index files an object. */
  public List<String> values(String name) {
    return entry(name).objectsByValue.keys();
  }

  /** Returns the values under which the index files the object. */
  public List<String> values(String name, T object) {
    return List.copyOf(entry(name).function.apply(object));
  }

  private Entry<T> entry(String name) {
    for (Entry<T> entry : entries) {
      if (entry.name.equals(name)) {
        return entry;
      }
    }
    throw new IllegalArgumentException(
        "index with name \"%s\" does not exist, there are %s"
            .formatted(name, entries.stream().map(Entry::name).toList()));
  }
}
