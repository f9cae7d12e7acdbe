package dev.clientgo.gen.internal.write;

import static java.util.Objects.requireNonNull;

import dev.clientgo.gen.internal.model.Identifiers;
import dev.clientgo.gen.internal.model.TypeFile;
import dev.clientgo.gen.internal.source.JavaFile;
import dev.clientgo.gen.internal.source.Template;
import dev.clientgo.gen.internal.source.Text;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Writes the methods and classes that lead to a resource: one for its group, and within it one for
 * its version.
 *
 * @param what what they lead to, clients or informers
 * @param delegate the class that does the work
 * @param field the name of the field that holds it
 */
record GroupClasses(JavaFile file, String what, String delegate, String field) {

  /** Returns the method that leads to a group. */
  String method(Map.Entry<String, Map<String, List<TypeFile>>> group) {
    return template(
            group.getKey(),
            """
            /** Returns the versions of ${group}. */
            public ${type} ${name}() {
              return new ${type}(${field});
            }
            """)
        .set("group", groupOf(group.getValue()))
        .fill();
  }

  /** Returns the class of a group; {@code methods} writes the methods of a version's resources. */
  String groupClass(
      Map.Entry<String, Map<String, List<TypeFile>>> group,
      Function<List<TypeFile>, List<String>> methods) {
    return template(
            group.getKey(),
            """
            /** The versions of ${group}. */
            public static final class ${type} {

              private final ${delegate} ${field};

              private ${type}(${delegate} ${field}) {
                this.${field} = ${field};
              }

              ${versionMethods}

              ${versionClasses}
            }
            """)
        .set("group", groupOf(group.getValue()))
        .blocks("versionMethods", group.getValue().keySet(), this::versionMethod)
        .blocks(
            "versionClasses",
            group.getValue().entrySet(),
            each -> versionClass(each.getKey(), each.getValue(), methods.apply(each.getValue())))
        .fill();
  }

  private String versionMethod(String version) {
    return template(
            version,
            """
            /** Returns the ${what} of version {@code ${name}}. */
            public ${type} ${name}() {
              return new ${type}(${field});
            }
            """)
        .fill();
  }

  private String versionClass(String version, List<TypeFile> resources, List<String> methods) {
    return template(
            version,
            """
            /** The ${what} of ${version}. */
            public static final class ${type} {

              private final ${delegate} ${field};

              private ${type}(${delegate} ${field}) {
                this.${field} = ${field};
              }

              ${methods}
            }
            """)
        .set("version", Text.code(requireNonNull(resources.get(0).resource()).apiVersion()))
        .blocks("methods", methods, each -> each)
        .fill();
  }

  private static String groupOf(Map<String, List<TypeFile>> versions) {
    TypeFile any = versions.values().iterator().next().get(0);
    return Text.code(requireNonNull(any.resource()).group());
  }

  private Template template(String name, String text) {
    return file.template(text)
        .set("name", name)
        .set("type", Identifiers.type(name))
        .set("what", what)
        .set("delegate", delegate)
        .set("field", field);
  }
}
