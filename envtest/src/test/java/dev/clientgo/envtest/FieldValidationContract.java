package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unknown and duplicate fields. */
abstract class FieldValidationContract extends Contract {

  private static final String APPLY = "application/apply-patch+yaml";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";
  private static final String POD =
      "{'metadata':{'name':'p','labels':{'a':'1','a':'2'},'odd':1},'spec':{'containers':["
          + "{'name':'c','image':'i','foo':1,'env':[{'name':'e','oops':{'x':1,'x':2}}]}],"
          + "'zoo':[{}],'bar':1},'Status':{},'extra':1,'extra':2}";
  private static final List<String> OF_POD =
      List.of(
          "duplicate field \"metadata.labels.a\"",
          "unknown field \"metadata.odd\"",
          "unknown field \"spec.containers[0].foo\"",
          "unknown field \"spec.containers[0].env[0].oops\"",
          "unknown field \"spec.zoo\"",
          "unknown field \"spec.bar\"",
          "unknown field \"Status\"",
          "unknown field \"extra\"");
  private static final String MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
  private static final String TWICE = "data:\n  a: '1'\n  a: '2'\n  b: '1'\n  b: '2'\n";

  private static List<String> warnings(Answer answer) {
    return answer.headers().values("Warning").stream()
        .map(warning -> warning.replace("299 - \"", "").replaceFirst("\"$", ""))
        .map(warning -> warning.replace("\\\"", "\""))
        .toList();
  }

  private static void assertStrict(int code, Answer answer, List<String> problems) {
    String reason = code == 400 ? "BadRequest" : "Invalid";
    String problem = "strict decoding error: " + String.join(", ", problems);
    assertFailure(answer, code, reason, problem);
    assertThat(warnings(answer)).isEmpty();
  }

  @Test
  void create_warnsInTextOrder_andKeepsKnownFields() {
    Answer created = must(201, api().post(core("pods"), POD));

    assertThat(warnings(created)).isEqualTo(OF_POD);
    assertThat(created.at("metadata", "labels", "a")).isEqualTo("2");
    assertThat(created.json()).doesNotContainKeys("Status", "extra");
    assertThat(created.text()).doesNotContain("oops", "zoo", "bar", "odd", "foo");
  }

  @Test
  void create_strict_isRefused() {
    Answer refused = api().post(core("pods") + "?fieldValidation=Strict", POD);

    assertStrict(400, refused, OF_POD);
    assertThat(refused.message()).startsWith("Pod in version \"v1\" cannot be handled as a Pod: ");
  }

  @Test
  void create_ignore_sendsNoWarning() {
    Answer created = must(201, api().post(core("pods") + "?fieldValidation=Ignore", POD));

    assertThat(warnings(created)).isEmpty();
    assertThat(created.text()).doesNotContain("oops", "zoo", "bar", "odd", "foo");
  }

  @Test
  void update_warnsOrRefuses() {
    create("a");
    String body = "{'metadata':{'name':'a'},'data':{'k':'1','k':'2'},'Data':{},'binarydata':{}}";
    List<String> problems =
        List.of(
            "duplicate field \"data.k\"", "unknown field \"Data\"", "unknown field \"binarydata\"");

    assertStrict(400, api().put(configMap("a") + "?fieldValidation=Strict", body), problems);
    Answer updated = must(200, api().put(configMap("a"), body));

    assertThat(warnings(updated)).isEqualTo(problems);
    assertThat(updated.at("data", "k")).isEqualTo("2");
  }

  @ParameterizedTest
  @ValueSource(strings = {MERGE_PATCH, STRATEGIC})
  void mergePatch_warnsOrRefuses(String type) {
    create("a");
    String body = "{'data':{'k':'1','k':'2'},'z':1,'y':2,'y':3}";
    List<String> problems =
        List.of(
            "duplicate field \"data.k\"",
            "duplicate field \"y\"",
            "unknown field \"y\"",
            "unknown field \"z\"");

    assertStrict(422, patch("?fieldValidation=Strict", body, type), problems);
    assertThat(warnings(must(200, patch("?fieldValidation=Ignore", body, type)))).isEmpty();
    Answer patched = must(200, patch("", body, type));

    assertThat(warnings(patched)).isEqualTo(problems);
    assertThat(patched.at("data", "k")).isEqualTo("2");
    assertThat(patched.json()).doesNotContainKeys("y", "z");
  }

  private Answer patch(String query, String body, String type) {
    return api().send("PATCH", configMap("a") + query, body, "Content-Type", type);
  }

  @Test
  void jsonPatch_warnsOrRefuses_alsoForItsOperations() {
    create("a");
    String body =
        "[{'op':'add','op':'add','path':'/data/b','value':'1','foo':1},"
            + "{'op':'add','path':'/zz','value':{'a':1}}]";
    List<String> problems =
        List.of(
            "json patch duplicate field \"[0].op\"",
            "json patch unknown field \"[0].foo\"",
            "unknown field \"zz\"");

    assertStrict(422, api().jsonPatch(configMap("a") + "?fieldValidation=Strict", body), problems);
    Answer patched = must(200, api().jsonPatch(configMap("a"), body));

    assertThat(warnings(patched)).isEqualTo(problems);
    assertThat(patched.at("data", "b")).isEqualTo("1");
  }

  @Test
  void yaml_duplicateKeys_warnsWithLineNumbers() {
    String body = MAP + "extra: 1\n" + TWICE;
    String yaml = "application/yaml";
    String strict = configMaps() + "?fieldValidation=Strict";

    assertFailure(
        api().post(strict, body, "Content-Type", yaml),
        400,
        "BadRequest",
        "strict decoding error: yaml: unmarshal errors:\n  line 7: key \"a\" already set in map\n"
            + "  line 9: key \"b\" already set in map, unknown field \"extra\"");
    Answer created = must(201, api().post(configMaps(), body, "Content-Type", yaml));

    assertThat(warnings(created))
        .containsExactly(
            "line 7: key \"a\" already set in map",
            "line 9: key \"b\" already set in map",
            "unknown field \"extra\"");
    assertThat(created.at("data", "b")).isEqualTo("2");
  }

  @Test
  void apply_duplicateKeys_warnsOrRefuses() {
    String body = MAP + TWICE;

    assertFailure(
        patch("?fieldManager=m&fieldValidation=Strict", body, APPLY),
        400,
        "BadRequest",
        "error strict decoding "
            + (since(37) ? "patch" : "YAML")
            + ": error converting YAML to JSON: yaml: unmarshal errors:\n"
            + "  line 6: key \"a\" already set in map\n  line 8: key \"b\" already set in map");
    Answer applied = must(201, patch("?fieldManager=m", body, APPLY));

    assertThat(warnings(applied))
        .containsExactly(
            "line 6: key \"a\" already set in map", "line 8: key \"b\" already set in map");
    assertThat(applied.at("data", "a")).isEqualTo("2");
  }

  @Test
  void apply_unknownField_alwaysFails() {
    String pod = "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'spec':{'containers':[";
    String body = pod + "{'name':'c','image':'i','ports':[{'containerPort':80,'foo':1}]}]}}";
    String path = core("pods") + "/p?fieldManager=m&fieldValidation=Ignore";

    assertFailure(
        api().send("PATCH", path, body, "Content-Type", APPLY),
        500,
        "",
        "failed to create typed patch object (/p; /v1, Kind=Pod): .spec.containers[name=\"c\"]"
            + ".ports[containerPort=80,protocol=\"TCP\"].foo: field not declared in schema");
  }

  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private Answer define(String properties) {
    String body =
        "{'metadata':{'name':'ws.GROUP'},'spec':{'group':'GROUP','scope':'Namespaced','names':"
            + "{'plural':'ws','kind':'W'},'versions':[{'name':'v1','served':true,'storage':true,"
            + "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
            + "'properties':{PROPERTIES}}}}}}]}}";
    String group = namespace + ".example.com";
    return must(
        201,
        api().post(DEFINITIONS, body.replace("GROUP", group).replace("PROPERTIES", properties)));
  }

  /** Types with their own decoders, such as the schemas in definitions, are not validated. */
  @Test
  void definition_isValidatedExceptItsOpaqueSchemas() {
    Answer created =
        define(
            "'a':{'type':'string','unknown':1},"
                + "'l':{'type':'array','items':{'type':'object','unseen':1}}");

    assertThat(warnings(created))
        .containsExactly(
            "unknown field \"spec.versions[0].schema.openAPIV3Schema.properties.spec.properties"
                + ".a.unknown\"");
  }

  @Test
  void customKind_warnsOfDuplicateKeysFirst() {
    define("'a':{'type':'string'}");
    String group = namespace + ".example.com";
    String path = "/apis/" + group + "/v1/namespaces/" + namespace + "/ws";
    eventually(() -> api().get(path).code() == 200);
    String object =
        "{'apiVersion':'GROUP/v1','kind':'W','q':1,'metadata':{'name':'w','labels':"
            + "{'a':'1','a':'2'},'odd':1},'spec':{'a':'1','a':'2','n':{'n':1,'n':2}}}";
    List<String> problems =
        List.of(
            "duplicate field \"metadata.labels.a\"",
            "duplicate field \"spec.a\"",
            "duplicate field \"spec.n.n\"",
            "unknown field \"metadata.odd\"",
            "unknown field \"q\"",
            "unknown field \"spec.n\"");
    String body = object.replace("GROUP", group);

    assertStrict(400, api().post(path + "?fieldValidation=Strict", body), problems);
    assertThat(warnings(must(201, api().post(path, body)))).isEqualTo(problems);
  }
}
