package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.source.Text;

/**
 * A component of a generated class.
 *
 * @param name its name in Java
 * @param isUnknownFields whether it has the fields that the schema does not name
 */
record Member(String name, Shape.Field field, boolean isUnknownFields) {

  /** Returns a member that keeps the fields that the schema does not name. */
  static Member ofUnknownFields(String name) {
    String text = "the fields that the schema does not name, unchanged";
    Shape map = new Shape.MapOf(Shape.Scalar.ANY);
    return new Member(name, new Shape.Field("", map, false, text, null, null, null), true);
  }

  Shape shape() {
    return field.shape();
  }

  String json() {
    return field.name();
  }

  /** Returns how Javadoc names it. */
  String inJavadoc() {
    return isUnknownFields ? "the fields that the schema does not name" : Text.code(json());
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

  boolean isCollection() {
    return shape() instanceof Shape.ListOf || shape() instanceof Shape.MapOf;
  }
}
