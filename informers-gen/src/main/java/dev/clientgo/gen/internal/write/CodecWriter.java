package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.shape.Shape;
import dev.clientgo.gen.internal.shape.WellKnown;
import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes the codec of an object. */
final class CodecWriter {

  /** The variables of the method that reads, which may not have the name of a member. */
  private static final Set<String> VARIABLES = Set.of("in", "field");

  /** How {@code FieldNames.protobuf} marks the fields that are more than a scalar or a message. */
  private static final Map<Shape, String> PROTOBUF_FORMS =
      Map.of(
          WellKnown.TIME, "t",
          WellKnown.MICRO_TIME, "u",
          WellKnown.QUANTITY, "q",
          WellKnown.INT_OR_STRING, "i",
          WellKnown.BYTES, "b",
          Shape.Scalar.ANY, "r");

  private final JavaFile file;
  private final Expressions types;
  private final ObjectClass type;

  /** Whether the fields are read into variables; else, where that cannot be, into a builder. */
  private final boolean direct;

  CodecWriter(JavaFile file, Expressions types, ObjectClass type) {
    this.file = file;
    this.types = types;
    this.type = type;
    this.direct =
        type.unknown() == null
            && !type.isWide()
            && type.fields().stream().noneMatch(member -> VARIABLES.contains(member.name()));
  }

  String write() {
    Member unknown = type.unknown();
    return file.template(
            """
            private static final class Codec implements ${JsonCodec}<${class}> {

              ${fieldNames}

              @Override
              public ${class} read(${JsonReader} in) {
                ${read}
              }

              @Override
              public void write(${JsonWriter} out, ${class} value) {
                out.beginObject();
                ${typeFields}
                ${fields}
                ${unknownFields}
                out.endObject();
              }
            }
            """)
        .set("class", type.name())
        .set("fieldNames", unknown == null ? fieldNames() : "")
        .set("read", unknown == null ? readByIndex() : readByName(unknown))
        .lines(
            "typeFields",
            type.resource() == null ? List.of() : List.of("apiVersion", "kind"),
            each -> "out.field(\"%1$s\", value.%1$s());".formatted(each))
        .lines("fields", type.fields(), types::write)
        .set("unknownFields", unknown == null ? "" : writeUnknown(unknown))
        .fill();
  }

  /** Returns the names of all fields of the JSON object, in the order of their indexes. */
  private List<String> names() {
    List<String> names = new ArrayList<>();
    if (type.resource() != null) {
      names.add("apiVersion");
      names.add("kind");
    }
    type.fields().forEach(member -> names.add(member.json()));
    return names;
  }

  private String fieldNames() {
    String fields = protobuf();
    return file.template(
            """
            private static final ${FieldNames} FIELDS = ${FieldNames}.of(${names})${protobuf};
            """)
        .set("names", String.join(", ", names().stream().map(Text::java).toList()))
        .set("protobuf", fields == null ? "" : ".protobuf(" + Text.java(fields) + ")")
        .fill();
  }

  /** Returns what the fields are in protobuf; null if it is not known of all. */
  private @Nullable String protobuf() {
    List<String> fields = new ArrayList<>(type.resource() == null ? List.of() : List.of("-", "-"));
    for (Member member : type.fields()) {
      String field = member.field().protobuf();
      if (field == null) {
        return null;
      }
      fields.add(field + form(member.shape()));
    }
    return type.fields().isEmpty() ? null : String.join(" ", fields);
  }

  private static String form(Shape shape) {
    if (shape instanceof Shape.ListOf list) {
      return form(list.element());
    }
    if (shape instanceof Shape.MapOf map) {
      return map.value() instanceof Shape.ListOf ? "s" : form(map.value());
    }
    return PROTOBUF_FORMS.getOrDefault(shape, "");
  }

  private String readByIndex() {
    return file.template(
            """
            ${variables}
            in.beginObject();
            for (int field; (field = in.nextField(FIELDS)) != ${JsonReader}.END; ) {
              switch (field) {
                ${cases}
                default -> throw new AssertionError(field);
              }
            }
            return ${result};
            """)
        .lines(
            "variables",
            direct
                ? type.fields().stream().map(this::variable).toList()
                : List.of("Builder builder = new Builder();"),
            each -> each)
        .lines(
            "cases",
            IntStream.range(0, names().size()).boxed().toList(),
            index -> "case " + index + " -> " + read(index) + ";")
        .set(
            "result",
            direct ? "new " + type.name() + "(" + type.arguments() + ")" : "builder.build()")
        .fill();
  }

  private String variable(Member member) {
    return "%s %s = null;".formatted(types.type(member.shape()), member.name());
  }

  private String read(int index) {
    int before = names().size() - type.fields().size();
    if (index < before) {
      return index == 0 ? expectApiVersion() : expectKind();
    }
    Member member = type.fields().get(index - before);
    return (direct ? "" : "builder.") + member.name() + " = " + types.read(member.shape());
  }

  private String expectApiVersion() {
    String apiVersion = requireNonNull(type.resource()).apiVersion();
    return file.library("TypeMeta") + ".expectApiVersion(in, " + Text.java(apiVersion) + ")";
  }

  private String expectKind() {
    String kind = requireNonNull(type.resource()).kind();
    return file.library("TypeMeta") + ".expectKind(in, " + Text.java(kind) + ")";
  }

  private String readByName(Member unknown) {
    return file.template(
            """
            Builder builder = new Builder();
            ${Map}<String, ${RawJson}> unknown = new ${LinkedHashMap}<>();
            in.beginObject();
            for (String name = in.nextName(); name != null; name = in.nextName()) {
              switch (name) {
                ${typeCases}
                ${cases}
                default -> unknown.put(name, in.nextRaw());
              }
            }
            builder.${unknown} = unknown.isEmpty() ? null : unknown;
            return builder.build();
            """)
        .lines(
            "typeCases",
            type.resource() == null
                ? List.of()
                : List.of(
                    "case \"apiVersion\" -> " + expectApiVersion() + ";",
                    "case \"kind\" -> " + expectKind() + ";"),
            each -> each)
        .lines("cases", type.fields(), this::caseByName)
        .set("unknown", unknown.name())
        .fill();
  }

  private String caseByName(Member member) {
    return "case %s -> builder.%s = in.nextNull() ? null : %s;"
        .formatted(Text.java(member.json()), member.name(), types.read(member.shape()));
  }

  private String writeUnknown(Member unknown) {
    return file.template(
            """
            for (var unknown : value.${unknown}().entrySet()) {
              out.name(unknown.getKey());
              out.raw(unknown.getValue());
            }
            """)
        .set("unknown", unknown.name())
        .fill();
  }
}
