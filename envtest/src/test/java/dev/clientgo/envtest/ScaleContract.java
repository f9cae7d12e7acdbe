package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scale of built-in and custom kinds. */
abstract class ScaleContract extends Contract {

  private static final String SCALED =
      """
      {'metadata':{'name':'scaled.scale.example.com'},'spec':{'group':'scale.example.com',
       'scope':'Namespaced','names':{'plural':'scaled','kind':'Scaled'},'versions':[{'name':'v1',
       'served':true,'storage':true,'subresources':{'status':{},'scale':
       {'specReplicasPath':'.spec.size','statusReplicasPath':'.status.size',
        'labelSelectorPath':'.status.selector'}},'schema':{'openAPIV3Schema':{'type':'object',
       'properties':{'spec':{'type':'object','properties':{'size':{'type':'integer'}}},
       'status':{'type':'object','properties':{'size':{'type':'integer'},
       'selector':{'type':'string'}}}}}}}]}}\
      """;

  private String custom = "";

  @BeforeEach
  void defineScaled() {
    api().post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", SCALED);
    custom = "/apis/scale.example.com/v1/namespaces/" + namespace + "/scaled";
    eventually(() -> api().get(custom).code() == 200);
    must(200, api().get(custom));
  }

  private String deployments() {
    return "/apis/apps/v1/namespaces/" + namespace + "/deployments";
  }

  private Answer createDeployment() {
    return must(
        201,
        api()
            .post(
                deployments(),
                "{'metadata':{'name':'d'},'spec':{'replicas':1,'selector':{'matchLabels':{'a':'b'}},"
                    + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':"
                    + "[{'name':'c','image':'i'}]}}}}"));
  }

  private static String scale(String name, String version, int replicas) {
    return "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'"
        + name
        + "'"
        + (version.isEmpty() ? "" : ",'resourceVersion':'" + version + "'")
        + "},'spec':{'replicas':"
        + replicas
        + "}}";
  }

  @Test
  void scale_get_showsDesiredAndActualReplicas() {
    Answer created = createDeployment();

    Answer scale = must(200, api().get(deployments() + "/d/scale"));

    assertThat(scale.at("kind")).isEqualTo("Scale");
    assertThat(scale.at("apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(scale.uid()).isEqualTo(created.uid());
    assertThat(scale.resourceVersion()).isEqualTo(created.resourceVersion());
    assertThat(JsonTree.object(scale.json(), "metadata"))
        .containsOnlyKeys("name", "namespace", "uid", "resourceVersion", "creationTimestamp");
    assertThat(scale.at("spec")).isEqualTo(Map.of("replicas", 1L));
    assertThat(scale.at("status")).isEqualTo(Map.of("replicas", 0L, "selector", "a=b"));
  }

  @Test
  void scale_replaced_scales() {
    createDeployment();

    Answer scale = must(200, api().put(deployments() + "/d/scale", scale("d", "", 5)));

    assertThat(scale.at("spec", "replicas")).isEqualTo(5L);
    Answer deployment = api().get(deployments() + "/d");
    assertThat(deployment.at("spec", "replicas")).isEqualTo(5L);
    assertThat(deployment.at("metadata", "generation")).isEqualTo(2L);
    assertThat(scale.resourceVersion()).isEqualTo(deployment.resourceVersion());
  }

  @Test
  void scale_patched_scales() {
    createDeployment();

    Answer scale =
        must(200, api().mergePatch(deployments() + "/d/scale", "{'spec':{'replicas':4}}"));

    assertThat(scale.at("spec", "replicas")).isEqualTo(4L);
    assertThat(api().get(deployments() + "/d").at("spec", "replicas")).isEqualTo(4L);
  }

  @Test
  void scale_oldVersion_isAConflict() {
    createDeployment();

    assertFailure(
        api().put(deployments() + "/d/scale", scale("d", "1", 5)),
        409,
        "Conflict",
        "the object has been modified");
  }

  @Test
  void scale_belowZero_isInvalid() {
    createDeployment();

    assertFailure(
        api().put(deployments() + "/d/scale", scale("d", "", -1)),
        422,
        "Invalid",
        "Scale.autoscaling \"d\" is invalid: spec.replicas: Invalid value: -1: must be greater than"
            + " or equal to 0");
  }

  @Test
  void scale_underAnotherName_isABadRequest() {
    createDeployment();

    assertFailure(
        api().put(deployments() + "/d/scale", scale("x", "", 1)),
        400,
        "BadRequest",
        "the name of the object (x) does not match the name on the URL (d)");
  }

  @Test
  void scale_missingObject_isNotFound() {
    assertFailure(
        api().get(deployments() + "/no/scale"),
        404,
        "NotFound",
        "deployments.apps \"no\" not found");
    assertFailure(
        api().put(deployments() + "/no/scale", scale("no", "", 1)),
        404,
        "NotFound",
        "deployments.apps \"no\" not found");
  }

  @Test
  void scale_created_isNotAllowed() {
    createDeployment();

    assertFailure(api().post(deployments() + "/d/scale", "{}"), 405, "MethodNotAllowed", "");
  }

  @Test
  void scale_kindWithoutIt_isNotFound() {
    create("a");

    assertFailure(
        api().get(configMap("a") + "/scale"),
        404,
        "NotFound",
        "the server could not find the requested resource");
  }

  @Test
  void scale_dryRun_changesNothing() {
    createDeployment();

    must(200, api().put(deployments() + "/d/scale?dryRun=All", scale("d", "", 5)));

    assertThat(api().get(deployments() + "/d").at("spec", "replicas")).isEqualTo(1L);
  }

  @Test
  void scale_customKind_usesItsPaths() {
    must(
        201,
        api()
            .post(
                custom,
                "{'apiVersion':'scale.example.com/v1','kind':'Scaled','metadata':{'name':'s'},"
                    + "'spec':{'size':2}}"));
    must(200, api().mergePatch(custom + "/s/status", "{'status':{'size':1,'selector':'a=b'}}"));

    Answer before = must(200, api().get(custom + "/s/scale"));
    Answer after = must(200, api().mergePatch(custom + "/s/scale", "{'spec':{'replicas':4}}"));

    assertThat(before.at("spec")).isEqualTo(Map.of("replicas", 2L));
    assertThat(before.at("status")).isEqualTo(Map.of("replicas", 1L, "selector", "a=b"));
    assertThat(after.at("spec", "replicas")).isEqualTo(4L);
    assertThat(api().get(custom + "/s").at("spec", "size")).isEqualTo(4L);
    assertFailure(
        api().put(custom + "/s/scale", scale("s", "", -2)),
        422,
        "Invalid",
        "Scaled.scale.example.com \"s\" is invalid: .spec.size: Invalid value: -2: should be a"
            + " non-negative integer");
  }

  @Test
  void discovery_listsScaleAndEviction() {
    assertThat(subresource("/apis/apps/v1", "deployments/scale"))
        .containsEntry("group", "autoscaling")
        .containsEntry("version", "v1")
        .containsEntry("kind", "Scale")
        .containsEntry("verbs", List.of("get", "patch", "update"));
    assertThat(subresource("/api/v1", "pods/eviction"))
        .containsEntry("group", "policy")
        .containsEntry("kind", "Eviction")
        .containsEntry("verbs", List.of("create"));
    assertThat(subresource("/api/v1", "pods/binding"))
        .containsEntry("kind", "Binding")
        .containsEntry("verbs", List.of("create"))
        .doesNotContainKey("group");
    assertThat(subresource("/api/v1", "pods/ephemeralcontainers"))
        .containsEntry("kind", "Pod")
        .containsEntry("verbs", List.of("get", "patch", "update"));
    assertThat(subresource("/api/v1", "serviceaccounts/token"))
        .containsEntry("group", "authentication.k8s.io")
        .containsEntry("version", "v1")
        .containsEntry("kind", "TokenRequest");
    eventually(() -> api().get("/apis/scale.example.com/v1").text().contains("scaled/scale"));
    assertThat(subresource("/apis/scale.example.com/v1", "scaled/scale"))
        .containsEntry("kind", "Scale");
  }

  private Map<String, Object> subresource(String path, String name) {
    return JsonTree.objects(api().get(path).json(), "resources").stream()
        .filter(resource -> name.equals(resource.get("name")))
        .findFirst()
        .orElseThrow();
  }

  /* --------------- Apply --------------- */

  private Answer applyScale(String query, String name, String spec) {
    return api()
        .send(
            "PATCH",
            deployments() + "/d/scale?fieldManager=" + query,
            "{'apiVersion':'autoscaling/v1','kind':'Scale','metadata':{'name':'"
                + name
                + "'}"
                + spec
                + "}",
            "Content-Type",
            "application/apply-patch+yaml");
  }

  private List<String> managers() {
    return JsonTree.objects(api().get(deployments() + "/d").json(), "metadata", "managedFields")
        .stream()
        .filter(entry -> "scale".equals(entry.get("subresource")))
        .map(
            entry -> {
              assertThat(entry).doesNotContainKey("time").containsEntry("apiVersion", "apps/v1");
              assertThat(JsonTree.object(entry, "fieldsV1"))
                  .isEqualTo(Map.of("f:spec", Map.of("f:replicas", Map.of())));
              return entry.get("manager") + " " + entry.get("operation");
            })
        .toList();
  }

  @Test
  void scale_applied_isOwned() {
    createDeployment();

    Answer conflict = applyScale("me", "d", ",'spec':{'replicas':4}");
    Answer forced = must(200, applyScale("me&force=true", "d", ",'spec':{'replicas':4}"));

    assertFailure(conflict, 409, "Conflict", "Apply failed with 1 conflict: conflict with ");
    assertThat(conflict.message()).endsWith(" using autoscaling/v1: .spec.replicas");
    assertThat(forced.at("kind")).isEqualTo("Scale");
    assertThat(forced.at("spec", "replicas")).isEqualTo(4L);
    assertThat(managers()).containsExactly("me Apply");
    assertFailure(
        applyScale("you", "d", ",'spec':{'replicas':5}"),
        409,
        "Conflict",
        "conflict with \"me\" with subresource \"scale\": .spec.replicas");
    must(200, applyScale("you", "d", ",'spec':{'replicas':4}"));
    assertThat(managers()).containsExactlyInAnyOrder("me Apply", "you Apply");
  }

  @Test
  void scale_replaced_takesOverAppliedReplicas() {
    createDeployment();
    must(200, applyScale("me&force=true", "d", ",'spec':{'replicas':4}"));

    must(200, api().put(deployments() + "/d/scale?fieldManager=putter", scale("d", "", 5)));

    assertThat(managers()).containsExactly("putter Update");
    must(200, applyScale("me", "d", ""));
    assertThat(api().get(deployments() + "/d").at("spec", "replicas")).isEqualTo(5L);
  }

  @Test
  void scale_appliedWithoutReplicas_givesUpTheField() {
    createDeployment();
    must(200, applyScale("me&force=true", "d", ",'spec':{'replicas':4}"));

    must(200, applyScale("me", "d", ""));

    assertThat(api().get(deployments() + "/d").at("spec", "replicas")).isEqualTo(0L);
    assertThat(managers()).isEmpty();
  }

  @Test
  void scale_appliedAsAnotherKind_isRefused() {
    createDeployment();

    assertFailure(
        applyScale("me", "x", ",'spec':{'replicas':1}"),
        400,
        "BadRequest",
        "the name of the object (x) does not match the name on the URL (d)");
    assertFailure(
        applyScale("", "d", ",'spec':{'replicas':1}"),
        422,
        "Invalid",
        "fieldManager: Required value: is required for apply patch");
    assertFailure(
        api()
            .send(
                "PATCH",
                deployments() + "/d/scale?fieldManager=me",
                "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'}}",
                "Content-Type",
                "application/apply-patch+yaml"),
        400,
        "BadRequest",
        "invalid object type: apps/v1, Kind=Deployment");
  }
}
