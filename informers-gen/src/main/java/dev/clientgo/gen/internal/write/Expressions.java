package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.model.ClassRef;
import dev.clientgo.gen.internal.model.Layout;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Text;

/** Returns how Java names, reads and writes values of a shape. */
final class Expressions {

  private final JavaFile file;
  private final TypeFile within;
  private final Layout layout;

  Expressions(JavaFile file, TypeFile within, Layout layout) {
    this.file = file;
    this.within = within;
    this.layout = layout;
  }

  /** Returns the type of a value. */
  String type(Shape shape) {
    if (shape instanceof Shape.Scalar scalar) {
      return file.ref(ClassRef.of(scalar.className));
    }
    if (shape instanceof Shape.ListOf list) {
      return file.library("List") + "<" + type(list.element()) + ">";
    }
    if (shape instanceof Shape.MapOf map) {
      return file.library("Map") + "<String, " + type(map.value()) + ">";
    }
    return file.ref(refOf(shape));
  }

  /** Returns the class of a struct, an enumeration, a named or a known type. */
  private ClassRef refOf(Shape shape) {
    if (shape instanceof Shape.Known known) {
      return ClassRef.of(known.className());
    }
    return requireNonNull(
        shape instanceof Shape.Named named ? layout.refOf(named.name()) : within.refOf(shape),
        shape::toString);
  }

  /** Returns whether a shape is a condition: it has a type, a status and the time of its change. */
  boolean isCondition(Shape shape) {
    return layout.isCondition(shape);
  }

  /** Returns the type of a member, which is null if absent. */
  String type(Member member) {
    String type = type(member.shape());
    // A type annotation stands before the last part of a qualified name.
    String raw = type.indexOf('<') < 0 ? type : type.substring(0, type.indexOf('<'));
    int dot = raw.lastIndexOf('.');
    return type.substring(0, dot + 1)
        + "@"
        + file.library("Nullable")
        + " "
        + type.substring(dot + 1);
  }

  /** Returns the type of a member to a reader. */
  String readType(Member member) {
    return isNeverNull(member) ? type(member.shape()) : type(member);
  }

  /** Returns whether a reader never gets null: a list, a map, or an object that may be expected. */
  boolean isNeverNull(Member member) {
    return member.isCollection() || (member.field().expected() && hasEmpty(member.shape()));
  }

  /** Returns whether the class of a shape has a constant {@code EMPTY}. */
  private boolean hasEmpty(Shape shape) {
    return shape instanceof Shape.Known known
        ? known.hasEmpty()
        : shape.isObject() && layout.hasEmpty(refOf(shape));
  }

  /** Returns the expression that a reader gets for a value of a member. */
  String present(Member member) {
    if (member.isCollection()) {
      return file.library("Immutable") + ".orEmpty(" + member.name() + ")";
    }
    return isNeverNull(member)
        ? "%1$s == null ? %2$s.EMPTY : %1$s".formatted(member.name(), type(member.shape()))
        : member.name();
  }

  /**
   * Returns the expression for what a constructor keeps: an unmodifiable copy of a list or map, and
   * null for what stands for an absent value. Empty if it keeps each value.
   */
  String kept(Member member, String value) {
    if (member.isCollection()) {
      String copy = member.shape() instanceof Shape.ListOf ? ".list(" : ".map(";
      return file.library("Immutable") + copy + value + ")";
    }
    // The check for null is first, so that no class needs a second class while it is initialised.
    return hasEmpty(member.shape())
        ? "%1$s == null || %1$s == %2$s.EMPTY ? null : %1$s".formatted(value, type(member.shape()))
        : "";
  }

  /** Returns the codec of a shape. */
  private String codec(Shape shape) {
    if (shape instanceof Shape.Scalar scalar) {
      return file.library("JsonCodecs") + "." + scalar.codec;
    }
    if (shape instanceof Shape.ListOf list) {
      return file.library("JsonCodecs") + ".list(" + codec(list.element()) + ")";
    }
    if (shape instanceof Shape.MapOf map) {
      return file.library("JsonCodecs") + ".map(" + codec(map.value()) + ")";
    }
    return type(shape) + ".CODEC";
  }

  /** Returns the expression that reads a value from {@code in}. */
  String read(Shape shape) {
    if (shape instanceof Shape.Scalar scalar) {
      return "in." + scalar.reader + "()";
    }
    if (shape instanceof Shape.ListOf list) {
      return list.element() == Shape.Scalar.STRING
          ? "in.nextStringList()"
          : "in.nextList(" + codec(list.element()) + ")";
    }
    if (shape instanceof Shape.MapOf map) {
      return map.value() == Shape.Scalar.STRING
          ? "in.nextStringMap()"
          : "in.nextMap(" + codec(map.value()) + ")";
    }
    // Objects such as probes, templates and terms repeat within a stream; the reader shares them.
    return shape instanceof Shape.Known
            || shape instanceof Shape.Enumeration
            || (shape instanceof Shape.Named named && named.enumeration())
        ? codec(shape) + ".read(in)"
        : "in.nextValue(" + codec(shape) + ")";
  }

  /** Returns the statement that writes a member of {@code value} to {@code out}. */
  String write(Member member) {
    Shape shape = member.shape();
    String name = Text.java(member.json());
    String value = "value." + member.name();
    if (shape instanceof Shape.Scalar) {
      return "out.field(" + name + ", " + value + ");";
    }
    if (shape instanceof Shape.ListOf list) {
      return list.element() == Shape.Scalar.STRING
          ? "out.stringListField(" + name + ", " + value + ");"
          : "out.listField(" + name + ", " + codec(list.element()) + ", " + value + ");";
    }
    if (shape instanceof Shape.MapOf map) {
      return map.value() == Shape.Scalar.STRING
          ? "out.stringMapField(" + name + ", " + value + ");"
          : "out.mapField(" + name + ", " + codec(map.value()) + ", " + value + ");";
    }
    return "out.field(" + name + ", " + codec(shape) + ", " + value + ");";
  }
}
