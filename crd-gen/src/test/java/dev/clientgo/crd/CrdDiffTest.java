package dev.clientgo.crd;

import static dev.clientgo.crd.CrdFinding.Severity.CLIENTS;
import static dev.clientgo.crd.CrdFinding.Severity.STORED_OBJECTS;
import static dev.clientgo.crd.CrdFinding.Severity.WARNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.crd.CrdFinding.Severity;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule of the comparison. */
final class CrdDiffTest {

  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: things.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: things, kind: Thing, singular: thing, shortNames: [th, tg], categories: [all]}
        versions:
        - name: v1
          served: true
          storage: true
          subresources:
            status: {}
            scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n}
          selectableFields: [{jsonPath: .spec.a}]
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: SPEC
        - name: v1beta1
          served: true
          storage: false
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: SPEC
      """;

  private static Unstructured definition(String spec) {
    return of(DEFINITION.replace("SPEC", spec));
  }

  private static Unstructured of(String yaml) {
    return Unstructured.parseYaml(yaml).get(0);
  }

  private static Arguments schema(String old, String now, Severity severity, String finding) {
    return Arguments.of(old, now, severity, finding);
  }

  static List<Arguments> schemas() {
    return List.of(
        schema("type: string", "type: integer", STORED_OBJECTS, ".a: the type changed from string"),
        schema("type: integer", "type: number", CLIENTS, "from integer to number"),
        schema("type: string", "x-kubernetes-int-or-string: true", CLIENTS, "to integer or string"),
        schema(
            "type: array, items: {type: string}",
            "type: array, items: {type: integer}",
            STORED_OBJECTS,
            ".a[]: the type"),
        schema("type: string", "type: string, format: date", STORED_OBJECTS, "format date is new"),
        schema(
            "type: integer, format: int64",
            "type: integer, format: int32",
            STORED_OBJECTS,
            "the format changed from int64 to int32"),
        schema("type: integer, format: int32", "type: integer, format: int64", WARNING, "larger"),
        schema("type: string, enum: [a, b]", "type: string, enum: [a]", STORED_OBJECTS, "[b] are"),
        schema("type: string", "type: string, enum: [a]", STORED_OBJECTS, "only the values [a]"),
        schema("type: string, enum: [a]", "type: string, enum: [a, b]", WARNING, "[b] are new"),
        schema("type: string, enum: [a]", "type: string", WARNING, "any value is allowed"),
        schema(
            "type: integer, maximum: 9",
            "type: integer, maximum: 8",
            STORED_OBJECTS,
            "maximum changed from 9 to 8"),
        schema("type: integer", "type: integer, minimum: 0", STORED_OBJECTS, "minimum 0 is new"),
        schema("type: integer, minimum: 0", "type: integer, minimum: 1.5", STORED_OBJECTS, "1.5"),
        schema(
            "type: integer, minimum: 0",
            "type: integer, minimum: 0, exclusiveMinimum: true",
            STORED_OBJECTS,
            "exclusiveMinimum is new"),
        schema(
            "type: integer", "type: integer, multipleOf: 2", STORED_OBJECTS, "multipleOf is new"),
        schema("type: string", "type: string, maxLength: 3", STORED_OBJECTS, "maxLength 3 is new"),
        schema("type: array, maxItems: 3", "type: array, maxItems: 2", STORED_OBJECTS, "maxItems"),
        schema(
            "type: object, maxProperties: 3",
            "type: object, maxProperties: 2",
            STORED_OBJECTS,
            "maxProperties"),
        schema(
            "type: string, pattern: a",
            "type: string, pattern: b",
            STORED_OBJECTS,
            "pattern has changed"),
        schema("type: object", "type: object, oneOf: [{required: [b]}]", STORED_OBJECTS, "oneOf"),
        schema("type: string, nullable: true", "type: string", STORED_OBJECTS, "null is not"),
        schema(
            "type: array",
            "type: array, x-kubernetes-list-type: set",
            STORED_OBJECTS,
            "the list type changed from atomic to set"),
        schema("type: array, x-kubernetes-list-type: set", "type: array", CLIENTS, "set to atomic"),
        schema(
            "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a]",
            "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b]",
            STORED_OBJECTS,
            "the keys of the list changed from [a] to [b]"),
        schema("type: object", "type: object, x-kubernetes-map-type: atomic", CLIENTS, "map type"),
        schema(
            "type: object, x-kubernetes-preserve-unknown-fields: true",
            "type: object",
            STORED_OBJECTS,
            "unknown fields are not kept"),
        schema(
            "type: object, x-kubernetes-preserve-unknown-fields: true",
            "type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type:"
                + " string}}",
            STORED_OBJECTS,
            ".a.b: a field that objects may have already is checked now"),
        schema(
            "type: object, additionalProperties: {type: string}",
            "type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: {type:"
                + " integer}}",
            STORED_OBJECTS,
            ".a.b: the type changed from string to integer"),
        schema(
            "type: object, properties: {b: {type: string}}",
            "type: object, additionalProperties: {type: integer}",
            STORED_OBJECTS,
            ".a.b: the type changed from string to integer"),
        schema(
            "x-kubernetes-int-or-string: true",
            "x-kubernetes-int-or-string: true, anyOf: [{maximum: 5}, {minimum: 9}]",
            STORED_OBJECTS,
            "anyOf is new"),
        schema(
            "type: object, x-kubernetes-embedded-resource: true",
            "type: object",
            STORED_OBJECTS,
            "apiVersion, kind and metadata are not kept any more"),
        schema(
            "type: object",
            "type: object, x-kubernetes-embedded-resource: true",
            STORED_OBJECTS,
            "x-kubernetes-embedded-resource is new"),
        schema(
            "type: object, additionalProperties: {type: string}",
            "type: object",
            STORED_OBJECTS,
            "additionalProperties is gone"),
        schema(
            "type: object, additionalProperties: {type: string}",
            "type: object, additionalProperties: {type: string, maxLength: 1}",
            STORED_OBJECTS,
            ".a[]: maxLength 1"),
        schema(
            "type: object, properties: {b: {type: string}}",
            "type: object",
            STORED_OBJECTS,
            ".a.b: the field is gone"),
        schema(
            "type: object, properties: {b: {type: string}}",
            "type: object, x-kubernetes-preserve-unknown-fields: true",
            WARNING,
            ".a.b: the field"),
        schema(
            "type: object",
            "type: object, required: [b], properties: {b: {type: string}}",
            STORED_OBJECTS,
            ".a.b: it is required now and has no default"),
        schema(
            "type: object, required: [b], properties: {b: {type: string, default: x}}",
            "type: object, required: [b], properties: {b: {type: string}}",
            STORED_OBJECTS,
            ".a.b: it is required and has no default any more"),
        schema(
            "type: object, required: [b], properties: {b: {type: string}}",
            "type: object, properties: {b: {type: string}}",
            WARNING,
            "not required any more"),
        schema("type: string", "type: string, default: x", WARNING, "the default x is new"),
        schema("type: string, default: x", "type: string, default: z", WARNING, "from x to z"),
        schema(
            "type: string",
            "type: string, x-kubernetes-validations: [{rule: self != 'x'}]",
            STORED_OBJECTS,
            "the rule self != 'x' is new; change the stored objects first; servers since 1.30"),
        schema(
            "type: string, x-kubernetes-validations: [{rule: self == oldSelf}]",
            "type: string, x-kubernetes-validations: [{rule: self == oldSelf, optionalOldSelf:"
                + " true}]",
            STORED_OBJECTS,
            "the rule self == oldSelf is evaluated for new values, too"));
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void schemaThatAllowsLess_isFoundInEachVersion(
      String old, String now, Severity severity, String finding) {
    List<CrdFinding> found =
        CrdDiff.between(
            definition("{type: object, properties: {a: {" + old + "}}}"),
            definition("{type: object, properties: {a: {" + now + "}}}"));

    assertThat(found).extracting(CrdFinding::severity).contains(severity);
    assertThat(found)
        .filteredOn(each -> each.severity() == severity)
        .extracting(CrdFinding::toString)
        .anyMatch(each -> each.contains(finding) && each.contains("v1 .spec.a"))
        .anyMatch(each -> each.contains(finding) && each.contains("v1beta1 .spec.a"));
  }

  static List<Arguments> wider() {
    return List.of(
        Arguments.of("type: integer, maximum: 9", "type: integer, maximum: 10"),
        Arguments.of("type: integer, minimum: 1", "type: integer"),
        Arguments.of("type: string, pattern: a", "type: string"),
        Arguments.of("type: string", "type: string, nullable: true"),
        Arguments.of("type: string", "type: string, description: Text."),
        Arguments.of("type: object", "type: object, properties: {b: {type: string}}"),
        Arguments.of(
            "x-kubernetes-int-or-string: true",
            "x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]"),
        Arguments.of(
            "type: object, properties: {b: {type: string}}",
            "type: object, additionalProperties: {type: string}"),
        Arguments.of(
            "type: object, x-kubernetes-embedded-resource: true",
            "type: object, x-kubernetes-preserve-unknown-fields: true"),
        Arguments.of(
            "type: string, x-kubernetes-validations: [{rule: self != 'x'}]", "type: string"),
        Arguments.of(
            "type: object",
            "type: object, required: [b], properties: {b: {type: object, default: {}}}"));
  }

  @ParameterizedTest
  @MethodSource("wider")
  void schemaThatAllowsMore_breaksNothing(String old, String now) {
    assertThat(
            CrdDiff.between(
                definition("{type: object, properties: {a: {" + old + "}}}"),
                definition("{type: object, properties: {a: {" + now + "}}}")))
        .noneMatch(CrdFinding::isBreaking);
  }

  private static final String SPEC = "{type: object, properties: {a: {type: string}}}";

  static List<Arguments> definitions() {
    return List.of(
        Arguments.of("group: example.com", "group: other.com", STORED_OBJECTS, "spec.group"),
        Arguments.of("scope: Namespaced", "scope: Cluster", STORED_OBJECTS, "spec.scope: changed"),
        Arguments.of("plural: things", "plural: thingies", STORED_OBJECTS, "spec.names.plural"),
        Arguments.of("kind: Thing,", "kind: Thingy,", STORED_OBJECTS, "spec.names.kind"),
        Arguments.of("singular: thing", "singular: thingy", WARNING, "spec.names.singular"),
        Arguments.of("[th, tg]", "[th]", WARNING, "spec.names.shortNames: [tg] are gone"),
        Arguments.of("[all]", "[]", WARNING, "spec.names.categories: [all] are gone"),
        Arguments.of(
            "name: v1\n", "name: v2\n", STORED_OBJECTS, "v1: the version is gone, and obj"),
        Arguments.of("name: v1beta1", "name: v2", CLIENTS, "v1beta1: the version is gone;"),
        Arguments.of(
            "served: true\n    storage: false",
            "served: false\n    storage: false",
            CLIENTS,
            "v1beta1: the version is not served"),
        Arguments.of(
            "storage: false",
            "storage: false\n    deprecated: true",
            WARNING,
            "v1beta1: the version is deprecated"),
        Arguments.of("status: {}\n", "\n", CLIENTS, "v1 subresources.status: the subresource is g"),
        Arguments.of(
            "storage: false",
            "storage: false\n    subresources: {status: {}}",
            CLIENTS,
            "v1beta1 subresources.status: the subresource is new"),
        Arguments.of(".spec.n,", ".spec.m,", CLIENTS, "v1 subresources.scale: its paths"),
        Arguments.of("[{jsonPath: .spec.a}]", "[]", CLIENTS, "v1 selectableFields"));
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void definitionThatDiffers_isFound(String old, String now, Severity severity, String finding) {
    Unstructured before = definition(SPEC);
    Unstructured after = of(DEFINITION.replace("SPEC", SPEC).replaceFirst(Pattern.quote(old), now));

    assertThat(CrdDiff.between(before, before)).isEmpty();
    assertThat(CrdDiff.between(before, after))
        .anyMatch(each -> each.severity() == severity && each.toString().contains(finding));
  }

  @Test
  void definitionThatIsGone_breaksStoredObjects() {
    assertThat(CrdDiff.between(List.of(definition(SPEC)), List.of()))
        .singleElement()
        .matches(each -> each.severity() == STORED_OBJECTS)
        .hasToString(
            "breaks stored objects: things.example.com metadata.name: the definition is gone; its"
                + " deletion deletes all objects; keep it until there are none");
    assertThat(CrdDiff.between(List.of(), List.of(definition(SPEC)))).isEmpty();
  }

  /** A version that was stored once counts until the status has it no more. */
  @Test
  void storedVersionsOfTheStatus_count() {
    Unstructured before =
        definition(SPEC).with(List.of("v1", "v1beta1"), "status", "storedVersions");
    Unstructured after =
        before.with(before.nestedList("spec", "versions").get().subList(0, 1), "spec", "versions");

    assertThat(CrdDiff.between(before, after))
        .extracting(CrdFinding::severity, CrdFinding::path)
        .containsExactly(tuple(STORED_OBJECTS, "v1beta1"));
  }

  @Test
  void versionsWithOtherFields_needAConversion() {
    Unstructured before = definition(SPEC);
    String text = DEFINITION.replaceFirst("SPEC", SPEC.replace("a:", "b:")).replace("SPEC", SPEC);
    Unstructured after = of(text);

    assertThat(CrdDiff.between(before, after))
        .anyMatch(each -> each.toString().contains("v1beta1: its fields differ from those of the"));
    assertThat(CrdDiff.between(after, after)).isEmpty();
    assertThat(CrdDiff.between(before, after.with("Webhook", "spec", "conversion", "strategy")))
        .noneMatch(each -> each.toString().contains("its fields differ"));
  }

  /** The server changes the apiVersion of a stored object only. */
  @Test
  void newVersionOfOtherTypes_needsAConversion() {
    Unstructured now = of(DEFINITION.replace("SPEC", "{type: string, maxLength: 3}"));
    Unstructured before =
        now.with(now.nestedList("spec", "versions").get().subList(0, 1), "spec", "versions");

    for (String other : List.of("integer", "string, maxLength: 2")) {
      String text = DEFINITION.replaceFirst("SPEC", "{type: string, maxLength: 3}");
      Unstructured after = of(text.replace("SPEC", "{type: " + other + "}"));

      assertThat(CrdDiff.between(before, after))
          .as("new version, %s", other)
          .anyMatch(
              each ->
                  each.severity() == STORED_OBJECTS
                      && each.path().equals("v1beta1 (of objects stored in v1) .spec"));
      assertThat(CrdDiff.between(after.with("Webhook", "spec", "conversion", "strategy"), after))
          .as("no webhook any more")
          .anyMatch(CrdFinding::isBreaking);
      assertThat(CrdDiff.between(before, after.with("Webhook", "spec", "conversion", "strategy")))
          .isEmpty();
      assertThat(CrdDiff.between(after, after)).isEmpty();
    }
    assertThat(CrdDiff.between(before, now)).isEmpty();
  }

  @Test
  void unknownFieldsOfAnOldDefinition_areNotKept() {
    Unstructured now = definition(SPEC);

    assertThat(CrdDiff.between(now.with(true, "spec", "preserveUnknownFields"), now))
        .extracting(each -> each.severity() + " " + each.path())
        .containsExactly("breaks stored objects spec.preserveUnknownFields");
  }

  /** With a conversion webhook, objects are checked as clients send them. */
  @Test
  void servedVersionBesideTheStoredOne_breaksClientsIfThereIsAConversion() {
    Unstructured before = definition(SPEC).with("Webhook", "spec", "conversion", "strategy");
    Unstructured after =
        of(DEFINITION.replace("SPEC", SPEC.replace("string", "string, maxLength: 3")))
            .with("Webhook", "spec", "conversion", "strategy");

    assertThat(CrdDiff.between(before, after))
        .extracting(each -> each.severity() + " " + each.path())
        .containsExactly("breaks stored objects v1 .spec.a", "breaks clients v1beta1 .spec.a");
  }

  @CustomResource(group = "example.com", version = "v1")
  record Thing(@Schema(maximum = 10) int spec) {}

  @CustomResource(group = "example.com", version = "v1", kind = "Thing")
  record Less(@Schema(maximum = 5) int spec) {}

  /** As a user's test compares with the definitions of the last release. */
  @Test
  void recordsOfTwoReleases_areCompared() {
    assertThat(
            CrdDiff.between(
                CustomResourceDefinitions.of(Thing.class),
                CustomResourceDefinitions.of(Less.class)))
        .singleElement()
        .matches(CrdFinding::isBreaking)
        .extracting(CrdFinding::change)
        .isEqualTo("maximum changed from 10 to 5");
  }
}
