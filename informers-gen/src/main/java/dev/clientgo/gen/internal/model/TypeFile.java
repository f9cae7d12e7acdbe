package dev.clientgo.gen.internal.model;

import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.report.Report;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One named type with the types that occur only within it: one file of Java.
 *
 * <p>The types within have no names in the schema. Each gets the shortest tail of its path that is
 * still free, walking from the top: {@code spec.template} is {@code Template}, and a second {@code
 * template} further down {@code IngressTemplate}. Since they are nested in the class of the named
 * type, other types cannot clash with them or change their names.
 */
public final class TypeFile {

  /** A shape to which a class was given. */
  public record Nested(ClassRef ref, Shape shape) {}

  private record Step(Shape shape, List<String> path) {}

  /** Wider objects are not records; a constructor has at most 255 parameters. */
  public static final int MAX_COMPONENTS = 200;

  private final ClassRef ref;
  private final Shape root;
  private final @Nullable Resource resource;
  private final @Nullable String reference;
  private final Map<String, Nested> nested = new LinkedHashMap<>();

  /**
   * @param root an object, or a string of which some values are known
   * @param reference where the type is described
   */
  TypeFile(ClassRef ref, Shape root, @Nullable Resource resource, @Nullable String reference) {
    this.ref = ref;
    this.root = root;
    this.resource = resource;
    this.reference = reference;
  }

  public ClassRef ref() {
    return ref;
  }

  public Shape root() {
    return root;
  }

  /** Returns the resource whose objects have this type, if it is more than a part of others. */
  public @Nullable Resource resource() {
    return resource;
  }

  /** Returns the address of a page that describes the type. */
  public @Nullable String reference() {
    return reference;
  }

  /** Returns the classes within, in the order of their depth. */
  public List<Nested> nested() {
    return nested.values().stream()
        .filter(type -> type.ref().packageName().equals(ref.packageName()))
        .filter(type -> type.ref().top().equals(ref.name()))
        .toList();
  }

  /** Returns an entry for a report: the class of a resource, and what it holds. */
  Report.Generated describe(Resource of) {
    int fields = fields(root);
    for (Nested each : nested()) {
      fields += fields(each.shape());
    }
    return new Report.Generated(
        of.apiVersion(), of.kind(), ref.canonical(), 1 + nested().size(), fields);
  }

  private static int fields(Shape shape) {
    return shape instanceof Shape.Struct struct ? struct.fields().size() : 0;
  }

  /** Returns the class of a shape that has its class here. */
  public @Nullable ClassRef refOf(Shape shape) {
    Nested found = nested.get(shape.signature());
    return found == null ? null : found.ref();
  }

  /**
   * Gives names to the types within.
   *
   * @param elsewhere the types that other files have and that are used instead
   * @param reused receives each of them
   */
  void nameNested(
      Map<String, ClassRef> elsewhere, java.util.function.BiConsumer<Shape, ClassRef> reused) {
    Set<String> used = new HashSet<>();
    used.add(ref.simple().toLowerCase(Locale.ROOT));
    Map<String, Integer> counters = new HashMap<>();
    Deque<Step> queue = new ArrayDeque<>();
    if (root instanceof Shape.Struct struct) {
      enqueueFields(queue, struct, List.of());
    }
    while (!queue.isEmpty()) {
      Step step = queue.remove();
      Shape shape = step.shape();
      if (nested.containsKey(shape.signature())) {
        continue;
      }
      ClassRef other = elsewhere.get(shape.signature());
      if (other != null) {
        nested.put(shape.signature(), new Nested(other, shape));
        reused.accept(shape, other);
        continue;
      }
      ClassRef name = ref.nested(name(step.path(), used, counters));
      nested.put(shape.signature(), new Nested(name, shape));
      if (shape instanceof Shape.Struct struct) {
        enqueueFields(queue, struct, step.path());
      }
    }
  }

  private static void enqueueFields(Deque<Step> queue, Shape.Struct struct, List<String> path) {
    for (Shape.Field field : struct.fields()) {
      boolean many = false;
      Shape shape = field.shape();
      while (shape instanceof Shape.ListOf || shape instanceof Shape.MapOf) {
        many = true;
        shape = shape instanceof Shape.ListOf list ? list.element() : ((Shape.MapOf) shape).value();
      }
      if (shape instanceof Shape.Struct || shape instanceof Shape.Enumeration) {
        List<String> inner = new ArrayList<>(path);
        inner.add(Identifiers.type(many ? Identifiers.singular(field.name()) : field.name()));
        queue.add(new Step(shape, List.copyOf(inner)));
      }
    }
  }

  private static String name(List<String> path, Set<String> used, Map<String, Integer> counters) {
    for (int from = path.size() - 1; from >= Math.max(0, path.size() - 4); from--) {
      String name = String.join("", path.subList(from, path.size()));
      if (!Identifiers.isTakenType(name)
          && name.length() <= 80
          && used.add(name.toLowerCase(Locale.ROOT))) {
        return name;
      }
    }
    String last = path.get(path.size() - 1);
    String base = last.length() > 60 ? last.substring(0, 60) : last;
    while (true) {
      String name = base + counters.merge(base, 1, (count, one) -> count + 1);
      if (used.add(name.toLowerCase(Locale.ROOT)) && !Identifiers.isTakenType(name)) {
        return name;
      }
    }
  }
}
