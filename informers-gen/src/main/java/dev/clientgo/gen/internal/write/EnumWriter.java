package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.shape.Shape;
import java.util.List;
import java.util.Map;

/** Writes the class of a string of which some values are known: an open enumeration. */
final class EnumWriter {

  private EnumWriter() {}

  /** Writes a class of its own. */
  static void writeTop(JavaFile file, String name, Shape.Enumeration shape) {
    javadoc(file, name);
    file.line("@" + file.ref("javax.annotation.processing.Generated") + "(\"dev.clientgo.gen\")");
    body(file, "public final class ", name, shape);
  }

  /** Writes a class within another. */
  static void write(JavaFile file, String name, Shape.Enumeration shape) {
    javadoc(file.blank(), name);
    body(file, "public static final class ", name, shape);
  }

  private static void javadoc(JavaFile file, String name) {
    file.javadoc(
        List.of(
            "The values of {@code "
                + Character.toLowerCase(name.charAt(0))
                + name.substring(1)
                + "}. A server may know others; they are kept."),
        List.of());
  }

  private static void body(JavaFile file, String modifiers, String name, Shape.Enumeration shape) {
    Map<String, String> constants = Identifiers.constants(shape.values());
    String base = file.ref("dev.clientgo.apimachinery.serializer.OpenEnum");
    String codec = file.ref("dev.clientgo.apimachinery.json.JsonCodec");
    file.open(modifiers + name + " extends " + base + " {");
    for (String value : shape.values()) {
      file.blank().javadoc("The value " + Text.code(value) + ".");
      file.assign(
          "public static final " + name + " " + constants.get(value) + " =",
          "new " + name,
          List.of(Text.java(value)));
    }
    file.blank().javadoc("Reads and writes this type.");
    file.line("public static final " + codec + "<" + name + "> CODEC = codec(" + name + "::of);");
    file.blank().open("private " + name + "(String value) {").line("super(value);").close("}");
    file.blank().javadoc("Returns a value: its constant, if it is a known one.");
    file.open("public static " + name + " of(String value) {").open("return switch (value) {");
    for (String value : shape.values()) {
      file.line("case " + Text.java(value) + " -> " + constants.get(value) + ";");
    }
    file.line("default -> new " + name + "(value);").close("};").close("}");
    file.close("}");
  }
}
