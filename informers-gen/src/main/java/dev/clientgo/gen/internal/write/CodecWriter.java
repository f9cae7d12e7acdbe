package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.shape.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes the codec of an object. */
final class CodecWriter {

  private static final String JSON = "dev.clientgo.apimachinery.json.";

  /** The variables of the method that reads, which may not have the name of a member. */
  private static final Set<String> VARIABLES = Set.of("in", "field");

  private static final String TYPE_META = "dev.clientgo.apimachinery.meta.TypeMeta";

  private final JavaFile file;
  private final Expressions types;
  private final String name;
  private final List<RecordWriter.Member> members;
  private final @Nullable String unknown;
  private final @Nullable Resource resource;
  private final String in;
  private final String out;

  /** Whether the fields are read into variables; else, where that cannot be, into a builder. */
  private final boolean direct;

  CodecWriter(
      JavaFile file,
      Expressions types,
      String name,
      List<RecordWriter.Member> members,
      @Nullable String unknown,
      @Nullable Resource resource) {
    this.file = file;
    this.types = types;
    this.name = name;
    this.members = members;
    this.unknown = unknown;
    this.resource = resource;
    this.in = file.ref(JSON + "JsonReader");
    this.out = file.ref(JSON + "JsonWriter");
    this.direct =
        unknown == null
            && members.size() <= RecordWriter.CHUNK
            && members.stream().noneMatch(member -> VARIABLES.contains(member.name()));
  }

  void write() {
    file.blank();
    file.chain(
        "private static final class Codec",
        "implements " + file.ref(JSON + "JsonCodec") + "<" + name + "> {");
    file.indent();
    if (unknown == null) {
      fieldTable();
    }
    file.blank().line("@Override").open("public " + name + " read(" + in + " in) {");
    if (direct) {
      readDirectly();
    } else {
      readIntoBuilder();
    }
    file.close("}");
    boolean chunked = members.size() > RecordWriter.CHUNK;
    if (unknown == null && chunked) {
      readChunks();
    }
    writeMethod(chunked);
    file.close("}");
  }

  /** Returns the names of all fields of the JSON object, in the order of their indexes. */
  private List<String> jsonNames() {
    List<String> names = new ArrayList<>();
    if (resource != null) {
      names.add("apiVersion");
      names.add("kind");
    }
    members.forEach(member -> names.add(member.json()));
    return names;
  }

  private void fieldTable() {
    file.blank();
    String fields = protobuf();
    file.assign(
        "private static final " + file.ref(JSON + "FieldNames") + " FIELDS =",
        file.ref(JSON + "FieldNames") + ".of",
        jsonNames().stream().map(Text::java).toList(),
        fields == null ? "" : ".protobuf(" + Text.java(fields) + ")");
  }

  /** Returns what the fields are in protobuf; null if it is not known of all. */
  private @Nullable String protobuf() {
    List<String> fields = new ArrayList<>(resource == null ? List.of() : List.of("-", "-"));
    for (RecordWriter.Member member : members) {
      String field = member.field().protobuf();
      if (field == null) {
        return null;
      }
      fields.add(field + form(member.shape()));
    }
    return members.isEmpty() ? null : String.join(" ", fields);
  }

  /** Returns the letter for how protobuf writes a value, as {@code FieldNames.protobuf} has it. */
  private static String form(Shape shape) {
    if (shape instanceof Shape.ListOf list) {
      return form(list.element());
    }
    if (shape instanceof Shape.MapOf map) {
      return map.value() instanceof Shape.ListOf ? "s" : form(map.value());
    }
    return shape == WellKnown.TIME
        ? "t"
        : shape == WellKnown.MICRO_TIME
            ? "u"
            : shape == WellKnown.QUANTITY
                ? "q"
                : shape == WellKnown.INT_OR_STRING
                    ? "i"
                    : shape == WellKnown.BYTES ? "b" : shape == Shape.Scalar.ANY ? "r" : "";
  }

  private void readIntoBuilder() {
    file.line("Builder builder = new Builder();");
    if (unknown == null) {
      readByIndex();
    } else {
      readByName(unknown);
    }
    file.line("return builder.build();");
  }

  private void readDirectly() {
    for (RecordWriter.Member member : members) {
      String type = types.type(member.shape());
      String absent = RecordWriter.isMetadata(member, resource) ? type + ".EMPTY" : "null";
      file.line(type + " " + member.name() + " = " + absent + ";");
    }
    readByIndex();
    file.call("return new " + name, members.stream().map(RecordWriter.Member::name).toList(), ";");
  }

  private void readByIndex() {
    file.line("in.beginObject();");
    file.open("for (int field; (field = in.nextField(FIELDS)) != " + in + ".END; ) {");
    int count = jsonNames().size();
    if (members.size() > RecordWriter.CHUNK) {
      file.open("switch (field / " + RecordWriter.CHUNK + ") {");
      for (int chunk = 0; chunk * RecordWriter.CHUNK < count; chunk++) {
        file.line("case " + chunk + " -> read" + chunk + "(in, builder, field);");
      }
      endSwitch();
    } else {
      cases(0, count);
    }
    file.close("}");
  }

  private void readChunks() {
    int count = jsonNames().size();
    for (int chunk = 0; chunk * RecordWriter.CHUNK < count; chunk++) {
      file.blank();
      file.open(
          "private static void read" + chunk + "(" + in + " in, Builder builder, int field) {");
      cases(chunk * RecordWriter.CHUNK, Math.min(count, (chunk + 1) * RecordWriter.CHUNK));
      file.close("}");
    }
  }

  private void cases(int from, int to) {
    file.open("switch (field) {");
    int before = resource == null ? 0 : 2;
    for (int i = from; i < to; i++) {
      if (i < before) {
        file.line("case " + i + " -> " + expectType(i) + ";");
      } else {
        RecordWriter.Member member = members.get(i - before);
        file.chain(
            "case " + i + " ->",
            (direct ? "" : "builder.") + member.name() + " =",
            types.read(member.shape()) + ";");
      }
    }
    endSwitch();
  }

  private void endSwitch() {
    file.line("default -> throw new AssertionError(field);").close("}");
  }

  private String expectType(int index) {
    Resource type = java.util.Objects.requireNonNull(resource);
    return file.ref(TYPE_META)
        + (index == 0
            ? ".expectApiVersion(in, " + Text.java(type.apiVersion()) + ")"
            : ".expectKind(in, " + Text.java(type.kind()) + ")");
  }

  private void readByName(String unknownName) {
    String map = file.ref("java.util.Map") + "<String, " + file.ref(JSON + "RawJson") + ">";
    file.line(map + " unknown = new " + file.ref("java.util.LinkedHashMap") + "<>();");
    file.line("in.beginObject();");
    file.open("for (String name = in.nextName(); name != null; name = in.nextName()) {");
    file.open("switch (name) {");
    if (resource != null) {
      file.line("case \"apiVersion\" -> " + expectType(0) + ";");
      file.line("case \"kind\" -> " + expectType(1) + ";");
    }
    for (RecordWriter.Member member : members) {
      String absent =
          RecordWriter.isMetadata(member, resource)
              ? types.type(member.shape()) + ".EMPTY"
              : "null";
      file.conditional(
          "case " + Text.java(member.json()) + " ->",
          "builder." + member.name() + " =",
          "in.nextNull()",
          absent,
          types.read(member.shape()));
    }
    file.line("default -> unknown.put(name, in.nextRaw());").close("}");
    file.close("}");
    file.line("builder." + unknownName + " = unknown.isEmpty() ? null : unknown;");
  }

  private void writeMethod(boolean chunked) {
    file.blank().line("@Override").open("public void write(" + out + " out, " + name + " value) {");
    file.line("out.beginObject();");
    if (resource != null) {
      file.line("out.field(\"apiVersion\", value.apiVersion());");
      file.line("out.field(\"kind\", value.kind());");
    }
    int chunks = (members.size() + RecordWriter.CHUNK - 1) / RecordWriter.CHUNK;
    if (chunked) {
      for (int chunk = 0; chunk < chunks; chunk++) {
        file.line("write" + chunk + "(out, value);");
      }
    } else {
      members.forEach(this::writeField);
    }
    if (unknown != null) {
      writeUnknown("value." + unknown + "()");
    }
    file.line("out.endObject();").close("}");
    for (int chunk = 0; chunked && chunk < chunks; chunk++) {
      file.blank();
      file.open("private static void write" + chunk + "(" + out + " out, " + name + " value) {");
      members
          .subList(
              chunk * RecordWriter.CHUNK,
              Math.min(members.size(), (chunk + 1) * RecordWriter.CHUNK))
          .forEach(this::writeField);
      file.close("}");
    }
  }

  private void writeField(RecordWriter.Member member) {
    String value = "value." + member.name() + "()";
    if (RecordWriter.isMetadata(member, resource)) {
      String type = types.type(member.shape());
      String present = value + " == " + type + ".EMPTY ? null : " + value;
      file.call("out.field", List.of("\"metadata\"", type + ".CODEC", present), ";");
    } else {
      types.write(member.json(), member.shape(), value);
    }
  }

  private void writeUnknown(String value) {
    file.open("if (" + value + " != null) {");
    file.open("for (var unknown : " + value + ".entrySet()) {");
    file.line("out.name(unknown.getKey());");
    file.line("out.raw(unknown.getValue());");
    file.close("}").close("}");
  }
}
