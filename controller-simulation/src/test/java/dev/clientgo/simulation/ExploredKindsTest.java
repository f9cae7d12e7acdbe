package dev.clientgo.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.simulation.CustomKind.Code;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Explorations of kinds with schemas, versions and scopes of all sorts. */
@Timeout(300)
final class ExploredKindsTest {

  private static final String STATUS =
      "status: {type: object, x-kubernetes-preserve-unknown-fields: true}";

  /** Writes the whole spec into the child, as JSON. */
  private static final Code COPIES = (object, before) -> Map.of("spec", json(object));

  /** Reports nothing at a value that the server accepts. */
  private static final Code FAILS_AT_THREE =
      (object, before) -> {
        if (json(object).equals("{\"a\":3}")) {
          throw new IllegalStateException("three");
        }
        return COPIES.data(object, before);
      };

  private static String json(Unstructured object) {
    return Unstructured.of(object.nestedMap("spec").orElse(Map.of())).toJson();
  }

  private static CustomKind kind(String schemaOfSpec, String spec) {
    return kind(schemaOfSpec, spec, "Namespaced", "{status: {}}", "v1");
  }

  private static CustomKind kind(
      String schemaOfSpec, String spec, String scope, String subresources, String version) {
    String schema =
        "{type: object, required: [spec], properties: {spec: {type: object, "
            + schemaOfSpec
            + "}, "
            + STATUS
            + "}}";
    return CustomKind.of(
        scope, subresources, schema, version, "metadata: {name: mine}\nspec: " + spec + "\n");
  }

  private static ExplorationResult explore(CustomKind kind, Code code) {
    return kind.exploration(kind.simulation(code).mostFailures(1)).runs(60).run();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: {type: integer, minimum: 1}, b: {type: object, properties: {c: {type: boolean}}} | '{a: 2, b: {c: true}}'
          a: {type: array, items: {type: object, required: [n], properties: {n: {type: string}, p: {type: integer, default: 80}}}} | '{a: [{n: x}]}'
          a: {type: object, additionalProperties: {type: string}}, b: {x-kubernetes-int-or-string: true} | '{a: {k: v}, b: 50%}'
          a: {type: object, x-kubernetes-preserve-unknown-fields: true}, b: {type: string} | '{a: {k: {l: v}}, b: x}'
          a: {type: string, enum: [x, z]}, b: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf}]} | '{a: x, b: 1}'
          a: {type: number, minimum: 0.1, maximum: 0.9} | '{a: 0.5}'
          a: {type: integer, maximum: 5, x-kubernetes-validations: [{rule: self >= oldSelf}]} | '{a: 1}'
          a: {type: array, items: {type: string, nullable: true}} | '{a: [null, x]}'
          a: {type: string, nullable: true, enum: [x, null, z]} | '{a: x}'
          """)
  void rightController_isSilent(String properties, String spec) {
    ExplorationResult result = explore(kind("properties: {" + properties + "}", spec), COPIES);

    result.assertPassed();
    assertThat(result.changes()).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Namespaced | {status: {}} | v1
          Namespaced | {status: {}} | v2
          Namespaced | {}           | v1
          Namespaced | {}           | v2
          Cluster    | {status: {}} | v1
          """)
  void silentFailure_isFound_andFieldsWithoutEffectAreNamed(
      String scope, String subresources, String version) {
    CustomKind kind =
        kind(
            "properties: {a: {type: integer, maximum: 3}}", "{a: 1}", scope, subresources, version);

    ExplorationResult found = explore(kind, FAILS_AT_THREE);
    ExplorationResult withoutEffect = explore(kind, (object, before) -> Map.of());

    assertThat(found.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.change()).isEqualTo("{\"spec\":{\"a\":3}}"))
        .satisfies(finding -> assertThat(finding.violations().get(0)).contains("does not say so"));
    assertThat(withoutEffect.withoutEffect()).contains("spec.a");
  }

  /** A fresh cluster cannot have such an object, so there is nothing to compare. */
  @Test
  void value_thatOnlyAnUpdateMayHave_isNoFailure() {
    CustomKind kind =
        kind(
            "properties: {a: {type: integer, maximum: 3, x-kubernetes-validations:"
                + " [{rule: oldSelf.hasValue() || self == 1, optionalOldSelf: true}]}}",
            "{a: 1}");

    explore(kind, COPIES).assertPassed();
    assertThat(explore(kind, FAILS_AT_THREE).findings()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: self == oldSelf}] | 60
          'properties: {a: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf}]}}, required: [a]' | 60
          'properties: {a: {type: integer}}' | 3
          """)
  void exploration_withoutAChange_doesNotPass(String schema, int runs) {
    CustomKind kind = kind(schema, "{a: 1}");

    ExplorationResult result = kind.exploration(kind.simulation(COPIES)).runs(runs).run();

    assertThat(result.changes()).as("%s", result).isZero();
    assertThat(result.findings()).isEmpty();
    assertThat(result.passed()).isFalse();
    assertThatThrownBy(result::assertPassed).hasMessageContaining("no change was tried");
  }

  @Test
  void object_withoutAName_isRefused() {
    CustomKind kind = kind("properties: {a: {type: integer}}", "{a: 1}");
    Unstructured start =
        kind.start().withMetadata(ObjectMeta.builder().generateName("mine-").build());

    assertThatThrownBy(() -> kind.simulation(COPIES).explore(kind.type(), start))
        .hasMessageContaining("name");
  }

  /** The order of a {@code Map.of} differs from JVM to JVM. */
  @Test
  void orderOfTheFields_doesNotMatter() {
    CustomKind kind =
        kind(
            "properties: {m: {type: object, additionalProperties: {type: string}}}",
            "{m: {k1: v, k2: w}}");
    Unstructured other =
        Unstructured.parse(
            "{\"metadata\":{\"name\":\"mine\"},\"spec\":{\"m\":{\"k2\":\"w\",\"k1\":\"v\"}}}");
    ControllerSimulation simulation =
        kind.simulation(
            (object, before) -> before.isEmpty() ? COPIES.data(object, before) : before);

    ExplorationResult result = kind.exploration(simulation).runs(60).run();

    assertThat(result.findings()).isNotEmpty();
    assertThat(simulation.explore(kind.type(), other).runs(60).run()).isEqualTo(result);
  }
}
