package dev.clientgo.crd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.gen.Generation;
import dev.clientgo.gen.Generator;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Definitions become records with the generator, and these become definitions: of the same names,
 * versions, scope, fields, types and values of enumerations. Generated records do not have the
 * rest, which docs/crd-gen.md lists.
 */
final class RoundTripTest {

  private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

  private static final Set<String> TYPE_AND_METADATA = Set.of("apiVersion", "kind", "metadata");

  /** The schema that a generated record has by its types. */
  private static final Set<String> STRUCTURE =
      Set.of(
          "type",
          "enum",
          "x-kubernetes-int-or-string",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-embedded-resource");

  /**
   * Fields of traps/types.yaml that servers refuse, whose texts YAML reads as booleans, or whose
   * numbers need Number.
   */
  private static final Set<String> ODD =
      Set.of("noItems", "nullItems", "mixedEnum", "modes", "modeMap", "mapOfLists", "uint64");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> fixtures_becomeRecordsAndDefinitionsAgain() {
    return Stream.of(
            "informers-gen/src/test/resources/golden/crontab/crd.yaml",
            "informers-gen/src/test/resources/traps/types.yaml",
            "informers-gen/src/test/resources/optional.yaml",
            "informers-gen/src/test/resources/reuse.yaml",
            "controller-simulation/src/test/crds/kafkatopics.yaml",
            "controller-simulation/src/test/crds/certificates.yaml",
            "controller-simulation/src/test/crds/scaledobjects.yaml",
            "envtest/src/test/crds/widgets.yaml",
            "embedded-controllers/src/test/crds/gadgets.yaml",
            "examples/src/main/crds/foo.yaml",
            "examples/src/main/crds/webapp.yaml",
            "examples/website-operator/src/main/crds/website.yaml")
        .map(name -> dynamicTest(name, () -> check(Path.of("..", name))));
  }

  /** The definitions of others: {@code -Dcorpus=FOLDER}. */
  @TestFactory
  @EnabledIfSystemProperty(named = "corpus", matches = ".+")
  Stream<DynamicTest> corpus_becomesRecordsAndDefinitionsAgain() throws Exception {
    try (Stream<Path> files = Files.walk(Path.of(System.getProperty("corpus")))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream()
          .map(file -> dynamicTest(file.toString(), () -> check(file)));
    }
  }

  private void check(Path file) throws Exception {
    List<Unstructured> originals =
        CustomResourceDefinitions.read(file.toString(), Files.readString(file));
    Generation generation = Generator.builder("com.example.api").input(file).build().generate();
    assertThat(generation.report().problems()).isEmpty();
    Path output = Files.createTempDirectory(folder, "java");
    generation.writeTo(output);
    compile(output, generation.files().keySet());
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {output.toUri().toURL()}, getClass().getClassLoader())) {
      for (Unstructured original : originals) {
        Map<String, Class<?>> types = types(loader, generation, original);
        for (Object each : original.nestedList("spec", "versions").orElseThrow()) {
          Map<String, Object> version = Markers.child(Map.of("v", each), "v");
          String name = String.valueOf(version.get("name"));
          check(original, version, CustomResourceDefinitions.of(types.get(name)).get(0));
        }
      }
    }
  }

  private static void check(
      Unstructured original, Map<String, Object> version, Unstructured definition) {
    assertThat(definition.metadata().name()).isEqualTo(original.metadata().name());
    for (String field : List.of("group", "scope")) {
      assertThat(definition.nestedString("spec", field))
          .isEqualTo(original.nestedString("spec", field));
    }
    Object made = definition.nestedList("spec", "versions").orElseThrow().get(0);
    Map<String, String> now = structure(schema(Markers.child(Map.of("v", made), "v")));
    Map<String, String> before = structure(schema(version));
    assertThat(minus(now, before)).as("before: %s", minus(before, now)).isEmpty();
    assertThat(minus(before, now)).isEmpty();
  }

  /** Whole schemas would be too long for an error. */
  private static Set<Map.Entry<String, String>> minus(
      Map<String, String> all, Map<String, String> without) {
    Set<Map.Entry<String, String>> rest = new HashSet<>(all.entrySet());
    rest.removeAll(without.entrySet());
    return rest;
  }

  private static Map<String, Object> schema(Map<String, Object> version) {
    Map<String, Object> schema =
        new TreeMap<>(Markers.child(Markers.child(version, "schema"), "openAPIV3Schema"));
    Map<String, Object> properties = new TreeMap<>(Markers.child(schema, "properties"));
    properties.keySet().removeAll(TYPE_AND_METADATA);
    schema.put("properties", properties);
    return schema;
  }

  /** Returns what Java's types say of a schema, by path. */
  private static Map<String, String> structure(Map<String, Object> schema) {
    Map<String, String> structure = new TreeMap<>();
    addStructure(schema, ".", structure);
    return structure;
  }

  private static void addStructure(
      Map<String, Object> schema, String path, Map<String, String> structure) {
    Map<String, Object> kept = new TreeMap<>(schema);
    kept.keySet().retainAll(STRUCTURE);
    Map<String, Object> properties = Markers.child(schema, "properties");
    boolean isObject = "object".equals(schema.get("type")) || !properties.isEmpty();
    Map<String, Object> values = Markers.child(schema, "additionalProperties");
    boolean isOfAny = !values.containsKey("type") && !values.containsKey("properties");
    boolean isEmpty = properties.isEmpty() && isOfAny && !values.containsKey(INT_OR_STRING);
    boolean isResource = Boolean.TRUE.equals(schema.get("x-kubernetes-embedded-resource"));
    boolean isEmbedded = isResource && TYPE_AND_METADATA.containsAll(properties.keySet());
    if (isResource) { // Its record is open, for the kind and metadata, which need not be named.
      kept.remove("x-kubernetes-embedded-resource");
      kept.put("x-kubernetes-preserve-unknown-fields", true);
    }
    boolean isInvalid = !isObject && !kept.containsKey("type") && schema.get("items") == null;
    if (isEmbedded) {
      kept = new TreeMap<>(Map.of("type", "embedded resource"));
    } else if ((isObject && isEmpty)
        || (isInvalid && !kept.containsKey(INT_OR_STRING))
        || ("array".equals(schema.get("type")) && schema.get("items") == null)) {
      kept = new TreeMap<>(Map.of("type", "any")); // It has become raw JSON.
    } else if (schema.get("items") != null) {
      kept.put("type", "array");
    } else if (isObject) {
      kept.put("type", "object");
    }
    boolean hasTexts =
        "string".equals(kept.get("type"))
            && !path.endsWith("conditions.[].status.") // A Condition has values.
            && kept.get("enum") instanceof List<?> texts
            && !texts.isEmpty()
            && texts.stream().allMatch(String.class::isInstance);
    if (!hasTexts) {
      kept.remove("enum"); // Of numbers and booleans, or empty.
    }
    structure.put(path, kept.toString());
    if (isEmbedded) {
      return;
    }
    Set<String> names = new TreeSet<>(properties.keySet());
    names.removeAll(ODD);
    for (String name : names) {
      boolean isMetadata = isResource && name.equals("metadata"); // All of it.
      addStructure(
          isMetadata ? Map.of() : Markers.child(properties, name), path + name + ".", structure);
    }
    if (kept.containsValue("any")) {
      return;
    }
    for (String keyword : List.of("items", "additionalProperties")) {
      if (schema.get(keyword) instanceof Map) {
        addStructure(Markers.child(schema, keyword), path + "[].", structure);
      }
    }
  }

  /** Returns the records of the versions of a definition. */
  private static Map<String, Class<?>> types(
      ClassLoader loader, Generation generation, Unstructured definition) throws Exception {
    Map<String, Class<?>> types = new TreeMap<>();
    String group = definition.nestedString("spec", "group").orElseThrow() + "/";
    String kind = definition.nestedString("spec", "names", "kind").orElseThrow();
    for (var each : generation.report().generated()) {
      if (each.apiVersion().startsWith(group) && each.kind().equals(kind)) {
        types.put(
            each.apiVersion().substring(group.length()),
            Class.forName(each.className(), false, loader));
      }
    }
    return types;
  }

  private static void compile(Path folder, Set<String> files) throws Exception {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    List<Path> sources = new ArrayList<>();
    files.forEach(file -> sources.add(folder.resolve(file)));
    StringWriter out = new StringWriter();
    try (StandardJavaFileManager manager = javac.getStandardFileManager(null, null, UTF_8)) {
      List<String> options =
          List.of(
              "-proc:none",
              "-nowarn",
              "-d",
              folder.toString(),
              "-cp",
              System.getProperty(
                  "surefire.test.class.path", System.getProperty("java.class.path")));
      assertThat(
              javac
                  .getTask(
                      out,
                      manager,
                      null,
                      options,
                      null,
                      manager.getJavaFileObjectsFromPaths(sources))
                  .call())
          .as(out::toString)
          .isTrue();
    }
  }
}
