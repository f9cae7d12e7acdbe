package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the builder of an object. */
final class BuilderWriter {

  private static final String EDITS = "dev.clientgo.apimachinery.meta.Edits";

  private final JavaFile file;
  private final Expressions types;
  private final String name;
  private final List<RecordWriter.Member> members;
  private final @Nullable String unknown;
  private final boolean wide;
  private final @Nullable Resource resource;

  BuilderWriter(
      JavaFile file,
      Expressions types,
      String name,
      List<RecordWriter.Member> members,
      @Nullable String unknown,
      boolean wide,
      @Nullable Resource resource) {
    this.file = file;
    this.types = types;
    this.name = name;
    this.members = members;
    this.unknown = unknown;
    this.wide = wide;
    this.resource = resource;
  }

  void write() {
    file.blank().javadoc("Builds a {@link " + name + "}. Not safe for use by many threads.");
    file.open("public static final class Builder {").blank();
    for (RecordWriter.Member member : members) {
      String type = RecordWriter.componentType(types, member, resource);
      String initial =
          RecordWriter.isMetadata(member, resource)
              ? " = " + types.type(member.shape()) + ".EMPTY"
              : "";
      file.line("private " + type + " " + member.name() + initial + ";");
    }
    if (unknown != null) {
      file.line("private " + types.nullable(WideClass.UNKNOWN_FIELDS) + " " + unknown + ";");
    }
    file.blank().line("private Builder() {}");
    copyConstructor();
    for (RecordWriter.Member member : members) {
      setter(member);
      if (member.shape() instanceof Shape.ListOf list) {
        collectionEdit(
            member, "list", file.ref("java.util.List") + "<" + types.type(list.element()) + ">");
        elementEdit(member, list.element());
      } else if (member.shape() instanceof Shape.MapOf map) {
        collectionEdit(
            member, "map", file.ref("java.util.Map") + "<String, " + types.type(map.value()) + ">");
      } else if (isEditable(member.shape())) {
        edit(member);
      }
    }
    if (unknown != null) {
      unknownSetter(unknown);
    }
    build();
    file.close("}");
  }

  private void copyConstructor() {
    file.blank().open("private Builder(" + name + " value) {");
    members.forEach(m -> file.line("this." + m.name() + " = value." + m.name() + ";"));
    if (unknown != null) {
      file.line("this." + unknown + " = value." + unknown + ";");
    }
    file.close("}");
  }

  private void setter(RecordWriter.Member member) {
    String type = RecordWriter.componentType(types, member, resource);
    file.blank().javadoc("Sets " + Text.code(member.json()) + ".");
    file.call("public Builder " + member.name(), List.of(type + " " + member.name()), " {");
    file.indent().line("this." + member.name() + " = " + member.name() + ";");
    file.line("return this;").close("}");
  }

  private void unknownSetter(String unknownName) {
    file.blank().javadoc("Sets the fields that the schema does not name.");
    file.call(
        "public Builder " + unknownName,
        List.of(types.nullable(WideClass.UNKNOWN_FIELDS) + " " + unknownName),
        " {");
    file.indent().line("this." + unknownName + " = " + unknownName + ";");
    file.line("return this;").close("}");
  }

  private static boolean isEditable(Shape shape) {
    return shape instanceof Shape.Struct
        || (shape instanceof Shape.Named named && !named.enumeration())
        || (shape instanceof Shape.Known known && known.editable());
  }

  /**
   * Returns the name of the methods that take a function. It is another than that of the method
   * that takes the value, so that {@code null} can only be a value, an absent one.
   */
  private String editor(RecordWriter.Member member) {
    String capital = Character.toUpperCase(member.name().charAt(0)) + member.name().substring(1);
    List<String> taken = members.stream().map(RecordWriter.Member::name).toList();
    String editor = "edit" + capital;
    while (taken.contains(editor)) {
      editor += "_";
    }
    return editor;
  }

  private void edit(RecordWriter.Member member) {
    String type = types.type(member.shape());
    String consumer = file.ref("java.util.function.Consumer");
    boolean metadata = RecordWriter.isMetadata(member, resource);
    file.blank()
        .javadoc(
            metadata
                ? "Edits {@code metadata}."
                : "Edits " + Text.code(member.json()) + ", which begins empty if absent.");
    file.call(
        "public Builder " + editor(member),
        List.of(consumer + "<" + type + ".Builder> edit"),
        " {");
    file.indent();
    String field = "this." + member.name();
    String present = metadata ? field + ".toBuilder();" : null;
    if (present != null) {
      file.line(type + ".Builder builder = " + present);
    } else {
      file.conditional(
          type + ".Builder builder =",
          field + " == null",
          type + ".builder()",
          field + ".toBuilder()");
    }
    file.line("edit.accept(builder);").line(field + " = builder.build();");
    file.line("return this;").close("}");
  }

  private void collectionEdit(RecordWriter.Member member, String method, String type) {
    String consumer = file.ref("java.util.function.Consumer");
    file.blank().javadoc("Edits " + Text.code(member.json()) + ", which begins empty if absent.");
    file.call("public Builder " + editor(member), List.of(consumer + "<" + type + "> edit"), " {");
    file.indent();
    file.assign(
        "this." + member.name() + " =",
        file.ref(EDITS) + "." + method,
        List.of("this." + member.name(), "edit"));
    file.line("return this;").close("}");
  }

  /** Elements that a field tells apart can be edited by it, and need no search. */
  private void elementEdit(RecordWriter.Member member, Shape element) {
    String key = member.field().key();
    if (key == null || !isEditable(element) || !Identifiers.isPlain(key)) {
      return;
    }
    boolean condition = key.equals("type") && types.isCondition(element);
    String type = types.type(element);
    String consumer = file.ref("java.util.function.Consumer");
    file.blank()
        .javadoc(
            "Edits the one of "
                + Text.code(member.json())
                + " with that "
                + Text.code(key)
                + ", which is added if absent."
                + (condition
                    ? " If its {@code status} changes and the function leaves {@code"
                        + " lastTransitionTime} as it is, that becomes the time now."
                    : ""));
    file.call(
        "public Builder " + editor(member),
        List.of("String " + key, consumer + "<" + type + ".Builder> edit"),
        " {");
    file.indent();
    file.line("this." + member.name() + " =").indent().indent();
    file.line(file.ref(EDITS) + ".element(").indent().indent();
    file.line("this." + member.name() + ",");
    file.line("each -> " + key + ".equals(each." + key + "()),");
    file.open("each -> {");
    file.conditional(
        type + ".Builder builder =",
        "each == null",
        type + ".builder()." + key + "(" + key + ")",
        "each.toBuilder()");
    file.line("edit.accept(builder);");
    if (condition) {
      file.call(
          "return " + file.ref(EDITS) + ".condition",
          List.of(
              "each",
              "builder.build()",
              type + "::status",
              type + "::lastTransitionTime",
              "now -> builder.lastTransitionTime(now).build()"),
          ";");
    } else {
      file.line("return builder.build();");
    }
    file.close("});").outdent(8).line("return this;").close("}");
  }

  private void build() {
    file.blank().javadoc("Returns the value built.");
    file.open("public " + name + " build() {");
    if (wide) {
      file.line("return new " + name + "(this);");
    } else {
      List<String> arguments =
          new ArrayList<>(members.stream().map(RecordWriter.Member::name).toList());
      if (unknown != null) {
        arguments.add(unknown);
      }
      file.call("return new " + name, arguments, ";");
    }
    file.close("}");
  }
}
