package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes the methods that read the members of an object: accessors that never return null for
 * lists, maps and objects that may be expected, and {@code find} for other objects.
 */
final class AccessorWriter {

  private final JavaFile file;
  private final Expressions types;
  private final ObjectClass type;
  private final Map<String, String> finders;

  AccessorWriter(JavaFile file, Expressions types, ObjectClass type) {
    this.file = file;
    this.types = types;
    this.type = type;
    this.finders = type.methods("find");
  }

  /** Returns the methods; without those that a record has by itself. */
  List<String> write() {
    List<String> methods = new ArrayList<>();
    for (Member member : type.members()) {
      if (type.isWide() || types.isNeverNull(member)) {
        methods.add(accessor(member));
      }
      if (member.shape().isObject() && !types.isNeverNull(member)) {
        methods.add(finder(member));
      }
    }
    return methods;
  }

  private String accessor(Member member) {
    boolean overrides =
        !type.isWide() || (type.resource() != null && member.json().equals("metadata"));
    return file.template(
            """
            /** Returns ${what}${note}. */
            ${override}
            public ${type} ${name}() {
              return ${value};
            }
            """)
        .set("what", type.isWide() ? description(member) : member.inJavadoc())
        .set("note", types.isNeverNull(member) ? "; never null, empty if absent" : "")
        .set("override", overrides ? "@Override" : "")
        .set("type", types.readType(member))
        .set("name", member.name())
        .set("value", types.present(member))
        .fill();
  }

  private static String description(Member member) {
    String text = member.description();
    return Text.endsSentence(text) ? text.substring(0, text.length() - 1) : text;
  }

  private String finder(Member member) {
    return file.template(
            """
            /** Returns ${what}, if present. */
            public ${Optional}<${type}> ${finder}() {
              return ${Optional}.ofNullable(${name});
            }
            """)
        .set("what", member.inJavadoc())
        .set("type", types.type(member.shape()))
        .set("finder", requireNonNull(finders.get(member.name())))
        .set("name", member.name())
        .fill();
  }
}
