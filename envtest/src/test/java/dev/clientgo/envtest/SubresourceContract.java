package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scale of built-in and custom kinds, and the eviction of pods. */
abstract class SubresourceContract extends Contract {

  private static final String SCALED =
      """
      {'metadata':{'name':'scaled.scale.example.com'},'spec':{'group':'scale.example.com',
       'scope':'Namespaced','names':{'plural':'scaled','kind':'Scaled'},'versions':[{'name':'v1',
       'served':true,'storage':true,'subresources':{'status':{},'scale':
       {'specReplicasPath':'.spec.size','statusReplicasPath':'.status.size',
        'labelSelectorPath':'.status.selector'}},'schema':{'openAPIV3Schema':{'type':'object',
       'properties':{'spec':{'type':'object','properties':{'size':{'type':'integer'}}},
       'status':{'type':'object','properties':{'size':{'type':'integer'},
       'selector':{'type':'string'}}}}}}}]}}""";

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
  void scale_get_saysWhatIsWantedAndThere() {
    Answer created = createDeployment();

    Answer scale = must(200, api().get(deployments() + "/d/scale"));

    assertThat(scale.at("kind")).isEqualTo("Scale");
    assertThat(scale.at("apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(scale.uid()).isEqualTo(created.uid());
    assertThat(scale.resourceVersion()).isEqualTo(created.resourceVersion());
    assertThat(Tree.object(scale.json(), "metadata"))
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
  void scale_ofAnOldVersion_isAConflict() {
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
  void scale_ofWhatIsNotThere_isNotFound() {
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
  void scale_ofAKindWithout_isNotFound() {
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
  void scale_ofACustomKind_goesByItsPaths() {
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
    assertThat(subresource("/apis/scale.example.com/v1", "scaled/scale"))
        .containsEntry("kind", "Scale");
  }

  private Map<String, Object> subresource(String path, String name) {
    return Tree.objects(api().get(path).json(), "resources").stream()
        .filter(resource -> name.equals(resource.get("name")))
        .findFirst()
        .orElseThrow();
  }

  /* --------------- Eviction --------------- */

  private Answer evict(String name, String more) {
    return api()
        .post(
            core("pods") + "/" + name + "/eviction",
            "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'"
                + name
                + "'}"
                + more
                + "}");
  }

  private void createRunningPod(String name) {
    must(
        201,
        api()
            .post(
                core("pods"),
                "{'metadata':{'name':'"
                    + name
                    + "','labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}"));
    must(
        200,
        api()
            .mergePatch(
                core("pods") + "/" + name + "/status",
                "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}"));
  }

  private void createBudget(int allowed) {
    String budgets = "/apis/policy/v1/namespaces/" + namespace + "/poddisruptionbudgets";
    must(
        201,
        api()
            .post(
                budgets,
                "{'metadata':{'name':'b'},'spec':{'minAvailable':1,'selector':{'matchLabels':"
                    + "{'a':'b'}}}}"));
    must(
        200,
        api()
            .mergePatch(
                budgets + "/b/status",
                "{'status':{'observedGeneration':1,'currentHealthy':1,'desiredHealthy':1,"
                    + "'expectedPods':2,'disruptionsAllowed':"
                    + allowed
                    + "}}"));
  }

  @Test
  void eviction_deletesThePod() {
    createPod("p", "");

    Answer evicted = must(201, evict("p", ""));

    assertThat(evicted.at("kind")).isEqualTo("Status");
    assertThat(evicted.at("status")).isEqualTo("Success");
    assertThat(api().get(core("pods") + "/p").code()).isEqualTo(404);
  }

  @Test
  void eviction_dryRun_changesNothing() {
    createPod("p", "");

    must(201, evict("p", ",'deleteOptions':{'dryRun':['All']}"));

    must(200, api().get(core("pods") + "/p"));
  }

  @Test
  void eviction_underAnotherName_isABadRequest() {
    createPod("p", "");

    assertFailure(
        api().post(core("pods") + "/p/eviction", "{'metadata':{'name':'q'}}"),
        400,
        "BadRequest",
        "name in URL does not match name in Eviction object");
  }

  @Test
  void eviction_ofWhatIsNotThere_isNotFound() {
    assertFailure(evict("no", ""), 404, "NotFound", "pods \"no\" not found");
  }

  @Test
  void eviction_read_isNotAllowed() {
    createPod("p", "");

    assertFailure(api().get(core("pods") + "/p/eviction"), 405, "MethodNotAllowed", "");
  }

  @Test
  void eviction_againstABudget_isTooMany() {
    createRunningPod("p");
    createBudget(0);

    Answer refused = evict("p", "");

    assertFailure(
        refused,
        429,
        "TooManyRequests",
        "Cannot evict pod as it would violate the pod's disruption budget.");
    assertThat(Tree.objects(refused.json(), "details", "causes"))
        .containsExactly(
            Map.of(
                "reason", "DisruptionBudget",
                "message", "The disruption budget b needs 1 healthy pods and has 1 currently"));
    must(200, api().get(core("pods") + "/p"));
  }

  @Test
  void eviction_withinABudget_takesFromIt() {
    createRunningPod("p");
    createBudget(1);

    must(201, evict("p", ""));

    Answer budget =
        api().get("/apis/policy/v1/namespaces/" + namespace + "/poddisruptionbudgets/b");
    assertThat(budget.at("status", "disruptionsAllowed")).isEqualTo(0L);
    assertThat(Tree.object(budget.json(), "status", "disruptedPods")).containsOnlyKeys("p");
  }
}
