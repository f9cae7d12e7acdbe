package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Template;
import dev.clientgo.gen.internal.source.Text;
import java.util.List;
import java.util.Map;

/** Writes the builder of an object. */
final class BuilderWriter {

  private final JavaFile file;
  private final Expressions types;
  private final ObjectClass type;
  private final Map<String, String> editors;
  private final Map<String, String> adders;
  private final Map<String, String> putters;

  BuilderWriter(JavaFile file, Expressions types, ObjectClass type) {
    this.file = file;
    this.types = types;
    this.type = type;
    this.editors = type.methods("edit");
    this.adders = type.methods("add");
    this.putters = type.methods("put");
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
    return "private " + types.type(member) + " " + member.name() + ";";
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
        .blocks("editors", member.isUnknownFields() ? List.of() : editors(member), each -> each)
        .fill();
  }

  private List<String> editors(Member member) {
    if (member.shape() instanceof Shape.ListOf list) {
      return List.of(
          adder(member, list.element()),
          collectionEditor(member, "list"),
          elementEditor(member, list.element()));
    }
    if (member.shape() instanceof Shape.MapOf map) {
      return List.of(putter(member, map.value()), collectionEditor(member, "map"));
    }
    return member.shape().isObject() ? List.of(editor(member)) : List.of();
  }

  /** Returns a method that adds an element to a list. */
  private String adder(Member member, Shape element) {
    return !element.isObject()
        ? ""
        : template(
                member,
                """
                /** Adds an element to ${what}, whose fields {@code fill} sets. */
                public Builder ${adder}(${Consumer}<${element}.Builder> fill) {
                  ${element}.Builder builder = ${element}.builder();
                  fill.accept(builder);
                  this.${name} = ${Edits}.add(this.${name}, builder.build());
                  return this;
                }
                """)
            .set("adder", requireNonNull(adders.get(member.name())))
            .set("element", types.type(element))
            .fill();
  }

  /** Returns a method that puts a value into a map. */
  private String putter(Member member, Shape value) {
    return !value.isObject()
        ? ""
        : template(
                member,
                """
                /** Puts a value into ${what}, whose fields {@code fill} sets. */
                public Builder ${putter}(String key, ${Consumer}<${element}.Builder> fill) {
                  ${element}.Builder builder = ${element}.builder();
                  fill.accept(builder);
                  this.${name} = ${Edits}.put(this.${name}, key, builder.build());
                  return this;
                }
                """)
            .set("putter", requireNonNull(putters.get(member.name())))
            .set("element", types.type(value))
            .fill();
  }

  private String editor(Member member) {
    return template(
            member,
            """
            /** Edits ${what}, which begins empty if absent. */
            public Builder ${editor}(${Consumer}<${type}.Builder> edit) {
              ${type}.Builder builder = \
            this.${name} == null ? ${type}.builder() : this.${name}.toBuilder();
              edit.accept(builder);
              this.${name} = builder.build();
              return this;
            }
            """)
        .set("editor", requireNonNull(editors.get(member.name())))
        .fill();
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
        .set("editor", requireNonNull(editors.get(member.name())))
        .set("collection", collection)
        .fill();
  }

  /** Returns a method that edits an element of a list by the field that identifies elements. */
  private String elementEditor(Member member, Shape element) {
    String key = member.field().key();
    if (key == null || !element.isObject() || !Identifiers.isPlain(key)) {
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
        .set("editor", requireNonNull(editors.get(member.name())))
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
}
