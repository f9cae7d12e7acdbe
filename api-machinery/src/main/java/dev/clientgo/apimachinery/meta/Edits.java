package dev.clientgo.apimachinery.meta;

import dev.clientgo.apimachinery.json.Immutable;
import dev.clientgo.clock.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Edits of immutable lists and maps: a function changes a copy, which replaces them. */
public final class Edits {

  private Edits() {}

  /** Applies an edit to a builder, and returns the builder. */
  static <B> B apply(B builder, Consumer<B> edit) {
    edit.accept(builder);
    return builder;
  }

  /**
   * Returns a list changed by a function, which gets an empty list for an absent one. An absent
   * list that the function leaves empty stays absent.
   */
  public static <T> @Nullable List<T> list(@Nullable List<T> list, Consumer<List<T>> edit) {
    List<T> before = Immutable.orEmpty(list);
    List<T> copy = new ArrayList<>(before);
    edit.accept(copy);
    return copy.isEmpty() && Immutable.isAbsent(before) ? null : copy;
  }

  /** Returns a list with one more element; a new list for an absent one. */
  public static <T> List<T> add(@Nullable List<T> list, T element) {
    List<T> copy = new ArrayList<>(Immutable.orEmpty(list));
    copy.add(element);
    return copy;
  }

  /**
   * Returns a list in which a function has changed the first element that meets a condition. If
   * there is none, the function gets null, and its result is added at the end.
   */
  public static <T> List<T> element(
      @Nullable List<T> list, Predicate<T> condition, Function<@Nullable T, T> edit) {
    List<T> copy = new ArrayList<>(Immutable.orEmpty(list));
    for (int i = 0; i < copy.size(); i++) {
      if (condition.test(copy.get(i))) {
        copy.set(i, edit.apply(copy.get(i)));
        return copy;
      }
    }
    copy.add(edit.apply(null));
    return copy;
  }

  /**
   * Returns an edited condition. If the edit has changed the status but not the time of the last
   * transition, that time becomes the current time.
   *
   * @param before the condition before the edit; null for a new one
   * @param after the condition after the edit
   * @param stamped returns the edited condition with the given time
   */
  public static <T> T condition(
      @Nullable T before,
      T after,
      Function<T, ? extends @Nullable Object> status,
      Function<T, @Nullable Time> lastTransitionTime,
      Function<Time, T> stamped) {
    boolean sameStatus =
        before != null && Objects.equals(status.apply(before), status.apply(after));
    @Nullable Time time = before == null ? null : lastTransitionTime.apply(before);
    return sameStatus || !Objects.equals(time, lastTransitionTime.apply(after))
        ? after
        : stamped.apply(Time.now(Clock.system()));
  }

  /**
   * Returns a map changed by a function, which gets an empty map for an absent one. An absent map
   * that the function leaves empty stays absent.
   */
  public static <V> @Nullable Map<String, V> map(
      @Nullable Map<String, V> map, Consumer<Map<String, V>> edit) {
    Map<String, V> before = Immutable.orEmpty(map);
    Map<String, V> copy = new LinkedHashMap<>(before);
    edit.accept(copy);
    return copy.isEmpty() && Immutable.isAbsent(before) ? null : copy;
  }

  /** Returns a map with one more value; a new map for an absent one. */
  public static <V> Map<String, V> put(@Nullable Map<String, V> map, String key, V value) {
    Map<String, V> copy = new LinkedHashMap<>(Immutable.orEmpty(map));
    copy.put(key, value);
    return copy;
  }
}
