package dev.clientgo.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The layers of the files of one package: each file lies above the files that it uses. */
final class Layers {

  private final Map<String, Set<String>> uses = new HashMap<>();
  private final Map<String, Set<String>> reaches = new HashMap<>();
  private final Map<String, Integer> layers = new HashMap<>();

  /** Reads the uses among the classes of one package; a nested class belongs to its file. */
  Layers(List<JavaClass> types) {
    for (JavaClass type : types) {
      Set<String> used = uses.computeIfAbsent(file(type), file -> new HashSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().equals(type.getPackageName())) {
          used.add(file(target));
        }
      }
      if (type.reflect().isSealed()) { // It names its subclasses, which ArchUnit does not see.
        for (Class<?> permitted : type.reflect().getPermittedSubclasses()) {
          used.add(file(permitted.getName()));
        }
      }
    }
    uses.keySet().forEach(file -> reach(file, reaches.computeIfAbsent(file, f -> new HashSet<>())));
  }

  private void reach(String file, Set<String> reached) {
    for (String used : uses.getOrDefault(file, Set.of())) {
      if (reached.add(used)) {
        reach(used, reached);
      }
    }
  }

  /**
   * Returns the number of files on the longest way down. All files of a circle are on it: who reads
   * one of them must know the others.
   */
  int count() {
    return uses.keySet().stream().mapToInt(this::layer).max().orElse(0);
  }

  /** Returns the circles: sets of two or more files, each of which reaches all of them. */
  Set<Set<String>> circles() {
    Set<Set<String>> circles = new HashSet<>();
    reaches.forEach(
        (file, reached) -> {
          Set<String> circle = new TreeSet<>();
          for (String other : reached) {
            if (reaches.getOrDefault(other, Set.of()).contains(file)) {
              circle.add(other.substring(other.lastIndexOf('.') + 1));
            }
          }
          if (circle.size() > 1) {
            circles.add(circle);
          }
        });
    return circles;
  }

  private int layer(String file) {
    Integer known = layers.get(file);
    if (known != null) {
      return known;
    }
    int circle =
        1
            + (int)
                reaches.getOrDefault(file, Set.of()).stream()
                    .filter(used -> !used.equals(file))
                    .filter(used -> reaches.getOrDefault(used, Set.of()).contains(file))
                    .count();
    int below =
        reaches.getOrDefault(file, Set.of()).stream()
            .filter(used -> !reaches.getOrDefault(used, Set.of()).contains(file))
            .mapToInt(this::layer)
            .max()
            .orElse(0);
    layers.put(file, below + circle);
    return below + circle;
  }

  private static String file(JavaClass type) {
    return file(type.getName());
  }

  private static String file(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
