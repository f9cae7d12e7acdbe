package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Text;
import java.util.Map;

/** Writes the class of a string of which some values are known: an open enumeration. */
final class EnumWriter {

  private EnumWriter() {}

  static String write(JavaFile file, String modifiers, String name, Shape.Enumeration shape) {
    Map<String, String> constants = Identifiers.constants(shape.values());
    return file.template(
            """
            /** The values of {@code ${field}} in the schema. Others that a server sends are kept. */
            ${modifiers} final class ${name} extends ${OpenEnum} {

              ${constants}

              /** Reads and writes this type. */
              public static final ${JsonCodec}<${name}> CODEC = codec(${name}::of);

              private ${name}(String value) {
                super(value);
              }

              /** Returns the constant of a known value, or a new object for another. */
              public static ${name} of(String value) {
                return switch (value) {
                  ${cases}
                  default -> new ${name}(value);
                };
              }
            }
            """)
        .set("modifiers", modifiers)
        .set("name", name)
        .set("field", Character.toLowerCase(name.charAt(0)) + name.substring(1))
        .blocks(
            "constants",
            shape.values(),
            value ->
                """
                /** The value %1$s. */
                public static final %2$s %3$s = new %2$s(%4$s);"""
                    .formatted(Text.code(value), name, constants.get(value), Text.java(value)))
        .lines(
            "cases",
            shape.values(),
            value -> "case " + Text.java(value) + " -> " + constants.get(value) + ";")
        .fill();
  }
}
