package dev.clientgo.simulation.internal.state;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The names and the fields of objects that differ between two runs without faults, one with other
 * random numbers and at another time: no run must have the same values.
 */
public final class Varying {

  /** A name of which a part in the middle differs. */
  private record Name(String start, String end) {

    static Name of(String one, String other) {
      int start = 0;
      int shortest = Math.min(one.length(), other.length());
      while (start < shortest && one.charAt(start) == other.charAt(start)) {
        start++;
      }
      int end = 0;
      while (end < shortest - start
          && one.charAt(one.length() - 1 - end) == other.charAt(other.length() - 1 - end)) {
        end++;
      }
      return new Name(one.substring(0, start), one.substring(one.length() - end));
    }

    boolean matches(String name) {
      return name.length() > start.length() + end.length()
          && name.startsWith(start)
          && name.endsWith(end);
    }
  }

  private final List<Name> names = new ArrayList<>();

  /** The keys and the paths of fields. */
  private final Set<String> fields = new HashSet<>();

  /**
   * Compares the states after each step.
   *
   * @param toKey makes a key of a raw key, by what is known until then
   */
  void learn(
      List<Optional<Snapshot>> calm, List<Optional<Snapshot>> other, UnaryOperator<String> toKey) {
    for (int step = 0; step < Math.min(calm.size(), other.size()); step++) {
      Optional<Snapshot> one = calm.get(step);
      Optional<Snapshot> two = other.get(step);
      if (one.isPresent() && two.isPresent()) {
        compareNames(keys(one.get(), toKey), keys(two.get(), toKey));
        compareFields(objects(one.get(), toKey), objects(two.get(), toKey));
      }
    }
  }

  /** Returns a name with a star for the part that differs. */
  String name(String name) {
    return names.stream()
        .filter(one -> one.matches(name))
        .findFirst()
        .map(one -> one.start() + "*" + one.end())
        .orElse(name);
  }

  /** Returns whether a field of the objects of a key differs. */
  public boolean has(String key, String path) {
    return fields.contains(key + " " + path);
  }

  private void compareNames(Set<String> left, Set<String> right) {
    List<String> onlyLeft = left.stream().filter(key -> !right.contains(key)).toList();
    List<String> onlyRight = right.stream().filter(key -> !left.contains(key)).toList();
    if (onlyLeft.size() == onlyRight.size()) { // Else more than a name differs.
      for (int i = 0; i < onlyLeft.size(); i++) {
        int from = Snapshot.nameStart(onlyLeft.get(i));
        if (onlyRight.get(i).startsWith(onlyLeft.get(i).substring(0, from))) {
          Name name = Name.of(onlyLeft.get(i).substring(from), onlyRight.get(i).substring(from));
          if (!names.contains(name)) {
            names.add(name);
          }
        }
      }
    }
  }

  private static Set<String> keys(Snapshot snapshot, UnaryOperator<String> toKey) {
    return objects(snapshot, toKey).keySet();
  }

  private static Map<String, List<Unstructured>> objects(
      Snapshot snapshot, UnaryOperator<String> toKey) {
    return snapshot.grouped(toKey, (resource, object) -> object);
  }

  private void compareFields(
      Map<String, List<Unstructured>> one, Map<String, List<Unstructured>> two) {
    one.forEach(
        (key, left) -> {
          List<Unstructured> right = two.getOrDefault(key, List.of());
          for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
            compare(key, left.get(i).content(), right.get(i).content(), "");
          }
        });
  }

  private void compare(String key, @Nullable Object one, @Nullable Object two, String path) {
    if (one instanceof Map<?, ?> left && two instanceof Map<?, ?> right) {
      Set<Object> both = new LinkedHashSet<>(left.keySet());
      both.retainAll(right.keySet());
      both.forEach(
          name ->
              compare(
                  key,
                  left.get(name),
                  right.get(name),
                  path.isEmpty() ? String.valueOf(name) : path + "." + name));
    } else if (one instanceof List<?> left && two instanceof List<?> right) {
      for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
        compare(key, left.get(i), right.get(i), path);
      }
    } else if (!Objects.equals(one, two)) {
      fields.add(key + " " + path);
    }
  }
}
