package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Evictions of pods, which a PodDisruptionBudget can refuse. */
abstract class EvictionContract extends Contract {

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
  void eviction_missingPod_isNotFound() {
    assertFailure(evict("no", ""), 404, "NotFound", "pods \"no\" not found");
  }

  @Test
  void eviction_read_isNotAllowed() {
    createPod("p", "");

    assertFailure(api().get(core("pods") + "/p/eviction"), 405, "MethodNotAllowed", "");
  }

  @Test
  void eviction_budgetExhausted_isRefused() {
    createRunningPod("p");
    createBudget(0);

    Answer refused = evict("p", "");

    assertFailure(
        refused,
        429,
        "TooManyRequests",
        "Cannot evict pod as it would violate the pod's disruption budget.");
    assertThat(JsonTree.objects(refused.json(), "details", "causes"))
        .containsExactly(
            Map.of(
                "reason", "DisruptionBudget",
                "message", "The disruption budget b needs 1 healthy pods and has 1 currently"));
    must(200, api().get(core("pods") + "/p"));
  }

  @Test
  void eviction_budgetLeft_reducesIt() {
    createRunningPod("p");
    createBudget(1);

    must(201, evict("p", ""));

    Answer budget =
        api().get("/apis/policy/v1/namespaces/" + namespace + "/poddisruptionbudgets/b");
    assertThat(budget.at("status", "disruptionsAllowed")).isEqualTo(0L);
    assertThat(JsonTree.object(budget.json(), "status", "disruptedPods")).containsOnlyKeys("p");
  }
}
