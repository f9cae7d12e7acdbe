package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.shape.Shape;
import java.util.List;

/** How Java names, reads and writes values of a shape. */
final class Expressions {

  private static final String JSON = "dev.clientgo.apimachinery.json.";

  private final JavaFile file;
  private final TypeNames names;

  Expressions(JavaFile file, TypeNames names) {
    this.file = file;
    this.names = names;
  }

  /** Returns the type of a value. */
  String type(Shape shape) {
    if (shape instanceof Shape.Scalar scalar) {
      return file.ref(scalar.className);
    }
    if (shape instanceof Shape.ListOf list) {
      return file.ref("java.util.List") + "<" + type(list.element()) + ">";
    }
    if (shape instanceof Shape.MapOf map) {
      return file.ref("java.util.Map") + "<String, " + type(map.value()) + ">";
    }
    return file.ref(names.refOf(shape));
  }

  /** Returns whether a shape is a condition: it has a type, a status and the time of its change. */
  boolean isCondition(Shape shape) {
    return names.isCondition(shape);
  }

  /** Returns the type of a value that may be absent. */
  String nullable(Shape shape) {
    String type = type(shape);
    String annotation = "@" + file.ref("org.jspecify.annotations.Nullable") + " ";
    // A type annotation stands before the last part of a qualified name.
    String raw = type.indexOf('<') < 0 ? type : type.substring(0, type.indexOf('<'));
    int dot = raw.lastIndexOf('.');
    return type.substring(0, dot + 1) + annotation + type.substring(dot + 1);
  }

  /** Returns the expression that is the codec of a shape. */
  String codec(Shape shape) {
    if (shape instanceof Shape.Scalar scalar) {
      return file.ref(JSON + "JsonCodecs") + "." + scalar.codec;
    }
    if (shape instanceof Shape.ListOf list) {
      return file.ref(JSON + "JsonCodecs") + ".list(" + codec(list.element()) + ")";
    }
    if (shape instanceof Shape.MapOf map) {
      return file.ref(JSON + "JsonCodecs") + ".map(" + codec(map.value()) + ")";
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
    // What has a name of its own repeats within a stream: a probe, a template, a term.
    return shape instanceof Shape.Known
            || shape instanceof Shape.Enumeration
            || (shape instanceof Shape.Named named && named.enumeration())
        ? codec(shape) + ".read(in)"
        : "in.nextValue(" + codec(shape) + ")";
  }

  /** Writes the statement that writes a field to {@code out}, unless it is absent. */
  void write(String jsonName, Shape shape, String value) {
    String name = Text.java(jsonName);
    List<String> arguments;
    String method;
    if (shape instanceof Shape.Scalar) {
      method = "field";
      arguments = List.of(name, value);
    } else if (shape instanceof Shape.ListOf list) {
      boolean strings = list.element() == Shape.Scalar.STRING;
      method = strings ? "stringListField" : "listField";
      arguments = strings ? List.of(name, value) : List.of(name, codec(list.element()), value);
    } else if (shape instanceof Shape.MapOf map) {
      boolean strings = map.value() == Shape.Scalar.STRING;
      method = strings ? "stringMapField" : "mapField";
      arguments = strings ? List.of(name, value) : List.of(name, codec(map.value()), value);
    } else {
      method = "field";
      arguments = List.of(name, codec(shape), value);
    }
    file.call("out." + method, arguments, ";");
  }
}
