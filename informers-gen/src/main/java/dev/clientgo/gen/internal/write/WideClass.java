package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the parts of a class that a record would have had by itself. */
final class WideClass {

  /** The type of the component that keeps what the schema does not name. */
  static final Shape UNKNOWN_FIELDS = new Shape.MapOf(Shape.Scalar.ANY);

  private WideClass() {}

  /** Writes the head of the class and its fields. */
  static void header(
      JavaFile file,
      Expressions types,
      String head,
      List<RecordWriter.Member> members,
      @Nullable String unknown,
      String implemented) {
    file.open(head + (implemented.isEmpty() ? "" : " " + implemented) + " {");
    file.blank();
    for (RecordWriter.Member member : members) {
      file.line("private final " + types.nullable(member.shape()) + " " + member.name() + ";");
    }
    if (unknown != null) {
      file.line("private final " + types.nullable(UNKNOWN_FIELDS) + " " + unknown + ";");
    }
  }

  /** Writes the constructor, the accessors, and equality by value. */
  static void members(
      JavaFile file,
      Expressions types,
      String name,
      List<RecordWriter.Member> members,
      @Nullable String unknown) {
    file.blank().open("private " + name + "(Builder builder) {");
    for (RecordWriter.Member member : members) {
      file.line("this." + member.name() + " = " + copy(file, member) + ";");
    }
    if (unknown != null) {
      String immutable = file.ref("dev.clientgo.apimachinery.json.Immutable");
      file.line("this." + unknown + " = " + immutable + ".map(builder." + unknown + ");");
    }
    file.close("}");
    for (RecordWriter.Member member : members) {
      file.blank().javadoc(List.of("Returns " + RecordWriter.fieldText(member)), List.of());
      accessor(file, types.nullable(member.shape()), member.name());
    }
    if (unknown != null) {
      file.blank().javadoc("Returns the fields that the schema does not name, kept as they are.");
      accessor(file, types.nullable(UNKNOWN_FIELDS), unknown);
    }
    equality(file, name, members, unknown);
  }

  private static String copy(JavaFile file, RecordWriter.Member member) {
    String value = "builder." + member.name();
    String immutable = "dev.clientgo.apimachinery.json.Immutable";
    if (member.shape() instanceof Shape.ListOf) {
      return file.ref(immutable) + ".list(" + value + ")";
    }
    return member.shape() instanceof Shape.MapOf
        ? file.ref(immutable) + ".map(" + value + ")"
        : value;
  }

  private static void accessor(JavaFile file, String type, String name) {
    file.open("public " + type + " " + name + "() {").line("return " + name + ";").close("}");
  }

  private static void equality(
      JavaFile file, String name, List<RecordWriter.Member> members, @Nullable String unknown) {
    List<String> names = new ArrayList<>(members.stream().map(RecordWriter.Member::name).toList());
    if (unknown != null) {
      names.add(unknown);
    }
    String arrays = file.ref("java.util.Arrays");
    String nullable = "@" + file.ref("org.jspecify.annotations.Nullable");
    file.blank().open("private " + nullable + " Object[] values() {");
    file.open("return new Object[] {");
    names.forEach(each -> file.line("this." + each + ","));
    file.close("};");
    file.close("}");
    file.blank().line("@Override").open("public boolean equals(" + nullable + " Object other) {");
    file.line(
        "return other instanceof "
            + name
            + " that && "
            + arrays
            + ".equals(values(), that.values());");
    file.close("}");
    file.blank().line("@Override").open("public int hashCode() {");
    file.line("return " + arrays + ".hashCode(values());").close("}");
    file.blank().line("@Override").open("public String toString() {");
    file.line("return " + Text.java(name) + " + " + arrays + ".toString(values());").close("}");
  }
}
