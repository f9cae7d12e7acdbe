package dev.clientgo.gen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.gen.internal.document.Documents;
import dev.clientgo.gen.internal.schema.Catalog;
import dev.clientgo.gen.internal.schema.DefinitionReader;
import dev.clientgo.gen.internal.schema.Resource;
import dev.clientgo.gen.report.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas that break generators: what comes out compiles without a warning and loses no data. */
final class TrapsTest {

  private static final Path TRAPS = Path.of("src/test/resources/traps");

  @ParameterizedTest
  @ValueSource(strings = {"names", "types", "hostile", "no-schema", "groups"})
  void generate_trap_compilesAndKeepsEveryField(String name) {
    Generation generation = generate(TRAPS.resolve(name + ".yaml"));

    assertThat(generation.report().problems()).isEmpty();
    assertRoundTrips(generation, resources(TRAPS.resolve(name + ".yaml")));
  }

  @Test
  void generate_stream_oneBadDocumentSpoilsNoOther() {
    Generation generation = generate(TRAPS.resolve("stream.yaml"));

    assertThat(generation.report().generated())
        .extracting(Report.Generated::kind)
        .containsExactly("Last", "First");
    assertThat(generation.report().problems().stream().map(Report.Problem::toString))
        .satisfiesExactlyInAnyOrder(
            each -> assertThat(each).contains("stream.yaml:10: is not valid YAML"),
            each -> assertThat(each).contains("stream.yaml:17: $: apiextensions.k8s.io/v1beta1"),
            each -> assertThat(each).contains("stream.yaml:26: $.spec.group: \"../../stream"),
            each -> assertThat(each).contains("stream.yaml:35: $.spec.names.kind: \"../../Evil\""),
            each ->
                assertThat(each).contains("stream.yaml:42: $.spec: needs an array \"versions\""),
            each -> assertThat(each).contains("stream.yaml:44: is a Helm template, not YAML"));
  }

  @Test
  void generate_anotherCrd_changesNothing() {
    Map<String, String> alone = new HashMap<>(generate(TRAPS.resolve("types.yaml")).files());
    // The classes that list all kinds, such as the clientset, are in the root package.
    alone.keySet().removeIf(file -> file.matches("com/example/api/[^/]+"));

    assertThat(alone).isNotEmpty();
    Map<String, String> together =
        Generator.builder("com.example.api").input(TRAPS).build().generate().files();

    assertThat(together).containsAllEntriesOf(alone);
  }

  @Test
  void generate_wideObject_becomesAClassThatKeepsEveryField() {
    String crd = crd("Wide", properties(2_000, "{type: string}").replace("field0:", "values:"));

    Generation generation =
        Generator.builder("com.example.api").text("wide", crd).build().generate();

    assertThat(generation.report().fallbacks()).isEmpty();
    assertRoundTrips(generation, resources(crd));
  }

  @Test
  void generate_tooWideObject_staysJson() {
    String crd = crd("Vast", properties(2_501, "{type: string}"));

    Generation generation =
        Generator.builder("com.example.api").text("vast", crd).build().generate();

    assertThat(generation.report().fallbacks())
        .singleElement()
        .satisfies(
            each -> assertThat(each.toString()).contains("$.spec.versions[0]").contains("2500"));
    assertRoundTrips(generation, resources(crd));
  }

  @Test
  void generate_wideOpenObject_keepsEveryField() {
    String lists = "{type: array, items: {type: object, additionalProperties: {type: integer}}}";
    String crd = crd("Open", properties(600, lists));
    crd = crd.replace("{spec: {", "{spec: {x-kubernetes-preserve-unknown-fields: true, ");

    Generation generation =
        Generator.builder("com.example.api").text("open", crd).build().generate();

    assertThat(generation.report().fallbacks()).isEmpty();
    assertRoundTrips(generation, resources(crd));
  }

  @Test
  void generate_tooWideOpenObject_staysJson() {
    String crd = crd("Open", properties(1_000, "{type: string}"));
    crd = crd.replace("{spec: {", "{spec: {x-kubernetes-preserve-unknown-fields: true, ");

    Generation generation =
        Generator.builder("com.example.api").text("open", crd).build().generate();

    assertThat(generation.report().fallbacks())
        .singleElement()
        .satisfies(each -> assertThat(each.toString()).contains("600"));
    assertRoundTrips(generation, resources(crd));
  }

  @Test
  void generate_deepObject_keepsEveryField() {
    String schema = "{type: string}";
    for (int i = 0; i < 60; i++) {
      schema = "{type: object, properties: {child: " + schema + "}}";
    }
    String crd = crd("Deep", schema);

    Generation generation =
        Generator.builder("com.example.api").text("deep", crd).build().generate();

    assertRoundTrips(generation, resources(crd));
  }

  @Test
  void generate_deepLists_keepsEveryField() {
    String schema = "{type: string}";
    for (int i = 0; i < 30; i++) {
      schema = "{type: array, items: {type: object, additionalProperties: " + schema + "}}";
    }
    String crd = crd("Lists", "{type: object, properties: {deep: " + schema + "}}");

    Generation generation =
        Generator.builder("com.example.api").text("lists", crd).build().generate();

    assertRoundTrips(generation, resources(crd));
  }

  @ParameterizedTest
  @CsvSource({
    "4294967295, Long",
    "4.294967295e+09, Long",
    "2147483648, Long",
    "2147483647, Integer",
    "-2147483648, Integer",
    ".inf, Integer",
    "!!int many, Integer"
  })
  void generate_int32_isAsWideAsItsMaximum(String maximum, String type) {
    String schema = "{type: integer, format: int32, maximum: " + maximum + "}";
    String crd = crd("Peer", "{type: object, properties: {asn: " + schema + "}}");

    Generation generation =
        Generator.builder("com.example.api").text("peer", crd).build().generate();

    assertThat(generation.files().values())
        .anySatisfy(file -> assertThat(file).contains("record Spec(@Nullable " + type + " asn)"));
  }

  private static String crd(String kind, String spec) {
    return """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: x}
    spec:
      group: example.io
      scope: Namespaced
      names: {plural: %s, kind: %s}
      versions:
        - name: v1
          served: true
          storage: true
          schema: {openAPIV3Schema: {type: object, properties: {spec: %s}}}
    """
        .formatted(kind.toLowerCase(java.util.Locale.ROOT), kind, spec);
  }

  private static String properties(int count, String schema) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fields.add("field" + i + ": " + schema);
    }
    return "{type: object, properties: {" + String.join(", ", fields) + "}}";
  }

  private static Generation generate(Path path) {
    return Generator.builder("com.example.api").input(path).build().generate();
  }

  private static List<Resource> resources(Path path) {
    Documents documents = new Documents(problem -> {});
    documents.read(path);
    return resources(documents);
  }

  private static List<Resource> resources(String text) {
    Documents documents = new Documents(problem -> {});
    documents.text("text", text);
    return resources(documents);
  }

  private static List<Resource> resources(Documents documents) {
    Report.Builder report = new Report.Builder();
    Catalog catalog = new Catalog(report);
    new DefinitionReader(catalog, report).addAll(documents.roots());
    return catalog.resources();
  }

  private static void assertRoundTrips(Generation generation, List<Resource> resources) {
    assertThat(resources).hasSameSizeAs(generation.report().generated());
    RoundTrips.check(generation, resources);
  }
}
