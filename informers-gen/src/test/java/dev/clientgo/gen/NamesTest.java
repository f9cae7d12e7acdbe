package dev.clientgo.gen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of generated packages, classes and methods: by meaning, and legal in Kotlin too. */
final class NamesTest {

  private static final String POD =
      """
      {"openapi": "3.0.0", "info": {"title": "k", "version": "v1.36.2"},
       "paths": {"/api/v1/namespaces/{namespace}/pods": {"get": {"x-kubernetes-action": "list",
         "x-kubernetes-group-version-kind": {"group": "", "kind": "Pod", "version": "v1"}}}},
       "components": {"schemas": {
         "io.k8s.api.core.v1.Pod": {"type": "object", "properties": {
           "a": {"$ref": "#/components/schemas/io.k8s.api.core.v1.PortStatus"},
           "ports": {"type": "array",
             "items": {"$ref": "#/components/schemas/io.k8s.api.core.v1.ContainerPort"}}},
           "x-kubernetes-group-version-kind": [{"group": "", "kind": "Pod", "version": "v1"}]},
         "io.k8s.api.core.v1.PortStatus": {"type": "object", "properties": {
           "protocol": {"type": "string", "enum": ["TCP", "UDP"]}}},
         "io.k8s.api.core.v1.ContainerPort": {"type": "object", "properties": {
           "name": {"type": "string"},
           "protocol": {"type": "string", "enum": ["TCP", "UDP"]}}}}}}
      """;

  private static String crd(String group, String kind, String spec) {
    return """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: x}
    spec:
      group: %s
      scope: Namespaced
      names: {plural: %s, kind: %s}
      versions:
        - name: v1
          served: true
          storage: true
          schema: {openAPIV3Schema: {type: object, properties: {spec: %s}}}
    """
        .formatted(group, kind.toLowerCase(java.util.Locale.ROOT), kind, spec);
  }

  private static Generation generate(String basePackage, String... groups) {
    Generator.Builder generator = Generator.builder(basePackage);
    for (String group : groups) {
      generator.text(group, crd(group, "Foo", "{type: string}"));
    }
    return generator.build().generate();
  }

  private static Set<String> packages(Generation generation) {
    return generation.files().keySet().stream()
        .filter(file -> file.endsWith("/Foo.java"))
        .map(file -> file.substring(0, file.lastIndexOf('/')).replace('/', '.'))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @CsvSource({
    "com.example.api, stable.example.com, com.example.api.stable.v1",
    "com.example.api, example.com, com.example.api.v1",
    "com.example, example.com, com.example.v1",
    "com.acme, monitoring.coreos.com, com.acme.com.coreos.monitoring.v1",
    "com.acme, cert-manager.io, com.acme.cert_manager.v1",
    "com.acme, widgets.example.in, com.acme.in_.example.widgets.v1",
    "org.example.api, stable.example.com, org.example.api.com.example.stable.v1"
  })
  void generate_group_isNotRepeatedInThePackage(String base, String group, String expected) {
    assertThat(packages(generate(base, group))).containsExactly(expected);
  }

  /** Two groups that would share a package keep their domains, in any order. */
  @Test
  void generate_groupsOfOneShortName_haveTheirOwnPackages() {
    Generation generation = generate("com.example", "stable.io", "stable.example.com");

    assertThat(packages(generation))
        .containsExactlyInAnyOrder("com.example.stable.v1", "com.example.com.example.stable.v1");
    assertThat(generate("com.example", "stable.example.com", "stable.io").files())
        .isEqualTo(generation.files());
    Compiled.of(generation);
  }

  @Test
  void generate_sameValuesOfTwoFields_areClassesOfTheirFields() {
    String policy = "{type: string, enum: [Cluster, Local]}";
    Generation generation =
        Generator.builder("com.example")
            .text(
                "crd",
                crd(
                    "foo.example.com",
                    "Foo",
                    ("{type: object, properties: {externalTrafficPolicy: %1$s,"
                            + " internalTrafficPolicy: %1$s, all: {type: array, items: {type: object,"
                            + " properties: {internalTrafficPolicy: %1$s}}}}}")
                        .formatted(policy)))
            .build()
            .generate();

    assertThat(generation.files().get("com/example/foo/v1/Foo.java"))
        .contains(
            "@Nullable ExternalTrafficPolicy externalTrafficPolicy",
            "@Nullable InternalTrafficPolicy internalTrafficPolicy",
            "record All(@Nullable InternalTrafficPolicy internalTrafficPolicy)")
        .containsOnlyOnce("class InternalTrafficPolicy extends");
    Compiled.of(generation);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"as", "fun", "in", "is", "object", "typealias", "typeof", "val", "var", "when"})
  void generate_keywordOfKotlin_getsAnUnderscore(String name) {
    Generation generation =
        Generator.builder("com.example")
            .text(
                "crd",
                crd(
                    "foo.example.com",
                    "Foo",
                    "{type: object, properties: {%s: {type: string}}}".formatted(name)))
            .build()
            .generate();

    assertThat(generation.files().get("com/example/foo/v1/Foo.java"))
        .contains("record Spec(@Nullable String " + name + "_)", "FieldNames.of(\"" + name + "\")");
    assertThat(generation.report().renamed())
        .containsExactly(Map.entry("com.example.foo.v1.Foo.Spec \"" + name + "\"", name + "_"));
    Compiled.of(generation);
  }

  /** OpenAPI repeats the values of a protocol in each field; Go's name makes them one class. */
  @Test
  void generate_enumerationsOfAServer_haveTheNamesOfGo() {
    Generation generation = Generator.builder("com.example").text("api/v1", POD).build().generate();

    assertThat(generation.report().problems()).isEmpty();
    assertThat(generation.files().get("com/example/core/v1/ContainerPort.java"))
        .contains("@Nullable Protocol protocol");
    assertThat(generation.files().get("com/example/core/v1/PortStatus.java"))
        .contains("record PortStatus(@Nullable Protocol protocol)");
    assertThat(generation.files().get("com/example/core/v1/Protocol.java"))
        .contains("public static final Protocol TCP = new Protocol(\"TCP\");")
        .doesNotContain("SCTP");
    Compiled.of(generation);
  }

  @Test
  void generate_namedEnumeration_isAClassThatKeepsOtherValues() {
    String document =
        POD.replace("io.k8s.api.core.v1.", "com.shop.v1.")
            .replace(
                "\"name\": {\"type\": \"string\"}",
                "\"name\": {\"$ref\": \"#/components/schemas/com.shop.v1.Size\"}")
            .replace(
                "\"com.shop.v1.Pod\"",
                "\"com.shop.v1.Size\": {\"type\": \"string\", \"enum\": [\"S\", \"L\"]},"
                    + " \"com.shop.v1.Pod\"");

    Generation generation =
        Generator.builder("com.example").text("api/v1", document).build().generate();

    String port = "{\"name\":\"XL\",\"protocol\":\"TCP\"}";
    assertThat(Compiled.of(generation).roundTrip("com.example.core.v1.ContainerPort", port))
        .isEqualTo(port);
    assertThat(generation.files()).containsKey("com/example/core/v1/Size.java");
  }
}
