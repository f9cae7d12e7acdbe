package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Text;

/**
 * A component of a generated class.
 *
 * @param name its name in Java
 */
record Member(String name, Shape.Field field, Role role) {

  enum Role {
    FIELD,
    /** The metadata of an object, which alone is never absent. */
    METADATA,
    /** The fields that the schema does not name. */
    UNKNOWN_FIELDS
  }

  /** Returns a member that keeps the fields that the schema does not name. */
  static Member ofUnknownFields(String name) {
    String text = "the fields that the schema does not name, unchanged";
    Shape map = new Shape.MapOf(Shape.Scalar.ANY);
    return new Member(
        name, new Shape.Field("", map, false, text, null, null, null), Role.UNKNOWN_FIELDS);
  }

  Shape shape() {
    return field.shape();
  }

  String json() {
    return field.name();
  }

  boolean isMetadata() {
    return role == Role.METADATA;
  }

  /** Returns how Javadoc names it. */
  String inJavadoc() {
    return role == Role.UNKNOWN_FIELDS
        ? "the fields that the schema does not name"
        : Text.code(json());
  }

  boolean isDescribed() {
    return field.description() != null || field.note() != null;
  }

  /** Returns what is known about it, on one line of Javadoc. */
  String description() {
    StringBuilder text = new StringBuilder();
    if (field.description() != null) {
      text.append(String.join(" ", Text.paragraphs(field.description())));
    }
    if (text.isEmpty()) {
      text.append("the field ").append(Text.code(field.name()));
    }
    if (field.note() != null) {
      text.append(Text.endsSentence(text) ? " " : ". ");
      text.append("Default: ").append(Text.code(field.note())).append('.');
    }
    return text.toString();
  }

  boolean isCheckedAtConstruction() {
    return isMetadata() || shape() instanceof Shape.ListOf || shape() instanceof Shape.MapOf;
  }

  /** Returns a value as a constructor keeps it: lists and maps immutable, metadata not null. */
  String checked(JavaFile file, String value) {
    if (isMetadata()) {
      return file.library("Objects") + ".requireNonNull(" + value + ", \"metadata\")";
    }
    if (shape() instanceof Shape.ListOf) {
      return file.library("Immutable") + ".list(" + value + ")";
    }
    return shape() instanceof Shape.MapOf
        ? file.library("Immutable") + ".map(" + value + ")"
        : value;
  }
}
