package dev.clientgo.crd;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Looks up paths such as {@code .spec.replicas} in the schema of a kind: a column or a subresource
 * of a path that does not exist is always empty, and no server reports that.
 */
record SchemaPaths(Map<String, Object> schema, Place place) {

  private static final Pattern SIMPLE = Pattern.compile("(\\.[A-Za-z0-9_-]+)+");

  /** Checks a path, unless it is more than names. */
  void check(String path, String of) {
    if (SIMPLE.matcher(path).matches() && !path.startsWith(".metadata.")) {
      find(path, of);
    }
  }

  /** Checks that a path leads to a value of a type. */
  void check(String path, String of, String below, String type) {
    if (!SIMPLE.matcher(path).matches() || !path.startsWith(below + ".")) {
      throw place.problem(of + " must be a path below " + below + ", not \"" + path + "\"");
    }
    Object found = find(path, of).get("type");
    if (found != null && !found.equals(type)) {
      throw place.problem(of + ", " + path + ", must be of the type " + type + ", not " + found);
    }
  }

  private Map<String, Object> find(String path, String of) {
    Map<String, Object> here = schema;
    for (String name : path.substring(1).split("\\.", -1)) {
      if (here.containsKey("additionalProperties") || here.containsKey(KnownTypes.PRESERVE)) {
        return Map.of();
      }
      Map<String, Object> properties = Markers.child(here, "properties");
      if (!properties.containsKey(name)) {
        throw place.problem(
            of
                + " has the path "
                + path
                + ", but there is no field "
                + name
                + "; the fields are "
                + List.copyOf(properties.keySet()));
      }
      here = Markers.child(properties, name);
    }
    return here;
  }
}
