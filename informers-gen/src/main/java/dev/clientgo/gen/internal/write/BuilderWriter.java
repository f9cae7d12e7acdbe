package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Template;
import dev.clientgo.gen.internal.source.Text;
import java.util.List;

/** Writes the builder of an object. */
final class BuilderWriter {

  private final JavaFile file;
  private final Expressions types;
  private final ObjectClass type;

  BuilderWriter(JavaFile file, Expressions types, ObjectClass type) {
    this.file = file;
    this.types = types;
    this.type = type;
  }

  String write() {
    return file.template(
            """
            /** Builds a {@link ${class}}. Not safe for use by many threads. */
            public static final class Builder {

              ${fields}

              private Builder() {}

              private Builder(${class} value) {
                ${copies}
              }

              ${methods}

              /** Returns the value built. */
              public ${class} build() {
                return new ${class}(${arguments});
              }
            }
            """)
        .set("class", type.name())
        .lines("fields", type.members(), this::field)
        .lines("copies", type.members(), each -> "this.%1$s = value.%1$s;".formatted(each.name()))
        .blocks("methods", type.members(), this::methods)
        .set("arguments", type.isWide() ? "this" : type.arguments())
        .fill();
  }

  private String field(Member member) {
    String initial = member.isMetadata() ? " = " + types.absent(member) : "";
    return "private " + types.type(member) + " " + member.name() + initial + ";";
  }

  private String methods(Member member) {
    return template(
            member,
            """
            /** Sets ${what}. */
            public Builder ${name}(${declaredType} ${name}) {
              this.${name} = ${name};
              return this;
            }

            ${editors}
            """)
        .blocks(
            "editors",
            member.role() == Member.Role.UNKNOWN_FIELDS ? List.of() : editors(member),
            each -> each)
        .fill();
  }

  private List<String> editors(Member member) {
    if (member.shape() instanceof Shape.ListOf list) {
      return List.of(collectionEditor(member, "list"), elementEditor(member, list.element()));
    }
    if (member.shape() instanceof Shape.MapOf) {
      return List.of(collectionEditor(member, "map"));
    }
    return isEditable(member.shape()) ? List.of(editor(member)) : List.of();
  }

  private static boolean isEditable(Shape shape) {
    return shape instanceof Shape.Struct
        || (shape instanceof Shape.Named named && !named.enumeration())
        || (shape instanceof Shape.Known known && known.editable());
  }

  private String editor(Member member) {
    return template(
            member,
            """
            /** Edits ${what}${note}. */
            public Builder ${editor}(${Consumer}<${type}.Builder> edit) {
              ${type}.Builder builder = ${present};
              edit.accept(builder);
              this.${name} = builder.build();
              return this;
            }
            """)
        .set("editor", editorName(member))
        .set("note", member.isMetadata() ? "" : ", which begins empty if absent")
        .set("present", present(member))
        .fill();
  }

  private String present(Member member) {
    String present = "this." + member.name() + ".toBuilder()";
    return member.isMetadata()
        ? present
        : "this.%s == null ? %s.builder() : %s"
            .formatted(member.name(), types.type(member.shape()), present);
  }

  private String collectionEditor(Member member, String collection) {
    return template(
            member,
            """
            /** Edits ${what}, which begins empty if absent. */
            public Builder ${editor}(${Consumer}<${type}> edit) {
              this.${name} = ${Edits}.${collection}(this.${name}, edit);
              return this;
            }
            """)
        .set("editor", editorName(member))
        .set("collection", collection)
        .fill();
  }

  /** Returns a method that edits an element of a list by the field that tells elements apart. */
  private String elementEditor(Member member, Shape element) {
    String key = member.field().key();
    if (key == null || !isEditable(element) || !Identifiers.isPlain(key)) {
      return "";
    }
    boolean condition = key.equals("type") && types.isCondition(element);
    return template(
            member,
            """
            /** Edits the element of ${what} with this ${keyInJavadoc}, and adds it if absent.${note} */
            public Builder ${editor}(String ${key}, ${Consumer}<${element}.Builder> edit) {
              this.${name} =
                  ${Edits}.element(
                      this.${name},
                      each -> ${key}.equals(each.${key}()),
                      each -> {
                        ${element}.Builder builder = \
            each == null ? ${element}.builder().${key}(${key}) : each.toBuilder();
                        edit.accept(builder);
                        return ${built};
                      });
              return this;
            }
            """)
        .set("editor", editorName(member))
        .set("keyInJavadoc", Text.code(key))
        .set(
            "note",
            condition
                ? " If {@code status} changes and {@code edit} leaves {@code lastTransitionTime}"
                    + " unchanged, that is set to the current time."
                : "")
        .set("key", key)
        .set("element", types.type(element))
        .set("built", condition ? condition(types.type(element)) : "builder.build()")
        .fill();
  }

  private String condition(String element) {
    return file.template(
            """
            ${Edits}.condition(each, builder.build(), ${type}::status, ${type}::lastTransitionTime, \
            now -> builder.lastTransitionTime(now).build())
            """)
        .set("type", element)
        .fill();
  }

  /** Returns a template with the gaps that all methods of a member have. */
  private Template template(Member member, String text) {
    return file.template(text)
        .set("what", member.inJavadoc())
        .set("name", member.name())
        .set("type", types.type(member.shape()))
        .set("declaredType", types.type(member));
  }

  /**
   * Returns the name of the methods that take a function. It differs from the name of the setter,
   * so that {@code null} can only be an absent value.
   */
  private String editorName(Member member) {
    String capital = Character.toUpperCase(member.name().charAt(0)) + member.name().substring(1);
    List<String> taken = type.fields().stream().map(Member::name).toList();
    String editor = "edit" + capital;
    while (taken.contains(editor)) {
      editor += "_";
    }
    return editor;
  }
}
