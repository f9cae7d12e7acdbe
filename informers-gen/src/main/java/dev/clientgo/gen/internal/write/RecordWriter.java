package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the class of an object: an immutable record, its builder and its codec.
 *
 * <p>An object with more fields than a constructor may have parameters becomes a final class that
 * looks the same to those who use it.
 */
public final class RecordWriter {

  /** How many fields one method of a codec handles: larger methods are never compiled. */
  static final int CHUNK = 200;

  /** A field with its Java name. */
  record Member(String name, Shape.Field field) {
    Shape shape() {
      return field.shape();
    }

    String json() {
      return field.name();
    }
  }

  private final JavaFile file;
  private final Expressions types;
  private final String name;
  private final Shape.Struct struct;
  private final @Nullable Resource resource;
  private boolean nested;
  private @Nullable String reference;
  private final List<Member> members = new ArrayList<>();
  private final String unknown;

  RecordWriter(
      JavaFile file,
      TypeNames names,
      String name,
      Shape.Struct struct,
      @Nullable Resource resource) {
    this.file = file;
    this.types = new Expressions(file, names);
    this.name = name;
    this.struct = struct;
    this.resource = resource;
    Map<String, String> javaNames =
        Identifiers.members(struct.fields().stream().map(Shape.Field::name).toList());
    for (Shape.Field field : struct.fields()) {
      members.add(new Member(requireNonNull(javaNames.get(field.name())), field));
    }
    String rest = "unknownFields";
    while (javaNames.containsValue(rest)) {
      rest += "_";
    }
    this.unknown = rest;
  }

  /** Says that the class stands within another. */
  RecordWriter nested() {
    nested = true;
    return this;
  }

  /** Sets the address of a page that describes the class. */
  RecordWriter reference(@Nullable String address) {
    reference = address;
    return this;
  }

  /** Writes the class; {@code within} writes the classes within it. */
  void write(Runnable within) {
    boolean wide = members.size() > TypeFile.MAX_COMPONENTS;
    classJavadoc(wide);
    if (!nested) {
      file.line("@" + file.ref("javax.annotation.processing.Generated") + "(\"dev.clientgo.gen\")");
    }
    if (wide) {
      WideClass.header(
          file,
          types,
          (nested ? "public static final class " : "public final class ") + name,
          members,
          struct.open() ? unknown : null,
          implemented());
    } else {
      recordHeader();
    }
    constants();
    if (!wide) {
      compactConstructor();
    }
    factories();
    if (resource != null) {
      typeMethods();
    }
    if (wide) {
      WideClass.members(file, types, name, members, struct.open() ? unknown : null);
    }
    within.run();
    new BuilderWriter(file, types, name, members, struct.open() ? unknown : null, wide, resource)
        .write();
    new CodecWriter(file, types, name, members, struct.open() ? unknown : null, resource).write();
    file.close("}");
  }

  private void classJavadoc(boolean wide) {
    List<String> paragraphs = new ArrayList<>();
    if (struct.description() != null) {
      paragraphs.addAll(Text.paragraphs(struct.description()));
    }
    if (paragraphs.isEmpty()) {
      paragraphs.add(
          resource != null
              ? "A " + Text.code(resource.kind()) + " of {@code " + resource.apiVersion() + "}."
              : "The fields of {@code " + name + "}.");
    }
    List<String> tags = new ArrayList<>();
    if (!wide) {
      for (Member member : members) {
        if (member.field().description() == null && member.field().note() == null) {
          continue;
        }
        tags.add("@param " + member.name() + " " + fieldText(member));
      }
      if (struct.open()) {
        tags.add(
            "@param " + unknown + " the fields that the schema does not name, kept as they are");
      }
    }
    if (reference != null) {
      tags.add("@see <a href=\"" + reference + "\">API reference</a>");
    }
    file.javadoc(paragraphs, tags);
  }

  /** Returns what is known about a field, on one line of Javadoc. */
  static String fieldText(Member member) {
    Shape.Field field = member.field();
    StringBuilder text = new StringBuilder();
    if (field.description() != null) {
      text.append(String.join(" ", Text.paragraphs(field.description())));
    }
    if (text.isEmpty()) {
      text.append("the field ").append(Text.code(field.name()));
    }
    if (field.note() != null) {
      text.append(endsSentence(text) ? " " : ". ");
      text.append("Default: ").append(Text.code(field.note())).append('.');
    }
    return text.toString();
  }

  private static boolean endsSentence(CharSequence text) {
    return ".!?:".indexOf(text.charAt(text.length() - 1)) >= 0;
  }

  private String implemented() {
    return resource == null
        ? ""
        : "implements " + file.ref("dev.clientgo.apimachinery.meta.KubernetesObject");
  }

  private void recordHeader() {
    List<String> components = new ArrayList<>();
    for (Member member : members) {
      components.add(componentType(types, member, resource) + " " + member.name());
    }
    if (struct.open()) {
      components.add(types.nullable(WideClass.UNKNOWN_FIELDS) + " " + unknown);
    }
    file.header("public record " + name, components, implemented());
    file.indent();
  }

  /** Returns the type of a field: all may be absent but the metadata of an object. */
  static String componentType(Expressions types, Member member, @Nullable Resource resource) {
    return isMetadata(member, resource)
        ? types.type(member.shape())
        : types.nullable(member.shape());
  }

  static boolean isMetadata(Member member, @Nullable Resource resource) {
    return resource != null && member.json().equals("metadata");
  }

  private void constants() {
    file.blank().javadoc("Reads and writes this type.");
    file.line(
        "public static final "
            + file.ref("dev.clientgo.apimachinery.json.JsonCodec")
            + "<"
            + name
            + "> CODEC = new Codec();");
    if (resource != null && !resource.plural().isEmpty()) {
      String type = file.ref("dev.clientgo.apimachinery.serializer.ResourceType");
      file.blank().javadoc("What a client needs to know of the resource.");
      String gvk = file.ref("dev.clientgo.apimachinery.schema.GroupVersionKind");
      file.assign(
          "public static final " + type + "<" + name + "> TYPE =",
          type + (resource.namespaced() ? ".namespaced" : ".clusterScoped"),
          List.of(
              "new "
                  + gvk
                  + "("
                  + Text.java(resource.group())
                  + ", "
                  + Text.java(resource.version())
                  + ", "
                  + Text.java(resource.kind())
                  + ")",
              Text.java(resource.plural()),
              "CODEC"),
          isInProtobuf() ? ".protobuf()" : "");
    }
  }

  /** Returns whether it is known of all fields what they are in protobuf. */
  private boolean isInProtobuf() {
    return members.stream().allMatch(member -> member.field().protobuf() != null);
  }

  private void compactConstructor() {
    List<String> copies = new ArrayList<>();
    String immutable = "dev.clientgo.apimachinery.json.Immutable";
    for (Member member : members) {
      if (isMetadata(member, resource)) {
        copies.add(
            file.ref("java.util.Objects")
                + ".requireNonNull("
                + member.name()
                + ", \"metadata\");");
      } else if (member.shape() instanceof Shape.ListOf) {
        copies.add(member.name() + " = " + file.ref(immutable) + ".list(" + member.name() + ");");
      } else if (member.shape() instanceof Shape.MapOf) {
        copies.add(member.name() + " = " + file.ref(immutable) + ".map(" + member.name() + ");");
      }
    }
    if (struct.open()) {
      copies.add(unknown + " = " + file.ref(immutable) + ".map(" + unknown + ");");
    }
    if (!copies.isEmpty()) {
      file.blank().javadoc("Not part of the stable API, since fields are added: use the builder.");
      file.open("public " + name + " {");
      copies.forEach(file::line);
      file.close("}");
    }
  }

  private void factories() {
    String consumer = file.ref("java.util.function.Consumer");
    file.blank().javadoc("Returns a builder in which nothing is set.");
    file.open("public static Builder builder() {").line("return new Builder();").close("}");
    file.blank().javadoc("Returns a value that a function has filled in.");
    file.open("public static " + name + " of(" + consumer + "<Builder> fill) {");
    file.line("Builder builder = new Builder();").line("fill.accept(builder);");
    file.line("return builder.build();").close("}");
    if (resource != null) {
      namedFactory(consumer, resource.namespaced());
    }
    file.blank().javadoc("Returns this value as a function has changed it.");
    file.open("public " + name + " with(" + consumer + "<Builder> edit) {");
    file.line("Builder builder = toBuilder();").line("edit.accept(builder);");
    file.line("return builder.build();").close("}");
    file.blank().javadoc("Returns a builder that starts with this value.");
    file.open("public Builder toBuilder() {").line("return new Builder(this);").close("}");
  }

  private void namedFactory(String consumer, boolean namespaced) {
    String meta = file.ref("dev.clientgo.apimachinery.meta.ObjectMeta");
    file.blank().javadoc("Returns an object of that name that a function has filled in.");
    List<String> parameters = new ArrayList<>();
    if (namespaced) {
      parameters.add("String namespace");
    }
    parameters.add("String name");
    parameters.add(consumer + "<Builder> fill");
    file.call("public static " + name + " of", parameters, " {").indent();
    file.line("Builder builder = new Builder();");
    file.line(
        "builder.metadata = "
            + meta
            + ".builder()"
            + (namespaced ? ".namespace(namespace)" : "")
            + ".name(name).build();");
    file.line("fill.accept(builder);").line("return builder.build();").close("}");
  }

  private void typeMethods() {
    Resource type = requireNonNull(resource);
    file.blank().line("@Override").open("public String apiVersion() {");
    file.line("return " + Text.java(type.apiVersion()) + ";").close("}");
    file.blank().line("@Override").open("public String kind() {");
    file.line("return " + Text.java(type.kind()) + ";").close("}");
    for (Member member : members) {
      if (isMetadata(member, resource)) {
        file.blank().line("@Override");
        file.open(
            "public " + name + " withMetadata(" + types.type(member.shape()) + " metadata) {");
        file.line("return toBuilder()." + member.name() + "(metadata).build();").close("}");
      }
    }
  }
}
