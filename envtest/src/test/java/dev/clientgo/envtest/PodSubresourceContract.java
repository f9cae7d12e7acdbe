package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import org.junit.jupiter.api.Test;

/** The subresources of pods that bind them to nodes and add ephemeral containers. */
abstract class PodSubresourceContract extends Contract {

  /* --------------- Binding --------------- */

  private Answer bind(String name, String target) {
    return api()
        .post(
            core("pods") + "/p/binding",
            "{'metadata':{'name':'" + name + "'},'target':{" + target + "}}");
  }

  @Test
  void binding_assignsThePodOnce() {
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
  void binding_otherKind_isRefused() {
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
  void ephemeralContainers_areAdded_withoutOtherChanges() {
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
    assertThat(JsonTree.objects(pod.json(), "spec", "ephemeralContainers"))
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
}
