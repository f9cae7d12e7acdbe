package dev.clientgo.gen.internal.shape;

import dev.clientgo.gen.internal.document.Node;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hand-written classes that stand for parts of schemas, by their place: {@code
 * Issuer.spec.acme}, and {@code Issuer.spec.solvers[]} for what is in a list or map.
 */
public final class MappedClasses {

  private final Map<String, String> classes;
  private final Set<String> used = new LinkedHashSet<>();

  public MappedClasses(Map<String, String> classes) {
    this.classes = Map.copyOf(classes);
  }

  /** Returns the class for a schema, if there is one. */
  @Nullable String of(Node schema) {
    if (classes.isEmpty()) {
      return null;
    }
    String place = place(schema.pathFromTop());
    String className = place == null ? null : classes.get(place);
    if (className != null) {
      used.add(place);
    }
    return className;
  }

  /** Returns the places that no schema had, sorted. */
  public List<String> unused() {
    return classes.keySet().stream().filter(place -> !used.contains(place)).sorted().toList();
  }

  /** Returns the place of a schema, given it and the nodes around it from the top. */
  private static @Nullable String place(List<Node> path) {
    for (int i = 0; i < path.size(); i++) {
      String step = path.get(i).step();
      if (step.equals(".openAPIV3Schema")) {
        return fields(kind(path), path.subList(i + 1, path.size()));
      }
      boolean types = step.equals(".schemas") || step.equals(".types");
      if (types && i + 1 < path.size()) {
        String type = path.get(i + 1).name();
        String simple = type.substring(type.lastIndexOf('.') + 1);
        return fields(simple, path.subList(i + 2, path.size()));
      }
    }
    return null;
  }

  private static String kind(List<Node> path) {
    for (Node node : path) {
      Node kind = node.at("spec", "names", "kind");
      if (kind != null) {
        return kind.text();
      }
    }
    return "";
  }

  private static String fields(String kind, List<Node> path) {
    StringBuilder place = new StringBuilder(kind);
    List<Node> rest = new ArrayList<>(path);
    while (!rest.isEmpty()) {
      String keyword = rest.remove(0).step();
      if (keyword.equals(".properties") && !rest.isEmpty()) {
        place.append('.').append(rest.remove(0).name());
      } else if (keyword.equals(".items") || keyword.equals(".additionalProperties")) {
        place.append("[]");
      }
    }
    return place.toString();
  }
}
