package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scale of built-in and custom kinds, and what else there is below objects. */
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
    assertThat(subresource("/apis/scale.example.com/v1", "scaled/scale"))
        .containsEntry("kind", "Scale");
  }

  private Map<String, Object> subresource(String path, String name) {
    return Tree.objects(api().get(path).json(), "resources").stream()
        .filter(resource -> name.equals(resource.get("name")))
        .findFirst()
        .orElseThrow();
  }

  /* --------------- Applying a scale --------------- */

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
    return Tree.objects(api().get(deployments() + "/d").json(), "metadata", "managedFields")
        .stream()
        .filter(entry -> "scale".equals(entry.get("subresource")))
        .map(
            entry -> {
              assertThat(entry).doesNotContainKey("time").containsEntry("apiVersion", "apps/v1");
              assertThat(Tree.object(entry, "fieldsV1"))
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
  void scale_replaced_takesTheReplicasFromWhoAppliedThem() {
    createDeployment();
    must(200, applyScale("me&force=true", "d", ",'spec':{'replicas':4}"));

    must(200, api().put(deployments() + "/d/scale?fieldManager=putter", scale("d", "", 5)));

    assertThat(managers()).containsExactly("putter Update");
    must(200, applyScale("me", "d", ""));
    assertThat(api().get(deployments() + "/d").at("spec", "replicas")).isEqualTo(5L);
  }

  @Test
  void scale_appliedWithoutReplicas_givesThemUp() {
    createDeployment();
    must(200, applyScale("me&force=true", "d", ",'spec':{'replicas':4}"));

    must(200, applyScale("me", "d", ""));

    assertThat(api().get(deployments() + "/d").at("spec", "replicas")).isEqualTo(0L);
    assertThat(managers()).isEmpty();
  }

  @Test
  void scale_appliedAsSomethingElse_isRefused() {
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

  /* --------------- Binding --------------- */

  private Answer bind(String name, String target) {
    return api()
        .post(
            core("pods") + "/p/binding",
            "{'metadata':{'name':'" + name + "'},'target':{" + target + "}}");
  }

  @Test
  void binding_putsThePodOnANode_once() {
    createPod("p", "");

    Answer bound = must(201, bind("p", "'kind':'Node','name':'n1'"));

    assertThat(bound.at("status")).isEqualTo("Success");
    Answer pod = api().get(core("pods") + "/p");
    assertThat(pod.at("spec", "nodeName")).isEqualTo("n1");
    assertThat(pod.at("status", "conditions", "0", "type")).isEqualTo("PodScheduled");
    assertThat(pod.at("status", "conditions", "0", "status")).isEqualTo("True");
    assertFailure(
        bind("p", "'kind':'Node','name':'n2'"),
        409,
        "Conflict",
        "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node"
            + " \"n1\"");
  }

  @Test
  void binding_ofSomethingElse_isRefused() {
    createPod("p", "");

    assertFailure(
        bind("q", "'kind':'Node','name':'n'"),
        400,
        "BadRequest",
        "name in URL does not match name in Binding object");
    assertFailure(bind("p", ""), 500, "", "target.name: Required value");
    assertFailure(
        bind("p", "'kind':'Pod','name':'n'"), 500, "", "target.kind: Unsupported value: \"Pod\"");
    assertFailure(
        api()
            .post(
                core("pods") + "/no/binding",
                "{'metadata':{'name':'no'},'target':{'kind':'Node','name':'n'}}"),
        404,
        "NotFound",
        "pods \"no\" not found");
    assertFailure(api().get(core("pods") + "/p/binding"), 405, "MethodNotAllowed", "");
  }

  /* --------------- Ephemeral containers --------------- */

  private Answer patchEphemeral(String body) {
    return api()
        .send(
            "PATCH",
            core("pods") + "/p/ephemeralcontainers",
            body,
            "Content-Type",
            "application/strategic-merge-patch+json");
  }

  @Test
  void ephemeralContainers_areAdded_andNothingElseChanges() {
    createPod("p", "");

    Answer one =
        must(
            200,
            patchEphemeral(
                "{'metadata':{'labels':{'a':'b'}},'spec':{'nodeName':'n','ephemeralContainers':"
                    + "[{'name':'debug','image':'i'}]}}"));
    must(200, patchEphemeral("{'spec':{'ephemeralContainers':[{'name':'more','image':'i'}]}}"));

    assertThat(one.at("kind")).isEqualTo("Pod");
    assertThat(one.at("metadata", "labels")).isNull();
    assertThat(one.at("metadata", "generation")).isEqualTo(2L);
    Answer pod = must(200, api().get(core("pods") + "/p/ephemeralcontainers"));
    assertThat(pod.at("spec", "nodeName")).isNull();
    assertThat(Tree.objects(pod.json(), "spec", "ephemeralContainers"))
        .extracting(container -> container.get("name"))
        .containsExactlyInAnyOrder("debug", "more");
    assertThat(pod.at("metadata", "generation")).isEqualTo(3L);
  }

  @Test
  void ephemeralContainers_areNotRemovedOrChanged() {
    createPod("p", "");
    must(200, patchEphemeral("{'spec':{'ephemeralContainers':[{'name':'debug','image':'i'}]}}"));

    assertFailure(
        api()
            .jsonPatch(
                core("pods") + "/p/ephemeralcontainers",
                "[{'op':'remove','path':'/spec/ephemeralContainers/0'}]"),
        422,
        "Invalid",
        "spec.ephemeralContainers: Forbidden: existing ephemeral containers \"debug\" may not be"
            + " removed");
    assertFailure(
        patchEphemeral("{'spec':{'ephemeralContainers':[{'name':'debug','image':'j'}]}}"),
        422,
        "Invalid",
        "existing ephemeral containers \"debug\" may not be changed");
    assertFailure(
        api().delete(core("pods") + "/p/ephemeralcontainers"), 405, "MethodNotAllowed", "");
  }

  /* --------------- Tokens --------------- */

  private Answer requestToken(String name, String body) {
    return api().post(core("serviceaccounts") + "/" + name + "/token", body);
  }

  @Test
  void token_isForTheAccount() {
    Answer account = must(201, api().post(core("serviceaccounts"), "{'metadata':{'name':'s'}}"));

    Answer token = must(201, requestToken("s", "{'spec':{'expirationSeconds':700}}"));

    assertThat(token.at("kind")).isEqualTo("TokenRequest");
    assertThat(token.at("apiVersion")).isEqualTo("authentication.k8s.io/v1");
    assertThat(token.name()).isEqualTo("s");
    assertThat(token.uid()).isEqualTo(account.uid());
    assertThat(token.at("spec", "audiences")).isEqualTo(List.of("https://kubernetes.default.svc"));
    assertThat(token.at("spec", "expirationSeconds")).isEqualTo(700L);
    assertThat(Tree.string(token.json(), "status", "expirationTimestamp")).endsWith("Z");
    String[] parts = Tree.string(token.json(), "status", "token").split("\\.", -1);
    Map<String, Object> claims = Tree.asObject(Json.parse(Base64.getUrlDecoder().decode(parts[1])));
    assertThat(parts).hasSize(3);
    assertThat(claims)
        .containsEntry("sub", "system:serviceaccount:" + namespace + ":s")
        .containsEntry("iss", "https://kubernetes.default.svc");
    assertThat(Tree.number(claims, "exp")).isEqualTo(Tree.number(claims, "iat") + 700);
  }

  @Test
  void token_withDefaults_lastsAnHour() {
    must(201, api().post(core("serviceaccounts"), "{'metadata':{'name':'s'}}"));

    Answer token = must(201, requestToken("s", "{'spec':{'audiences':['a','b']}}"));

    assertThat(token.at("spec", "audiences")).isEqualTo(List.of("a", "b"));
    assertThat(token.at("spec", "expirationSeconds")).isEqualTo(3600L);
  }

  @Test
  void token_ofSomethingElse_isRefused() {
    must(201, api().post(core("serviceaccounts"), "{'metadata':{'name':'s'}}"));

    assertFailure(
        requestToken("no", "{'spec':{}}"), 404, "NotFound", "serviceaccounts \"no\" not found");
    assertFailure(
        requestToken("s", "{'spec':{'expirationSeconds':10}}"),
        422,
        "Invalid",
        "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value:"
            + " 10: may not specify a duration less than 10 minutes");
    assertFailure(
        requestToken("s", "{'metadata':{'name':'q'},'spec':{}}"),
        422,
        "Invalid",
        "metadata.name: Invalid value: \"q\": must match the service account name if specified");
    assertFailure(api().get(core("serviceaccounts") + "/s/token"), 405, "MethodNotAllowed", "");
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
