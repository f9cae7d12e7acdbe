package dev.clientgo.gen.internal.model;

import dev.clientgo.gen.internal.document.Node;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.shape.ShapeReader;
import dev.clientgo.gen.internal.shape.WellKnown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The structures that have a class already: the hand-written ones of api-machinery, and the
 * built-in types of Kubernetes. A CRD that repeats one reuses its class.
 *
 * <p>A structure is one of them if it has the same fields of the same types; an enumeration of a
 * built-in type also matches a plain string. Small structures may be equal by accident; they are
 * reused only within another that is reused.
 */
public final class CoreTypes {

  private static final String KUBERNETES = "dev.clientgo.kubernetes";
  private static final int MIN_FIELDS = 2;
  private static final int MIN_WEIGHT = 3;

  /**
   * A structure that has a class.
   *
   * @param name its name in a schema or, for those written by hand, that of its class
   * @param shape how another structure refers to it
   */
  private record Core(String name, Shape shape, Map<String, Shape> fields) {

    String simpleName() {
      return name.substring(name.lastIndexOf('.') + 1);
    }
  }

  private final Map<String, Core> byName = new HashMap<>();
  private final Map<String, Core> byClass = new HashMap<>();
  private final Map<Set<String>, List<Core>> byFields = new HashMap<>();

  /** The values of the named types that are strings. */
  private final Map<String, List<String>> values;

  private CoreTypes(List<Core> types, Map<String, List<String>> values) {
    this.values = values;
    for (Core core : types) {
      byName.put(core.name(), core);
      if (core.shape() instanceof Shape.Known known) {
        byClass.put(known.className(), core);
      }
      byFields.computeIfAbsent(core.fields().keySet(), key -> new ArrayList<>()).add(core);
    }
  }

  /** Returns no more than what api-machinery has. */
  static CoreTypes machinery() {
    return new CoreTypes(byHand(), Map.of());
  }

  /** Returns also the classes of the module {@code kubernetes}. */
  public static CoreTypes kubernetes() {
    Catalog catalog = BuiltInSchema.catalog();
    Set<String> expected = expected(catalog);
    return with(
        catalog,
        name ->
            new Shape.Known(
                KUBERNETES + "." + Identifiers.builtInClass(name), true, expected.contains(name)));
  }

  /**
   * Returns the types that readers may expect in some field: their classes have an {@code EMPTY}.
   */
  private static Set<String> expected(Catalog catalog) {
    ShapeReader reader = new ShapeReader(catalog::type, problem -> {});
    return catalog.reachableTypes().stream()
        .map(catalog::type)
        .filter(type -> type != null && type.get("properties") != null)
        .flatMap(type -> reader.fields(type, type.requireObject("properties")).stream())
        .filter(Shape.Field::expected)
        .map(field -> field.shape() instanceof Shape.Named named ? named.name() : "")
        .collect(Collectors.toSet());
  }

  /** Returns the built-in types too that this run generates. */
  static CoreTypes of(Catalog catalog) {
    return with(catalog, name -> new Shape.Named(name, false));
  }

  private static CoreTypes with(
      Catalog catalog, java.util.function.Function<String, Shape> reference) {
    ShapeReader reader = new ShapeReader(catalog::type, problem -> {});
    List<Core> types = new ArrayList<>(byHand());
    Map<String, List<String>> values = new HashMap<>();
    for (String name : catalog.reachableTypes()) {
      Node type = catalog.type(name);
      if (type != null && ShapeReader.isEnumeration(type)) {
        values.put(name, type.strings("enum"));
      }
      if (type != null && BuiltInSchema.contains(name) && isPart(type)) {
        types.add(new Core(name, reference.apply(name), fields(reader, type)));
      }
    }
    return new CoreTypes(types, values);
  }

  /** Returns whether a type is a structure within others, and no kind of object. */
  private static boolean isPart(Node type) {
    return type.get("properties") != null && type.get("x-kubernetes-group-version-kind") == null;
  }

  private static List<Core> byHand() {
    List<Core> types = new ArrayList<>();
    ShapeReader reader = new ShapeReader(name -> null, problem -> {});
    for (Node root : BuiltInSchema.machinery()) {
      root.fields()
          .forEach(
              (name, type) ->
                  types.add(new Core(name, WellKnown.ofClass(name), fields(reader, type))));
    }
    return types;
  }

  private static Map<String, Shape> fields(ShapeReader reader, Node type) {
    return reader.fields(type, type.requireObject("properties")).stream()
        .collect(Collectors.toMap(Shape.Field::name, Shape.Field::shape));
  }

  /** Returns the classes, by their names. */
  public Set<String> classNames() {
    return byClass.keySet();
  }

  /** Returns whether a shape refers to one of these that {@link #find} gives. */
  boolean contains(Shape shape) {
    return named(shape) != null;
  }

  /** Returns how to refer to the type of a name, null if it is none of these. */
  @Nullable Shape named(String name) {
    Core core = byName.get(name);
    return core == null ? null : core.shape();
  }

  /**
   * Returns what to use for a structure, null if it needs a separate class. Of several that are
   * equal, the one whose name the schema speaks of.
   */
  @Nullable Shape find(Shape.Struct struct) {
    if (struct.open() || struct.fields().size() < MIN_FIELDS || struct.weight() < MIN_WEIGHT) {
      return null;
    }
    Map<String, Shape> fields = fields(struct);
    Core best = null;
    int bestScore = -1;
    boolean unique = true;
    for (Core core : byFields.getOrDefault(fields.keySet(), List.of())) {
      if (equal(fields, core.fields())) {
        int score = score(core, struct);
        unique = score > bestScore || (unique && score < bestScore);
        if (score > bestScore) {
          best = core;
          bestScore = score;
        }
      }
    }
    return best == null || !unique ? null : best.shape();
  }

  private static Map<String, Shape> fields(Shape.Struct struct) {
    return struct.fields().stream()
        .collect(Collectors.toMap(Shape.Field::name, Shape.Field::shape));
  }

  /**
   * Returns how much the place and the description of a structure say that it is a certain type.
   * Types of which CRDs rarely have copies must be mentioned.
   */
  private static int score(Core core, Shape.Struct struct) {
    String description = struct.description();
    int score = description != null && description.contains(core.simpleName()) ? 100 : 0;
    String place = place(struct.source()).toLowerCase(Locale.ROOT);
    for (String word : core.simpleName().split("(?<=[a-z])(?=[A-Z])", -1)) {
      score += place.contains(word.toLowerCase(Locale.ROOT)) ? 4 : 0;
    }
    if (!core.name().startsWith("io.k8s.")) {
      return score + 2;
    }
    boolean common = core.name().startsWith("io.k8s.api.core.");
    return common ? score + 1 : score == 0 ? -1 : score;
  }

  /** Returns the names of the last two fields on the way to a schema. */
  private static String place(Node schema) {
    List<String> names = new ArrayList<>();
    List<Node> path = schema.pathFromTop();
    for (int i = 1; i < path.size(); i++) {
      if (path.get(i - 1).step().equals(".properties")) {
        names.add(path.get(i).name());
      }
    }
    return String.join(" ", names.subList(Math.max(0, names.size() - 2), names.size()));
  }

  private boolean equal(Map<String, Shape> fields, Map<String, Shape> core) {
    return fields.keySet().equals(core.keySet())
        && fields.entrySet().stream()
            .allMatch(field -> equal(field.getValue(), core.get(field.getKey())));
  }

  /** Returns whether values of a shape can be kept, and none of its types is lost, as another. */
  private boolean equal(Shape shape, @Nullable Shape core) {
    if (shape.equals(core)) {
      return true;
    }
    List<String> known = values(core);
    if (known != null) {
      return shape == Shape.Scalar.STRING
          || (shape instanceof Shape.Enumeration other && known.containsAll(other.values()));
    }
    if (shape instanceof Shape.ListOf list && core instanceof Shape.ListOf other) {
      return equal(list.element(), other.element());
    }
    if (shape instanceof Shape.MapOf map && core instanceof Shape.MapOf other) {
      return equal(map.value(), other.value());
    }
    Core same = named(shape);
    Core other = core == null ? null : named(core);
    if (same != null && other != null && same.name().equals(other.name())) {
      return true;
    }
    Map<String, Shape> fields = structure(shape);
    Map<String, Shape> others = core == null ? null : structure(core);
    return fields != null && others != null && equal(fields, others);
  }

  /** Returns the values of a string of which some are known, null for other shapes. */
  private @Nullable List<String> values(@Nullable Shape shape) {
    if (shape instanceof Shape.Named named) {
      return values.get(named.name());
    }
    return shape instanceof Shape.Enumeration enumeration ? enumeration.values() : null;
  }

  private @Nullable Map<String, Shape> structure(Shape shape) {
    if (shape instanceof Shape.Struct struct) {
      return struct.open() ? null : fields(struct);
    }
    Core core = named(shape);
    return core == null ? null : core.fields();
  }

  private @Nullable Core named(Shape shape) {
    if (shape instanceof Shape.Named named) {
      return byName.get(named.name());
    }
    return shape instanceof Shape.Known known ? byClass.get(known.className()) : null;
  }
}
