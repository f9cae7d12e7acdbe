package dev.clientgo.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  /** Returns the number of files on the longest way down; a circle of files counts as one. */
  int count() {
    return uses.keySet().stream().mapToInt(this::layer).max().orElse(0);
  }

  private int layer(String file) {
    Integer known = layers.get(file);
    if (known != null) {
      return known;
    }
    int below =
        reaches.getOrDefault(file, Set.of()).stream()
            .filter(used -> !reaches.getOrDefault(used, Set.of()).contains(file))
            .mapToInt(this::layer)
            .max()
            .orElse(0);
    layers.put(file, below + 1);
    return below + 1;
  }

  private static String file(JavaClass type) {
    return file(type.getName());
  }

  private static String file(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
