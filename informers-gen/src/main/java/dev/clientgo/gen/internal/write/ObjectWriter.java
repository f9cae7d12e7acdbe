package dev.clientgo.gen.internal.write;

import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Text;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the class of an object: an immutable record, its builder and its codec.
 *
 * <p>An object with more fields than a constructor may have parameters becomes a final class with
 * the same methods.
 */
final class ObjectWriter {

  private final JavaFile file;
  private final Expressions types;
  private final ObjectClass type;

  ObjectWriter(JavaFile file, Expressions types, ObjectClass type) {
    this.file = file;
    this.types = types;
    this.type = type;
  }

  /**
   * Returns the class.
   *
   * @param nested the classes within it
   */
  String write(String modifiers, List<String> nested) {
    WideClass wide = new WideClass(file, types, type);
    return file.template(
            """
            ${javadoc}
            ${declaration} {

              ${fields}

              /** Reads and writes this type. */
              public static final ${JsonCodec}<${class}> CODEC = new Codec();

              ${empty}

              ${resourceType}

              ${canonicalConstructor}

              /** Returns a builder in which nothing is set. */
              public static Builder builder() {
                return new Builder();
              }

              /** Returns a new value, whose fields {@code fill} sets. */
              public static ${class} of(${Consumer}<Builder> fill) {
                Builder builder = new Builder();
                fill.accept(builder);
                return builder.build();
              }

              ${namedFactory}

              /** Returns a copy of this value with the changes that {@code edit} makes. */
              public ${class} with(${Consumer}<Builder> edit) {
                Builder builder = toBuilder();
                edit.accept(builder);
                return builder.build();
              }

              /** Returns a builder that starts with this value. */
              public Builder toBuilder() {
                return new Builder(this);
              }

              ${accessors}

              ${objectMethods}

              ${recordMethods}

              ${nested}

              ${builder}

              ${codec}
            }
            """)
        .set("javadoc", javadoc())
        .set("declaration", declaration(modifiers))
        .set("class", type.name())
        .lines("fields", type.isWide() ? wide.fields() : List.of(), each -> each)
        .set("empty", type.hasEmpty() ? empty() : "")
        .set("resourceType", resourceType())
        .set("canonicalConstructor", type.isWide() ? "" : canonicalConstructor())
        .set("namedFactory", namedFactory())
        .blocks("accessors", new AccessorWriter(file, types, type).write(), each -> each)
        .set("objectMethods", objectMethods())
        .set("recordMethods", type.isWide() ? wide.methods() : "")
        .blocks("nested", nested, each -> each)
        .set("builder", new BuilderWriter(file, types, type).write())
        .set("codec", new CodecWriter(file, types, type).write())
        .fill();
  }

  private String javadoc() {
    List<String> paragraphs = new ArrayList<>();
    if (type.description() != null) {
      paragraphs.addAll(Text.paragraphs(type.description()));
    }
    if (paragraphs.isEmpty()) {
      Resource of = type.resource();
      paragraphs.add(
          of != null
              ? "A " + Text.code(of.kind()) + " of {@code " + of.apiVersion() + "}."
              : "The fields of {@code " + type.name() + "}.");
    }
    List<String> tags = new ArrayList<>();
    if (!type.isWide()) {
      type.members().stream()
          .filter(Member::isDescribed)
          .forEach(each -> tags.add("@param " + each.name() + " " + each.description()));
    }
    if (type.reference() != null) {
      tags.add("@see <a href=\"" + type.reference() + "\">API reference</a>");
    }
    return Text.comment(paragraphs, tags);
  }

  private String declaration(String modifiers) {
    String implemented =
        type.resource() == null ? "" : " implements " + file.library("KubernetesObject");
    if (type.isWide()) {
      return modifiers + " final class " + type.name() + implemented;
    }
    List<String> components =
        type.members().stream().map(each -> types.type(each) + " " + each.name()).toList();
    // A record within a class is static anyway.
    String head = modifiers.replace(" static", "") + " record " + type.name();
    return head + "(" + String.join(", ", components) + ")" + implemented;
  }

  private String empty() {
    return file.template(
            """
            /**
             * Stands for an absent value: accessors return it, and constructors and builders keep a \
            part absent that gets it. To send an empty object, use {@code builder().build()}.
             */
            public static final ${class} EMPTY = new Builder().build();
            """)
        .set("class", type.name())
        .fill();
  }

  private String resourceType() {
    Resource of = type.resource();
    if (of == null || of.plural().isEmpty()) {
      return "";
    }
    boolean inProtobuf =
        type.fields().stream().allMatch(member -> member.field().protobuf() != null);
    return file.template(
            """
            /** The resource: its kind, its plural, its scope and the codec of its objects. */
            public static final ${ResourceType}<${class}> TYPE = ${ResourceType}.${scope}(\
            new ${GroupVersionKind}(${group}, ${version}, ${kind}), ${plural}, CODEC)${protobuf};
            """)
        .set("class", type.name())
        .set("scope", of.namespaced() ? "namespaced" : "clusterScoped")
        .set("group", Text.java(of.group()))
        .set("version", Text.java(of.version()))
        .set("kind", Text.java(of.kind()))
        .set("plural", Text.java(of.plural()))
        .set("protobuf", inProtobuf ? ".protobuf()" : "")
        .fill();
  }

  private String canonicalConstructor() {
    List<String> kept = new ArrayList<>();
    for (Member member : type.members()) {
      String value = types.kept(member, member.name());
      if (!value.isEmpty()) {
        kept.add(member.name() + " = " + value + ";");
      }
    }
    return kept.isEmpty()
        ? ""
        : file.template(
                """
                /** Not part of the stable API, since fields are added: use the builder. */
                public ${class} {
                  ${statements}
                }
                """)
            .set("class", type.name())
            .lines("statements", kept, each -> each)
            .fill();
  }

  private String namedFactory() {
    Resource of = type.resource();
    return of == null
        ? ""
        : file.template(
                """
                /** Returns a new object of this name, whose other fields {@code fill} sets. */
                public static ${class} of(${parameters}String name, ${Consumer}<Builder> fill) {
                  Builder builder = new Builder();
                  builder.metadata = ${ObjectMeta}.builder()${namespace}.name(name).build();
                  fill.accept(builder);
                  return builder.build();
                }
                """)
            .set("class", type.name())
            .set("parameters", of.namespaced() ? "String namespace, " : "")
            .set("namespace", of.namespaced() ? ".namespace(namespace)" : "")
            .fill();
  }

  private String objectMethods() {
    Resource of = type.resource();
    if (of == null) {
      return "";
    }
    Member metadata =
        type.fields().stream()
            .filter(member -> member.json().equals("metadata"))
            .findFirst()
            .orElseThrow();
    return file.template(
            """
            @Override
            public String apiVersion() {
              return ${apiVersion};
            }

            @Override
            public String kind() {
              return ${kind};
            }

            @Override
            public ${class} withMetadata(${type} metadata) {
              return toBuilder().${metadata}(metadata).build();
            }
            """)
        .set("class", type.name())
        .set("apiVersion", Text.java(of.apiVersion()))
        .set("kind", Text.java(of.kind()))
        .set("type", types.type(metadata.shape()))
        .set("metadata", metadata.name())
        .fill();
  }
}
