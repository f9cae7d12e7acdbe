package dev.clientgo.simulation.internal.values;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldValuesTest {

  /** Returns the specs, as JSON, that differ from one in the field {@code a}. */
  private static List<String> specs(String schemaOfA, String spec) {
    return specs("{type: object, properties: {a: " + schemaOfA + "}}", spec, "spec.a");
  }

  private static List<String> specs(String schemaOfSpec, String spec, String path) {
    Map<String, Object> schema =
        tree("{type: object, properties: {kind: {type: string}, spec: " + schemaOfSpec + "}}");
    SchemaField field =
        SchemaField.all(schema).stream()
            .filter(one -> one.toString().equals(path))
            .findFirst()
            .orElseThrow();
    List<String> specs = new ArrayList<>();
    for (Object variant : FieldValues.variants(field, tree("spec: " + spec), schema)) {
      specs.add(String.valueOf(((Map<?, ?>) variant).get("spec")));
    }
    return specs;
  }

  private static Map<String, Object> tree(String yaml) {
    return Map.copyOf(Unstructured.parseYaml(yaml).get(0).content());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          boolean                                 | {a: true}   | {a=false}, {}
          'string, enum: [x, y, z]'               | {a: y}      | {a=x}, {}, {a=z}
          'integer, minimum: 0, maximum: 10'      | {a: 5}      | {a=0}, {}, {a=6}, {a=4}, {a=1}, {a=2}, {a=9}, {a=10}
          'integer, minimum: 1, maximum: 9, multipleOf: 4' | {} | {a=8}, {a=4}
          'string, format: date-time'             | {}          | {a=2026-02-03T04:05:06Z}
          'string, minLength: 2, maxLength: 3'    | {a: v1}     | {a=v2}, {}, {a=aa}, {a=aaa}
          'string, pattern: "^[a-z]/[a-z]$"'      | {}          | {a=b/b}
          'array, items: {type: string}'          | '{a: [p, q]}' | '{a=[q, p]}, {}, {a=[]}, {a=[p]}, {a=[p, q, p-b]}'
          'object, additionalProperties: {type: string}' | '{a: {k1: v}}' | '{a={k1=v, k2=v}}, {}, {a={}}'
          """)
  void values_ofAField(String schema, String spec, String expected) {
    assertThat(String.join(", ", specs("{type: " + schema + "}", spec))).isEqualTo(expected);
  }

  @Test
  void requiredField_isNotLeftOut() {
    assertThat(
            specs(
                "{type: object, required: [a], properties: {a: {type: boolean}}}",
                "{a: true}",
                "spec.a"))
        .containsExactly("{a=false}");
  }

  @Test
  void missingParents_getWhatTheyMustHave() {
    String spec =
        "{type: object, properties: {list: {type: array, items: {type: object, required: [name],"
            + " properties: {name: {type: string}, up: {type: boolean}}}}}}";

    assertThat(specs(spec, "{}", "spec.list[].up"))
        .containsExactly("{list=[{name=b, up=true}]}", "{list=[{name=b, up=false}]}");
  }

  @Test
  void elementsOfAKeyedList_haveTheirOwnKeys() {
    String spec =
        "{type: object, properties: {list: {type: array, x-kubernetes-list-map-keys: [name],"
            + " items: {type: object, properties: {port: {type: string}, name: {type: string}}}}}}";

    assertThat(specs(spec, "{list: [{port: p, name: m}]}", "spec.list"))
        .contains("{list=[{port=p, name=m}, {port=p, name=m-b}]}");
  }
}
