package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The class of an object, with its fields under their names in Java.
 *
 * @param fields the fields that the schema names
 * @param unknown the member for all others, null if the schema permits none
 * @param description what the schema says of it, null if it says nothing
 * @param resource the resource whose objects have this class, null if it is a part of others
 * @param reference the address of a page that describes it
 */
record ObjectClass(
    String name,
    List<Member> fields,
    @Nullable Member unknown,
    @Nullable String description,
    @Nullable Resource resource,
    @Nullable String reference) {

  static ObjectClass of(
      String name, Shape.Struct struct, @Nullable Resource resource, @Nullable String reference) {
    Map<String, String> names =
        Identifiers.members(struct.fields().stream().map(Shape.Field::name).toList());
    List<Member> fields = new ArrayList<>();
    for (Shape.Field field : struct.fields()) {
      boolean metadata = resource != null && field.name().equals("metadata");
      fields.add(
          new Member(
              requireNonNull(names.get(field.name())),
              field,
              metadata ? Member.Role.METADATA : Member.Role.FIELD));
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
        reference);
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

  /** Returns the names of all members, as arguments. */
  String arguments() {
    return String.join(", ", members().stream().map(Member::name).toList());
  }

  /** Returns whether it has more fields than a constructor may have parameters. */
  boolean isWide() {
    return fields.size() > TypeFile.MAX_COMPONENTS;
  }
}
