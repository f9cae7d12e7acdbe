package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonText;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Server-side apply: ownership, merges and conflicts. */
abstract class ApplyContract extends Contract {

  private static final String FOOS =
      """
      {'metadata':{'name':'foos.apply.example.com'},'spec':{'group':'apply.example.com',
       'scope':'Namespaced','names':{'plural':'foos','kind':'Foo'},'versions':[{'name':'v1',
       'served':true,'storage':true,'subresources':{'status':{}},'schema':{'openAPIV3Schema':
       {'type':'object','properties':{'spec':{'type':'object','properties':{
        'text':{'type':'string'},
        'keyed':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['id'],
         'items':{'type':'object','required':['id'],'properties':{'id':{'type':'string'},
          'v':{'type':'string'}}}},
        'set':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},
        'atomic':{'type':'array','items':{'type':'string'}},
        'atomicMap':{'type':'object','x-kubernetes-map-type':'atomic',
         'additionalProperties':{'type':'string'}},
        'map':{'type':'object','additionalProperties':{'type':'string'}}}},
       'data':{'type':'object','additionalProperties':{'type':'string'}},
       'status':{'type':'object','properties':{'state':{'type':'string'}}}}}}}]}}\
      """;

  private String foos = "";

  @BeforeEach
  void defineFoos() {
    api().post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", FOOS);
    foos = "/apis/apply.example.com/v1/namespaces/" + namespace + "/foos";
    eventually(() -> api().get(foos).code() == 200);
    must(200, api().get(foos));
  }

  private Answer apply(String path, String query, String body) {
    return api()
        .send("PATCH", path + "?" + query, body, "Content-Type", "application/apply-patch+yaml");
  }

  private Answer applyMap(String manager, String fields) {
    return apply(
        configMap("a"),
        "fieldManager=" + manager,
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'}" + fields + "}");
  }

  private Answer applyFoo(String query, String spec) {
    return apply(
        foos + "/f",
        query,
        "{'apiVersion':'apply.example.com/v1','kind':'Foo','metadata':{'name':'f'},'spec':"
            + spec
            + "}");
  }

  private Answer createFoo() {
    return must(
        201,
        api()
            .post(
                foos + "?fieldManager=up",
                "{'apiVersion':'apply.example.com/v1','kind':'Foo','metadata':{'name':'f',"
                    + "'labels':{'a':'b'}},'spec':{'text':'hi','keyed':[{'id':'1','v':'x'}],"
                    + "'set':['a'],'atomic':['p'],'atomicMap':{'x':'y'},'map':{'k':'v'}}}"));
  }

  /** Returns the fields that a manager owns, as JSON with single quotes for double ones. */
  private static String owned(Answer answer, String manager) {
    for (Map<String, Object> entry : JsonTree.objects(answer.json(), "metadata", "managedFields")) {
      if (manager.equals(entry.get("manager"))) {
        return JsonText.text(sorted(entry.get("fieldsV1"))).replace('"', '\'').replace("\\'", "'");
      }
    }
    return "";
  }

  private static Object sorted(Object tree) {
    Map<String, Object> sorted = new TreeMap<>();
    JsonTree.asObject(tree).forEach((name, value) -> sorted.put(name, sorted(value)));
    return sorted;
  }

  private static List<String> managers(Answer answer) {
    return JsonTree.objects(answer.json(), "metadata", "managedFields").stream()
        .map(entry -> entry.get("manager") + " " + entry.get("operation"))
        .toList();
  }

  @Test
  void apply_yaml_isAccepted() {
    Answer applied =
        apply(
            configMap("a"),
            "fieldManager=x",
            """
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: a # A comment.
            data:
              k: v
            """);

    assertThat(applied.code()).isEqualTo(201);
    assertThat(applied.at("data", "k")).isEqualTo("v");
  }

  @Test
  void apply_missingObject_createsIt() {
    Answer created = must(201, applyMap("one", ",'data':{'k':'v'}"));

    assertThat(created.at("data", "k")).isEqualTo("v");
    assertThat(owned(created, "one")).isEqualTo("{'f:data':{'f:k':{}}}");
    Map<String, Object> entry =
        JsonTree.objects(created.json(), "metadata", "managedFields").get(0);
    assertThat(entry)
        .containsEntry("operation", "Apply")
        .containsEntry("apiVersion", "v1")
        .containsEntry("fieldsType", "FieldsV1")
        .containsKey("time");
  }

  @Test
  void apply_sameConfiguration_changesNothing() {
    Answer first = must(201, applyMap("one", ",'data':{'k':'v'}"));

    Answer second = must(200, applyMap("one", ",'data':{'k':'v'}"));

    assertThat(second.json()).isEqualTo(first.json());
  }

  @Test
  void apply_sameValueByTwoManagers_isShared() {
    must(201, applyMap("one", ",'data':{'k':'v','only':'1'}"));

    Answer shared = must(200, applyMap("two", ",'data':{'k':'v'}"));
    Answer left = must(200, applyMap("one", ""));

    assertThat(managers(shared)).containsExactlyInAnyOrder("one Apply", "two Apply");
    assertThat(JsonTree.asObject(left.at("data"))).isEqualTo(Map.of("k", "v"));
    assertThat(managers(left)).containsExactly("two Apply");
  }

  @Test
  void apply_otherValue_isAConflict() {
    must(201, applyMap("one", ",'data':{'k':'v'}"));

    Answer conflict = applyMap("two", ",'data':{'k':'w','new':'x'}");

    assertFailure(
        conflict, 409, "Conflict", "Apply failed with 1 conflict: conflict with \"one\": .data.k");
    assertThat(JsonTree.object(conflict.json(), "details"))
        .isEqualTo(
            Map.of(
                "causes",
                List.of(
                    Map.of(
                        "reason", "FieldManagerConflict",
                        "message", "conflict with \"one\"",
                        "field", ".data.k"))));
    assertThat(JsonTree.asObject(api().get(configMap("a")).at("data"))).isEqualTo(Map.of("k", "v"));
  }

  @Test
  void apply_conflictWithSeveralManagers_namesThemAll() {
    must(
        201,
        api()
            .post(
                configMaps() + "?fieldManager=up",
                "{'metadata':{'name':'a','labels':{'x':'1'}},'data':{'k':'v','j':'w'}}"));
    must(200, applyMap("one", ",'data':{'k':'v'}"));

    Answer conflict =
        apply(
            configMap("a"),
            "fieldManager=two",
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','labels':{'x':'5'}},"
                + "'data':{'k':'w'}}");

    assertThat(conflict.message())
        .isEqualTo(
            "Apply failed with 3 conflicts: conflicts with \"one\":\n- .data.k\n"
                + "conflicts with \"up\" using v1:\n- .data.k\n- .metadata.labels.x");
  }

  @Test
  void force_takesOverFields() {
    must(201, applyMap("one", ",'data':{'k':'v','mine':'1'}"));

    Answer forced = must(200, applyMap("two&force=true", ",'data':{'k':'w'}"));

    assertThat(forced.at("data", "k")).isEqualTo("w");
    assertThat(owned(forced, "one")).isEqualTo("{'f:data':{'f:mine':{}}}");
    assertThat(owned(forced, "two")).isEqualTo("{'f:data':{'f:k':{}}}");
  }

  @Test
  void update_takesOwnershipOfTheFieldsItSets() {
    must(201, applyMap("one", ",'data':{'k':'v','j':'w'}"));

    Answer patched =
        must(
            200,
            api().mergePatch(configMap("a") + "?fieldManager=m", "{'data':{'k':'z','p':'q'}}"));

    assertThat(owned(patched, "one")).isEqualTo("{'f:data':{'f:j':{}}}");
    assertThat(owned(patched, "m")).isEqualTo("{'f:data':{'f:k':{},'f:p':{}}}");
    assertThat(managers(patched)).containsExactly("one Apply", "m Update");
  }

  @Test
  void update_removesAField_removesItsOwners() {
    must(201, applyMap("one", ",'data':{'k':'v','j':'w'}"));

    Answer patched = must(200, api().mergePatch(configMap("a"), "{'data':{'k':null}}"));

    assertThat(owned(patched, "one")).isEqualTo("{'f:data':{'f:j':{}}}");
    assertThat(managers(patched)).containsExactly("one Apply");
  }

  @Test
  void replace_withoutManagedFields_keepsThem() {
    must(201, applyMap("one", ",'data':{'k':'v'}"));

    Answer replaced =
        must(
            200,
            api()
                .put(
                    configMap("a") + "?fieldManager=put",
                    "{'metadata':{'name':'a','labels':{'x':'y'}},'data':{'k':'v'}}"));

    assertThat(owned(replaced, "one")).isEqualTo("{'f:data':{'f:k':{}}}");
    assertThat(owned(replaced, "put")).isEqualTo("{'f:metadata':{'f:labels':{'.':{},'f:x':{}}}}");
  }

  @Test
  void create_ownsAllFieldsSent() {
    Answer created =
        must(
            201,
            api()
                .post(
                    configMaps(),
                    "{'metadata':{'name':'a','labels':{'x':'1'},'finalizers':['e.x/a']},"
                        + "'data':{'k':'v'}}",
                    "User-Agent",
                    "my-agent/1.2 (linux)"));

    assertThat(owned(created, "my-agent"))
        .isEqualTo(
            "{'f:data':{'.':{},'f:k':{}},'f:metadata':{'f:finalizers':{'.':{},'v:'e.x/a'':{}},"
                + "'f:labels':{'.':{},'f:x':{}}}}");
  }

  static Stream<Arguments> refused() {
    String head = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'";
    return Stream.of(
        argumentSet("no manager", "", head + "}}", 422, "fieldManager: Required value"),
        argumentSet(
            "no kind", "fieldManager=x", "{'metadata':{'name':'a'}}", 400, "invalid object type"),
        argumentSet(
            "another kind",
            "fieldManager=x",
            "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'a'}}",
            400,
            "invalid object type: /v1, Kind=Secret"),
        argumentSet(
            "managed fields",
            "fieldManager=x",
            head + ",'managedFields':[{'manager':'x'}]}}",
            400,
            "metadata.managedFields must be nil"),
        argumentSet(
            "another name",
            "fieldManager=x",
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'b'}}",
            400,
            "does not match the name on the URL (a)"),
        argumentSet("no YAML", "fieldManager=x", "{{", 400, "error decoding "),
        argumentSet(
            "a uid of what is not there",
            "fieldManager=x",
            head + ",'uid':'abc'}}",
            409,
            "uid mismatch: the provided object specified uid abc, and no existing object was"
                + " found"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void apply_otherKind_isRefused(String query, String body, int code, String message) {
    Answer answer = apply(configMap("a"), query, body);

    assertThat(answer.code()).as(answer.text()).isEqualTo(code);
    assertThat(answer.message()).contains(message);
  }

  @Test
  void force_withoutApply_isInvalid() {
    create("a");

    assertFailure(
        api().mergePatch(configMap("a") + "?force=true", "{}"),
        422,
        "Invalid",
        "force: Forbidden: may not be specified for non-apply patch");
  }

  @Test
  void apply_oldVersion_isAConflict() {
    create("a");

    assertFailure(
        apply(
            configMap("a"),
            "fieldManager=x",
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','resourceVersion':'1'},"
                + "'data':{'new':'x'}}"),
        409,
        "Conflict",
        "the object has been modified");
  }

  @Test
  void apply_dryRun_changesNothing() {
    Answer answer = applyMap("one&dryRun=All", ",'data':{'k':'v'}");

    assertThat(answer.at("data", "k")).isEqualTo("v");
    assertThat(api().get(configMap("a")).code()).isEqualTo(404);
  }

  /* --------------- Lists --------------- */

  private String deployment() {
    return "/apis/apps/v1/namespaces/" + namespace + "/deployments/d";
  }

  private Answer applyDeployment(String manager, String fields) {
    return apply(
        deployment(),
        "fieldManager=" + manager,
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'}" + fields + "}");
  }

  private Answer createDeployment() {
    return must(
        201,
        applyDeployment(
            "one",
            ",'spec':{'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':"
                + "{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i','args':['x'],"
                + "'ports':[{'containerPort':80,'protocol':'TCP'}],"
                + "'env':[{'name':'E','value':'1'}]}]}}}"));
  }

  @Test
  void apply_builtInKind_ownsListElementsByKey() {
    assertThat(owned(createDeployment(), "one"))
        .isEqualTo(
            "{'f:spec':{'f:selector':{},'f:template':{'f:metadata':{'f:labels':{'f:a':{}}},"
                + "'f:spec':{'f:containers':{'k:{'name':'c'}':{'.':{},'f:args':{},"
                + "'f:env':{'k:{'name':'E'}':{'.':{},'f:name':{},'f:value':{}}},'f:image':{},"
                + "'f:name':{},'f:ports':{'k:{'containerPort':80,'protocol':'TCP'}':"
                + "{'.':{},'f:containerPort':{},'f:protocol':{}}}}}}}}}");
  }

  @Test
  void apply_anotherContainer_isMerged_untilItIsGivenUp() {
    createDeployment();

    Answer joined =
        must(
            200,
            applyDeployment(
                "two",
                ",'spec':{'template':{'spec':{'containers':[{'name':'side','image':'s'},"
                    + "{'name':'c','env':[{'name':'F','value':'2'}]}]}}}"));
    Answer left = must(200, applyDeployment("two", ""));

    assertThat(names(joined, "containers")).containsExactly("side", "c");
    assertThat(owned(joined, "two"))
        .isEqualTo(
            "{'f:spec':{'f:template':{'f:spec':{'f:containers':{'k:{'name':'c'}':{'.':{},"
                + "'f:env':{'k:{'name':'F'}':{'.':{},'f:name':{},'f:value':{}}},'f:name':{}},"
                + "'k:{'name':'side'}':{'.':{},'f:image':{},'f:name':{}}}}}}}");
    assertThat(names(left, "containers")).containsExactly("c");
    assertThat(JsonTree.objects(containers(left).get(0), "env"))
        .containsExactly(Map.of("name", "E", "value", "1"));
    assertThat(managers(left)).containsExactly("one Apply");
  }

  private static List<Map<String, Object>> containers(Answer deployment) {
    return JsonTree.objects(deployment.json(), "spec", "template", "spec", "containers");
  }

  private static List<Object> names(Answer deployment, String list) {
    return JsonTree.objects(deployment.json(), "spec", "template", "spec", list).stream()
        .map(element -> element.get("name"))
        .toList();
  }

  @Test
  void conflict_inAListElement_namesItsKey() {
    createDeployment();

    assertFailure(
        applyDeployment(
            "two", ",'spec':{'template':{'spec':{'containers':[{'name':'c','args':['y']}]}}}"),
        409,
        "Conflict",
        "Apply failed with 1 conflict: conflict with \"one\":"
            + " .spec.template.spec.containers[name=\"c\"].args");
  }

  @Test
  void apply_status_isOwnedSeparately() {
    createDeployment();

    Answer applied =
        must(
            200,
            apply(
                deployment() + "/status",
                "fieldManager=st",
                "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},"
                    + "'status':{'replicas':2}}"));

    assertThat(applied.at("status", "replicas")).isEqualTo(2L);
    assertThat(owned(applied, "st")).isEqualTo("{'f:status':{'f:replicas':{}}}");
    assertThat(JsonTree.objects(applied.json(), "metadata", "managedFields"))
        .anyMatch(entry -> "status".equals(entry.get("subresource")));
  }

  /* --------------- Custom resources --------------- */

  @Test
  void custom_create_ownsAllFieldsSent() {
    assertThat(owned(createFoo(), "up"))
        .isEqualTo(
            "{'f:metadata':{'f:labels':{'.':{},'f:a':{}}},'f:spec':{'.':{},'f:atomic':{},"
                + "'f:atomicMap':{},'f:keyed':{'.':{},'k:{'id':'1'}':{'.':{},'f:id':{},'f:v':{}}},"
                + "'f:map':{'.':{},'f:k':{}},'f:set':{'.':{},'v:'a'':{}},'f:text':{}}}");
  }

  @Test
  void custom_apply_mergesByTheSchema() {
    createFoo();

    Answer applied =
        must(
            200,
            applyFoo(
                "fieldManager=ap",
                "{'keyed':[{'id':'2','v':'y'}],'set':['b','a'],'map':{'n':'w'}}"));
    Answer left = must(200, applyFoo("fieldManager=ap", "{'set':['c']}"));

    assertThat(JsonTree.objects(applied.json(), "spec", "keyed"))
        .containsExactly(Map.of("id", "1", "v", "x"), Map.of("id", "2", "v", "y"));
    assertThat(applied.at("spec", "set")).isEqualTo(List.of("b", "a"));
    assertThat(applied.at("spec", "map")).isEqualTo(Map.of("k", "v", "n", "w"));
    assertThat(owned(applied, "ap"))
        .isEqualTo(
            "{'f:spec':{'f:keyed':{'k:{'id':'2'}':{'.':{},'f:id':{},'f:v':{}}},"
                + "'f:map':{'f:n':{}},'f:set':{'v:'a'':{},'v:'b'':{}}}}");
    assertThat(left.at("spec", "set")).isEqualTo(List.of("a", "c"));
    assertThat(left.at("spec", "map")).isEqualTo(Map.of("k", "v"));
    assertThat(JsonTree.objects(left.json(), "spec", "keyed"))
        .containsExactly(Map.of("id", "1", "v", "x"));
  }

  @Test
  void custom_atomicParts_areOwnedAsAWhole() {
    createFoo();

    assertThat(
            applyFoo(
                    "fieldManager=ap",
                    "{'atomic':['q'],'atomicMap':{'z':'y'},'keyed':[{'id':'1','v':'zz'}]}")
                .message())
        .isEqualTo(
            "Apply failed with 3 conflicts: conflicts with \"up\" using apply.example.com/v1:\n"
                + "- .spec.atomic\n- .spec.atomicMap\n- .spec.keyed[id=\"1\"].v");
  }

  @Test
  void custom_forced_replacesAtomicParts() {
    createFoo();

    Answer forced = must(200, applyFoo("fieldManager=ap&force=true", "{'atomicMap':{'z':'y'}}"));

    assertThat(forced.at("spec", "atomicMap")).isEqualTo(Map.of("z", "y"));
    assertThat(owned(forced, "up")).doesNotContain("atomicMap");
  }

  @Test
  void custom_unknownField_isAnError() {
    createFoo();

    Answer answer = applyFoo("fieldManager=ap", "{'nope':1}");

    assertThat(answer.code()).isEqualTo(500);
    assertThat(answer.message())
        .isEqualTo(
            "failed to create typed patch object (/f; apply.example.com/v1, Kind=Foo):"
                + " .spec.nope: field not declared in schema");
  }

  @Test
  void custom_status_isOwnedOnlyThroughTheSubresource() {
    createFoo();
    String body =
        "{'apiVersion':'apply.example.com/v1','kind':'Foo','metadata':{'name':'f'},"
            + "'spec':{'text':'bye'},'status':{'state':'on'}}";

    Answer status = must(200, apply(foos + "/f/status", "fieldManager=st", body));

    assertThat(status.at("status", "state")).isEqualTo("on");
    assertThat(status.at("spec", "text")).isEqualTo("hi");
    assertThat(owned(status, "st")).isEqualTo("{'f:status':{'f:state':{}}}");
  }

  /** A status request can own fields outside spec, metadata and status, but cannot set them. */
  @Test
  void custom_statusWithAnotherField_ownsItWithoutSettingIt() {
    must(201, applyData(foos + "/f", "fieldManager=m", "'a':'1'"));
    String path = foos + "/f/status";

    Answer conflict = applyData(path, "fieldManager=s", "'a':'2'},'status':{'state':'on'");
    Answer other = must(200, applyData(path, "fieldManager=s", "'b':'2'},'status':{'state':'on'"));
    Answer forced = must(200, applyData(path, "fieldManager=t&force=true", "'a':'2'"));
    Answer updated = must(200, api().mergePatch(path + "?fieldManager=u", "{'data':{'c':'3'}}"));

    assertFailure(
        conflict, 409, "Conflict", "Apply failed with 1 conflict: conflict with \"m\": .data.a");
    assertThat(other.at("data")).isEqualTo(Map.of("a", "1"));
    assertThat(owned(other, "s")).isEqualTo("{'f:data':{'f:b':{}},'f:status':{'f:state':{}}}");
    assertThat(forced.at("data")).isEqualTo(Map.of("a", "1"));
    assertThat(owned(forced, "t")).isEqualTo("{'f:data':{'f:a':{}}}");
    assertThat(forced.text()).doesNotContain("\"manager\":\"m\"");
    assertThat(updated.at("data")).isEqualTo(Map.of("a", "1"));
    assertThat(owned(updated, "u")).isEqualTo("{'f:data':{'f:c':{}}}");
  }

  private Answer applyData(String path, String query, String data) {
    String type = "{'apiVersion':'apply.example.com/v1','kind':'Foo','metadata':{'name':'f'}";
    return apply(path, query, type + ",'data':{" + data + "}}");
  }
}
