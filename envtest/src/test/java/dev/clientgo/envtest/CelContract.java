package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.envtest.internal.json.YamlText;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of custom kinds and conditions of webhooks in CEL. Each test has its own group. */
abstract class CelContract extends Contract {

  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private static final String NOT_CHECKED =
      "<nil>: Invalid value: null: some validation rules were not checked because the object was"
          + " invalid; correct the existing errors to complete validation";

  private String group = "";
  private int maps;

  @BeforeEach
  void nameGroup() {
    group = namespace + ".cel.example.com";
  }

  @AfterEach
  void removeWebhooks() {
    api().delete(VALIDATING + "/" + namespace);
  }

  private Answer send(String method, String path, String yaml) {
    String json = new String(YamlText.toJson(yaml.getBytes(UTF_8)), UTF_8);
    return api().send(method, path, json.replace("'", "\\u0027"));
  }

  /** Sends the definition of a kind with the schemas of its spec and its status. */
  private Answer defineWith(String spec, String status) {
    return send(
        "POST",
        DEFINITIONS,
        """
        metadata: {name: rules.GROUP}
        spec:
          group: GROUP
          scope: Namespaced
          names: {plural: rules, kind: Rule}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                x-kubernetes-validations:
                - {rule: self.metadata.name != "root" && self.kind == "Rule", message: bad name}
                properties:
                  status: {STATUS}
                  spec:
                    type: object
        SPEC
        """
            .replace("GROUP", group)
            .replace("STATUS", status)
            .replace("SPEC", spec.indent(12)));
  }

  /** Defines a kind and waits until it is served. */
  private void define(String spec, String status) {
    must(201, defineWith(spec, status));
    eventually(() -> api().get(rules()).code() == 200);
  }

  private void define(String spec) {
    define(spec, "type: object");
  }

  private String rules() {
    return "/apis/" + group + "/v1/namespaces/" + namespace + "/rules";
  }

  private Answer createRule(String name, String spec) {
    return write("POST", rules(), "{name: " + name + "}", spec);
  }

  private Answer replace(String name, String spec) {
    Object version = api().get(rules() + "/" + name).at("metadata", "resourceVersion");
    String metadata = "{name: " + name + ", resourceVersion: \"" + version + "\"}";
    return write("PUT", rules() + "/" + name, metadata, spec);
  }

  private Answer write(String method, String path, String metadata, String spec) {
    return send(
        method,
        path,
        "apiVersion: " + group + "/v1\nkind: Rule\nmetadata: " + metadata + "\nspec: " + spec);
  }

  private static List<String> causes(Answer answer) {
    assertThat(answer.code()).as(answer.text()).isEqualTo(422);
    return JsonTree.objects(answer.json(), "details", "causes").stream()
        .map(cause -> cause.get("field") + ": " + cause.get("message"))
        .toList();
  }

  @Test
  void rule_atEachLevel_hasThePathAndTheWordsOfItsError() {
    define(
        """
        x-kubernetes-validations:
        - {rule: self.min <= self.max}
        - {rule: self.min <= self.max, message: min is large}
        - {rule: self.min <= self.max, message: fixed, messageExpression: 'self.min > 8 ? "far" : "near"'}
        - {rule: self.min <= self.max, message: never, reason: FieldValueForbidden, fieldPath: .min}
        - {rule: '!has(self.tags) || self.tags.all(t, t.size() < 5)', reason: FieldValueRequired, message: long, fieldPath: .tags}
        - {rule: '!has(self.late) || self.late != "dup"', reason: FieldValueDuplicate, fieldPath: .late}
        - {rule: '!has(self.div) || 10 / self.div > 0', message: divides}
        properties:
          min: {type: integer, default: 0}
          max: {type: integer, default: 10}
          div: {type: integer}
          late: {type: string}
          num: {type: number, x-kubernetes-validations: [{rule: self > 0.5 && self < 2}]}
          tags:
            type: array
            maxItems: 10
            x-kubernetes-validations: [{rule: self.isSorted(), message: not sorted}]
            items: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != "x", message: x}]}
          labels:
            type: object
            maxProperties: 10
            x-kubernetes-validations: [{rule: 'self.all(k, k != "bad")', message: bad key}]
            additionalProperties: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: self != "q", message: no q}]}
        """);

    assertThat(causes(createRule("root", "{}"))).containsExactly("<nil>: Invalid value: bad name");
    assertThat(causes(createRule("a", "{min: 5, max: 3}")))
        .containsExactlyInAnyOrder(
            "spec: Invalid value: failed rule: self.min <= self.max",
            "spec: Invalid value: min is large",
            "spec: Invalid value: near",
            "spec.min: Forbidden: never");
    assertThat(causes(createRule("a", "{tags: [abcdef, x, b], late: dup, div: 0}")))
        .containsExactlyInAnyOrder(
            "spec.tags: Required value: long",
            "spec.late: Duplicate value",
            "spec: Invalid value: \"object\": division by zero evaluating rule: divides",
            "spec.tags: Invalid value: not sorted",
            "spec.tags[1]: Invalid value: \"x\": x");
    assertThat(causes(createRule("a", "{num: 0.25, labels: {bad: a, k.e/y: q}}")))
        .containsExactlyInAnyOrder(
            "spec.num: Invalid value: 0.25: failed rule: self > 0.5 && self < 2",
            "spec.labels: Invalid value: bad key",
            "spec.labels[k.e/y]: Invalid value: \"q\": no q");
    assertThat(causes(createRule("a", "{num: text, min: 11}")))
        .containsExactlyInAnyOrder(
            "spec.num: Invalid value: \"string\": spec.num in body must be of type number:"
                + " \"string\"",
            NOT_CHECKED);
    must(201, createRule("a", "{num: 1, tags: [a, b], labels: {a: b}}"));
  }

  @Test
  void transitionRule_isForWhatWasThereBefore_andFindsElementsByTheirKeys() {
    define(
        """
        x-kubernetes-validations: [{rule: '!has(oldSelf.late) || has(self.late)', message: is kept}]
        properties:
          late: {type: string}
          mode:
            type: string
            maxLength: 9
            x-kubernetes-validations:
            - {rule: self == oldSelf, message: is immutable}
            - {rule: '!oldSelf.hasValue() || oldSelf.value() == "z" || self != "m!"', optionalOldSelf: true, message: louder}
            - {rule: 'oldSelf.orValue("new") != "new" || self != "born"', optionalOldSelf: true, message: not born}
          list:
            type: array
            maxItems: 10
            x-kubernetes-list-type: map
            x-kubernetes-list-map-keys: [name]
            items:
              type: object
              required: [name]
              properties:
                name: {type: string, maxLength: 9}
                value: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf, message: shrinks}]}
        """);

    assertThat(causes(createRule("a", "{mode: born}")))
        .containsExactly("spec.mode: Invalid value: \"born\": not born");
    must(
        201,
        createRule("a", "{mode: m, late: z, list: [{name: p, value: 3}, {name: q, value: 1}]}"));
    assertThat(causes(replace("a", "{mode: m!, list: [{name: q, value: 2}, {name: p, value: 2}]}")))
        .containsExactlyInAnyOrder(
            "spec: Invalid value: is kept",
            "spec.mode: Invalid value: \"m!\": is immutable",
            "spec.mode: Invalid value: \"m!\": louder",
            "spec.list[1].value: Invalid value: 2: shrinks");
    Answer patched = api().mergePatch(rules() + "/a", "{'spec':{'mode':'n'}}");
    assertThat(causes(patched)).containsExactly("spec.mode: Invalid value: \"n\": is immutable");
    must(200, replace("a", "{mode: m, late: w, list: [{name: r, value: 0}, {name: p, value: 3}]}"));
  }

  @Test
  void status_isCheckedByItsRules() {
    define(
        "properties: {a: {type: integer}}",
        "type: object, x-kubernetes-validations: [{rule: self.count < 5, message: many}],"
            + " properties: {count: {type: integer}}");
    must(201, createRule("a", "{}"));

    Answer written = api().mergePatch(rules() + "/a/status", "{'status':{'count':7}}");

    assertThat(causes(written)).containsExactly("status: Invalid value: many");
    assertThat(
            causes(api().mergePatch(rules() + "/a/status", "{'status':{'other':7,'count':null}}")))
        .containsExactly(
            "status: Invalid value: \"object\": no such key: count evaluating rule: many");
    must(200, api().mergePatch(rules() + "/a/status", "{'status':{'count':4}}"));
  }

  @Test
  void values_haveTheTypesOfTheirSchemas() {
    define(
        """
        properties:
          port: {x-kubernetes-int-or-string: true, x-kubernetes-validations: [{rule: 'type(self) == int ? self > 0 : self != ""', message: port}]}
          text: {type: string, nullable: true, x-kubernetes-validations: [{rule: self != "nn", message: text}]}
          open: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: '!has(self.a) || self.a == 1', message: open}]}
          wait: {type: string, format: duration, x-kubernetes-validations: [{rule: 'self < duration("1h")', message: wait}]}
          when: {type: string, format: date-time, x-kubernetes-validations: [{rule: 'self.getFullYear() > 2000', message: when}]}
          data: {type: string, format: byte, x-kubernetes-validations: [{rule: 'self != b"x"', message: data}]}
          sum: {type: array, maxItems: 9, items: {type: integer}, x-kubernetes-validations: [{rule: 'size(self) == 0 || self.max() - self.min() < 3 && self.indexOf(9) == -1', message: sum}]}
          big: {type: integer, format: int64, x-kubernetes-validations: [{rule: self + 1 > 0, message: big}]}
          odd:
            type: object
            x-kubernetes-validations: [{rule: 'self.a__dot__b + self.c__dash__d + self.e__slash__f + self.g__underscores__h + self.__namespace__ != 5', message: odd}]
            properties: {a.b: {type: integer, default: 1}, c-d: {type: integer, default: 1}, e/f: {type: integer, default: 1}, g__h: {type: integer, default: 1}, namespace: {type: integer, default: 1}}
          pod:
            type: object
            x-kubernetes-embedded-resource: true
            x-kubernetes-preserve-unknown-fields: true
            x-kubernetes-validations: [{rule: self.kind == "Pod" && self.metadata.name != "p", message: pod}]
        """);

    assertThat(causes(createRule("a", "{port: 0, text: nn, open: {a: 2, b: {c: d}}, odd: {}}")))
        .containsExactlyInAnyOrder(
            "spec.port: Invalid value: 0: port",
            "spec.text: Invalid value: \"nn\": text",
            "spec.open: Invalid value: open",
            "spec.odd: Invalid value: odd");
    assertThat(
            causes(
                createRule(
                    "a",
                    "{port: \"\", wait: 2h, when: \"1999-01-01T00:00:00Z\", data: eA==, sum: [1, 9],"
                        + " pod: {apiVersion: v1, kind: Pod, metadata: {name: p}}}")))
        .containsExactlyInAnyOrder(
            "spec.port: Invalid value: \"\": port",
            "spec.wait: Invalid value: \"2h\": wait",
            "spec.when: Invalid value: \"1999-01-01T00:00:00Z\": when",
            "spec.data: Invalid value: \"eA==\": data",
            "spec.sum: Invalid value: sum",
            "spec.pod: Invalid value: pod");
    assertThat(causes(createRule("a", "{big: 9223372036854775807}")))
        .containsExactly(
            "spec.big: Invalid value: \"integer\": integer overflow evaluating rule: big");
    must(
        201,
        createRule("a", "{port: x, text: null, open: {b: 1}, wait: 1m, sum: [], odd: {g__h: 2}}"));
  }

  @Test
  void valueThatHasNotChanged_mayViolateANewRule() {
    define("properties: {a: {type: integer}, b: {type: integer}}");
    must(201, createRule("a", "{a: 9, b: 1}"));
    String path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/a";
    must(
        200,
        api()
            .jsonPatch(
                DEFINITIONS + "/rules." + group,
                "[{'op':'add','path':'"
                    + path
                    + "/x-kubernetes-validations','value':[{'rule':'self < 5'}]}]"));
    eventually(() -> createRule("new", "{a: 9}").code() == 422);

    must(200, api().mergePatch(rules() + "/a", "{'spec':{'b':2}}"));
    assertThat(causes(api().mergePatch(rules() + "/a", "{'spec':{'a':8}}")))
        .containsExactly("spec.a: Invalid value: 8: failed rule: self < 5");
  }

  @Test
  void objects_canBeComparedWithWhatTheyWere() {
    define(
        """
        properties:
          a: {type: object, x-kubernetes-map-type: atomic, x-kubernetes-validations: [{rule: self == oldSelf, message: a}], properties: {x: {type: integer, x-kubernetes-validations: [{rule: self >= oldSelf, message: shrinks}]}}}
          l: {type: array, maxItems: 5, x-kubernetes-validations: [{rule: 'oldSelf.all(x, x in self)', message: l}], items: {type: object, properties: {x: {type: integer}}}}
          m: {type: object, maxProperties: 5, x-kubernetes-validations: [{rule: self == oldSelf, message: m}], additionalProperties: {type: object, properties: {x: {type: integer}}}}
          o: {type: object, x-kubernetes-validations: [{rule: '!oldSelf.hasValue() || self == oldSelf.value()', optionalOldSelf: true, message: o}], properties: {x: {type: integer}}}
          p: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-validations: [{rule: self == oldSelf, message: p}]  , properties: {spec: {type: object}}}
        """);
    String pod = "p: {apiVersion: v1, kind: Pod, metadata: {name: x, labels: {a: LABEL}}}";
    must(
        201,
        createRule(
            "a",
            "{a: {x: 5}, l: [{x: 1}], m: {k: {x: 1}}, o: {x: 1}, "
                + pod.replace("LABEL", "b")
                + "}"));

    assertThat(
            causes(
                replace(
                    "a",
                    "{a: {x: 4}, l: [{x: 2}], m: {k: {x: 2}}, o: {x: 2}, "
                        + pod.replace("LABEL", "c")
                        + "}")))
        .containsExactlyInAnyOrder(
            "spec.a: Invalid value: a",
            "spec.a.x: Invalid value: 4: shrinks",
            "spec.l: Invalid value: l",
            "spec.m: Invalid value: m",
            "spec.o: Invalid value: o",
            "spec.p: Invalid value: p");
    must(200, replace("a", "{a: {x: 5}, l: [{x: 2}, {x: 1}], m: {k: {x: 1}}, o: {x: 1}}"));
  }

  @Test
  void fieldPath_leadsToTheFieldOfTheError() {
    define(
        """
        x-kubernetes-validations:
        - {rule: self.a < 5, message: x, fieldPath: "['a.b']"}
        - {rule: self.a < 5, message: x, fieldPath: ".o['x.y'].z"}
        - {rule: self.a < 5, message: x, fieldPath: .m.k}
        - {rule: self.a < 5, message: x, fieldPath: ".m['l.k']"}
        properties:
          a: {type: integer}
          a.b: {type: string}
          m: {type: object, additionalProperties: {type: string}}
          o: {type: object, properties: {x.y: {type: object, properties: {z: {type: string}}}}}
        """);

    assertThat(causes(createRule("a", "{a: 7}")))
        .containsExactlyInAnyOrder(
            "spec.a.b: Invalid value: x",
            "spec.o.x.y.z: Invalid value: x",
            "spec.m[k]: Invalid value: x",
            "spec.m[l.k]: Invalid value: x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", ".", ".a.", ".l[0]", "[0]", ".['a']", ".m[k]", ".l.x"})
  void fieldPathOfAnotherForm_isRefused(String path) {
    Answer answer =
        defineWith(
            """
            x-kubernetes-validations: [{rule: self.a < 5, fieldPath: "PATH"}]
            properties:
              a: {type: integer}
              l: {type: array, items: {type: object, properties: {x: {type: integer}}}}
              m: {type: object, additionalProperties: {type: string}}
            """
                .replace("PATH", path),
            "type: object");

    assertThat(causes(answer))
        .containsExactly(
            "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].fieldPath:"
                + " Invalid value: \""
                + path
                + "\": must be a valid path");
  }

  @Test
  void listsAndTwoVariables_canBeUsed() {
    define(
        """
        properties:
          l:
            type: array
            maxItems: 5
            items: {type: integer}
            x-kubernetes-validations:
            - {rule: 'self.sort() == self.distinct() && self.slice(0, 1).reverse() == [1]', message: l}
            - {rule: 'self.all(i, x, i <= x) && self.transformList(i, x, i + x).size() > 0', message: two}
        """);

    assertThat(causes(createRule("a", "{l: [1, 3, 2]}")))
        .containsExactly("spec.l: Invalid value: l");
    assertThat(causes(createRule("a", "{l: [1, 0, 2]}")))
        .containsExactlyInAnyOrder("spec.l: Invalid value: l", "spec.l: Invalid value: two");
    must(201, createRule("a", "{l: [1, 2, 3]}"));
  }

  /** A part of a schema, the place of its error, and the end of the error. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "type: string, RULES: [{rule: 'self.matches(\"(\")'}] | RULES[0].rule | ''",
        "type: string, format: duration, RULES: [{rule: 'self < duration(\"1d\")'}] | RULES[0].rule | ''",
        "type: string, format: date, RULES: [{rule: 'self < timestamp(\"1d\")'}] | RULES[0].rule | ''",
        "type: integer, RULES: [{rule: self < 5, message: ' '}] | RULES[0].message | must be non-empty if specified",
        "type: integer, RULES: [{rule: self < 5, message: \"a\\nb\"}] | RULES[0].message | must not contain line breaks",
        "type: integer, RULES: [{rule: \"self <\\n5\"}] | RULES[0].message | message must be specified if rule contains line breaks",
        "type: integer, RULES: [{rule: self < 5, messageExpression: ' '}] | RULES[0].messageExpression | ''",
        "type: integer, RULES: [{rule: self < 5, optionalOldSelf: true}] | RULES[0].optionalOldSelf | may not be set if oldSelf is not used in rule",
        "type: integer, default: 7, RULES: [{rule: self < 5, message: big}] | default | 'Invalid value: 7: big'",
        "type: integer, default: x | default | ''",
        "type: object, default: {}, required: [x], properties: {x: {type: integer}} | default.x | Required value",
        "type: object, properties: {x: {OPEN: true}}, RULES: [{rule: has(self.x)}] | RULES[0].rule | ''",
      })
  void badSchema_isRefused(String schema, String field, String end) {
    String open = "x-kubernetes-preserve-unknown-fields";
    String all = "properties: {a: {" + schema.replace("OPEN", open) + "}}";

    List<String> problems =
        causes(defineWith(all.replace("RULES", "x-kubernetes-validations"), "type: object"));

    String path = "spec.validation.openAPIV3Schema.properties[spec].properties[a].";
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0))
        .startsWith(path + field.replace("RULES", "x-kubernetes-validations") + ": ")
        .endsWith(end);
  }

  @Test
  void elementsOfASet_andKeys_areUnique() {
    define(
        """
        properties:
          set: {type: array, x-kubernetes-list-type: set, items: {type: integer}}
          map: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, p], items: {type: object, required: [k], properties: {k: {type: string}, p: {type: integer, default: 1}, v: {type: integer}}}}
        """);

    assertThat(
            causes(
                createRule(
                    "a", "{set: [1, 2, 1, 1], map: [{k: a, v: 1}, {k: a, p: 2}, {k: a, v: 2}]}")))
        .containsExactlyInAnyOrder(
            "spec.set[2]: Duplicate value: 1",
            "spec.map[2]: Duplicate value: {\"k\":\"a\",\"p\":1}");
    must(201, createRule("a", "{set: [1, 2], map: [{k: a}, {k: b}]}"));
  }

  @Test
  void partThatHasNotChanged_mayViolateANewSchema() {
    define(
        """
        properties:
          a: {type: string}
          b: {type: integer}
          list: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, required: [k], properties: {k: {type: string}, v: {type: integer}}}}
          set: {type: array, items: {type: integer}}
        """);
    must(
        201, createRule("a", "{a: abcdef, b: 9, list: [{k: p, v: 9}, {k: q, v: 1}], set: [1, 1]}"));
    String path = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/";
    must(
        200,
        api()
            .jsonPatch(
                DEFINITIONS + "/rules." + group,
                ("[{'op':'add','path':'PATH/a/maxLength','value':3},"
                        + "{'op':'add','path':'PATH/b/maximum','value':5},"
                        + "{'op':'add','path':'PATH/set/x-kubernetes-list-type','value':'set'},"
                        + "{'op':'add','path':'PATH/list/items/properties/v/maximum','value':5}]")
                    .replace("PATH/", path)));
    eventually(() -> createRule("new", "{b: 9}").code() == 422);

    must(
        200,
        api()
            .mergePatch(
                rules() + "/a", "{'spec':{'set':[2,2],'list':[{'k':'q','v':2},{'k':'p','v':9}]}}"));
    assertThat(causes(api().mergePatch(rules() + "/a", "{'spec':{'b':8,'a':'abcdefg'}}")))
        .containsExactlyInAnyOrder(
            "spec.a: Too long: may not be more than 3 bytes",
            "spec.b: Invalid value: 8: spec.b in body should be less than or equal to 5",
            NOT_CHECKED);
    assertThat(
            causes(
                api().mergePatch(rules() + "/a", "{'spec':{'list':[{'k':'p','v':8},{'k':'q'}]}}")))
        .containsExactly(
            "spec.list[0].v: Invalid value: 8: spec.list[0].v in body should be less than or equal"
                + " to 5");
  }

  @Test
  void definitionWithABadRule_isRefused() {
    String path = "spec.validation.openAPIV3Schema.properties[spec]";
    List<String> problems =
        causes(
            defineWith(
                """
                x-kubernetes-validations:
                - {rule: self.nope == 5}
                - {rule: self.a == "x"}
                - {rule: self.a}
                - {rule: frob(self.a)}
                - {rule: 'true', messageExpression: self.a}
                properties:
                  a: {type: integer}
                """,
                "type: object"));

    assertThat(problems)
        .containsExactlyInAnyOrder(
            path
                + invalid(0, "rule", "self.nope == 5", "")
                + "compilation failed: ERROR: <input>:1:5: undefined field 'nope'\n"
                + " | self.nope == 5\n | ....^",
            path
                + invalid(1, "rule", "self.a == \\\"x\\\"", "")
                + "compilation failed: ERROR: <input>:1:8: found no matching overload for '_==_'"
                + " applied to '(int, string)'\n | self.a == \"x\"\n | .......^",
            path + invalid(2, "rule", "self.a", "") + "cel expression must evaluate to a bool",
            path
                + invalid(3, "rule", "frob(self.a)", "")
                + "compilation failed: ERROR: <input>:1:5: undeclared reference to 'frob' (in"
                + " container '')\n | frob(self.a)\n | ....^",
            path
                + invalid(4, "messageExpression", "true", "self.a")
                + "messageExpression must evaluate to a string");

    assertThat(
            causes(
                defineWith(
                    """
                    x-kubernetes-validations:
                    - {rule: 'true', fieldPath: .nope}
                    - {rule: 'true', reason: Nope}
                    - {rule: ''}
                    properties:
                      a: {type: integer}
                      list: {type: array, items: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf}]}}
                    """,
                    "type: object")))
        .containsExactlyInAnyOrder(
            path
                + ".x-kubernetes-validations[0].fieldPath: Invalid value: \".nope\": must be a"
                + " valid path",
            path
                + ".x-kubernetes-validations[1].reason: Unsupported value: \"Nope\": supported"
                + " values: \"FieldValueDuplicate\", \"FieldValueForbidden\","
                + " \"FieldValueInvalid\", \"FieldValueRequired\"",
            path + ".x-kubernetes-validations[2].rule: Required value: rule is not specified",
            path
                + ".properties[list].items.x-kubernetes-validations[0].rule: Invalid value:"
                + " \"self == oldSelf\": oldSelf cannot be used on the uncorrelatable portion of"
                + " the schema within "
                + path
                + ".properties[list]");
  }

  private static String invalid(int index, String field, String rule, String message) {
    return ".x-kubernetes-validations[%d].%s: Invalid value: {\"Rule\":\"%s\",\"Message\":\"\",\"MessageExpression\":\"%s\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: "
        .formatted(index, field, rule, message);
  }

  /* --------------- Webhooks --------------- */

  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

  /** Registers a webhook that nothing answers, for ConfigMaps of the namespace. */
  private Answer register(String failurePolicy, String second) {
    return send(
        "POST",
        VALIDATING,
        """
        metadata: {name: NAME}
        webhooks:
        - name: w.example.com
          failurePolicy: POLICY
          sideEffects: None
          timeoutSeconds: 1
          admissionReviewVersions: [v1]
          clientConfig: {url: "https://127.0.0.1:1/x"}
          namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAME}}
          rules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [configmaps]}]
          matchConditions:
          - {name: a, expression: 'object.metadata.name.startsWith("cel")'}
          - {name: b, expression: 'SECOND'}
        """
            .replace("NAME", namespace)
            .replace("POLICY", failurePolicy)
            .replace("SECOND", second));
  }

  private Answer map(String name, String data) {
    return send("POST", configMaps(), "{metadata: {name: " + name + "}, data: " + data + "}");
  }

  private static final String CONDITION =
      "object.data.x == \"1\" && request.operation == \"CREATE\" && oldObject == null";

  @Test
  void webhook_isCalledIfAllConditionsAreTrue() {
    must(201, register("Fail", CONDITION));
    eventually(() -> map("cel-" + maps++, "{x: \"1\"}").code() == 500);

    must(201, map("other", "{}"));
    must(201, map("cel2", "{x: \"2\"}"));
    assertFailure(
        map("cel3", "{z: a}"),
        403,
        "Forbidden",
        "configmaps \"cel3\" is forbidden: expression '"
            + CONDITION
            + "' resulted in error: no such key: x");
    must(200, api().mergePatch(configMaps() + "/cel2", "{'data':{'x':'1'}}"));
  }

  @Test
  void conditionThatFails_skipsAWebhookThatMayFail() {
    must(201, register("Fail", CONDITION));
    eventually(() -> map("cel-" + maps++, "{x: \"1\"}").code() == 500);
    must(
        200,
        api()
            .jsonPatch(
                VALIDATING + "/" + namespace,
                "[{'op':'replace','path':'/webhooks/0/failurePolicy','value':'Ignore'}]"));

    eventually(() -> map("cel4", "{z: a}").code() == 201);
  }

  @Test
  void conditionThatDoesNotCompile_isRefused() {
    assertThat(causes(register("Fail", "request.nope == 1")))
        .containsExactly(
            "webhooks[0].matchConditions[1].expression: Invalid value: \"request.nope == 1\":"
                + " compilation failed: ERROR: <input>:1:8: undefined field 'nope'\n"
                + " | request.nope == 1\n | .......^");
    assertThat(causes(register("Fail", "object.data.x")))
        .containsExactly(
            "webhooks[0].matchConditions[1].expression: Invalid value: \"object.data.x\": must"
                + " evaluate to bool but got dyn");
  }
}
