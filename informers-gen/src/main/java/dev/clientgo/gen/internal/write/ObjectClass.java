package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.shape.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The class of an object, with its fields under their names in Java.
 *
 * @param fields the fields that the schema names
 * @param unknown the member for all other fields, null if the schema permits none
 * @param description what the schema says of it, null if it says nothing
 * @param resource the resource whose objects have this class, null if it is a part of others
 * @param reference the address of a page that describes it
 * @param hasEmpty whether it has a constant {@code EMPTY}, which stands for an absent one
 */
record ObjectClass(
    String name,
    List<Member> fields,
    @Nullable Member unknown,
    @Nullable String description,
    @Nullable Resource resource,
    @Nullable String reference,
    boolean hasEmpty) {

  static ObjectClass of(
      String name,
      Shape.Struct struct,
      @Nullable Resource resource,
      @Nullable String reference,
      boolean hasEmpty) {
    Map<String, String> names =
        Identifiers.members(struct.fields().stream().map(Shape.Field::name).toList());
    List<Member> fields = new ArrayList<>();
    for (Shape.Field field : struct.fields()) {
      fields.add(new Member(requireNonNull(names.get(field.name())), field, false));
    }
    String rest = "unknownFields";
    while (names.containsValue(rest)) {
      rest += "_";
    }
    return new ObjectClass(
        name,
        List.copyOf(fields),
        struct.open() ? Member.ofUnknownFields(rest) : null,
        struct.description(),
        resource,
        reference,
        hasEmpty);
  }

  /** Returns all members, that of the unknown fields last. */
  List<Member> members() {
    if (unknown == null) {
      return fields;
    }
    List<Member> all = new ArrayList<>(fields);
    all.add(unknown);
    return all;
  }

  /**
   * Returns the names of methods for the members, by the names of the members: {@code editSpec} for
   * {@code spec}. No method has the name of a member, so that a setter can only take a value.
   */
  Map<String, String> methods(String prefix) {
    Set<String> used = members().stream().map(Member::name).collect(Collectors.toSet());
    Map<String, String> methods = new HashMap<>();
    for (Member member : members()) {
      String name = member.name();
      String method = prefix + Character.toUpperCase(name.charAt(0)) + name.substring(1);
      while (!used.add(method)) {
        method += "_";
      }
      methods.put(name, method);
    }
    return methods;
  }

  /** Returns the names of all members, as arguments. */
  String arguments() {
    return String.join(", ", members().stream().map(Member::name).toList());
  }

  /** Returns whether it has more fields than a constructor may have parameters. */
  boolean isWide() {
    return fields.size() > TypeFile.MAX_COMPONENTS;
  }
}
