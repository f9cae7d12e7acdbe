package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import org.junit.jupiter.api.Test;

/** The subresources of pods that lead to their containers, where no node has the pod. */
abstract class PodConnectionContract extends Contract {

  private Answer get(String pathAndQuery) {
    return api().get(core("pods") + "/" + pathAndQuery);
  }

  private void createTwoContainers() {
    must(
        201,
        api()
            .post(
                core("pods"),
                "{'metadata':{'name':'two'},'spec':{'initContainers':[{'name':'i','image':'i'}],"
                    + "'containers':[{'name':'a','image':'i'},{'name':'b','image':'i'}]}}"));
  }

  @Test
  void connections_ofUnknownPodsAndContainers_areRefused() {
    createPod("p", "");
    createTwoContainers();

    for (String what : new String[] {"exec?command=x&stdout=true", "attach?stdout=true", "log"}) {
      String and = what.equals("log") ? "?" : "&";
      assertFailure(get("no/" + what), 404, "NotFound", "pods \"no\" not found");
      assertFailure(
          get("p/" + what + and + "container=x"),
          400,
          "BadRequest",
          "container x is not valid for pod p");
      assertFailure(
          get("two/" + what),
          400,
          "BadRequest",
          "a container name must be specified for pod two, choose one of: [");
    }
    assertFailure(get("no/portforward?ports=80"), 404, "NotFound", "pods \"no\" not found");
  }

  @Test
  void connections_ofAPodWithoutANode_areRefused() {
    createPod("p", "");

    String text = "pod p does not have a host assigned";
    assertFailure(get("p/exec?command=x&stdout=true"), 400, "BadRequest", text);
    assertFailure(get("p/attach?stdout=true"), 400, "BadRequest", text);
    assertFailure(get("p/portforward?ports=80"), 400, "BadRequest", text);
  }

  @Test
  void log_ofAPodWithoutANode_isEmpty() {
    createPod("p", "");

    Answer log = get("p/log");

    assertThat(log.text()).isEmpty();
    assertThat(log.code()).isEqualTo(204);
  }

  @Test
  void log_withWrongOptions_isRefused() {
    createPod("p", "");

    assertFailure(
        get("p/log?tailLines=-1"),
        422,
        "Invalid",
        "PodLogOptions \"p\" is invalid: tailLines: Invalid value: -1: must be greater than or"
            + " equal to 0");
    assertFailure(
        get("p/log?limitBytes=0"),
        422,
        "Invalid",
        "limitBytes: Invalid value: 0: must be greater than 0");
    assertFailure(
        get("p/log?sinceSeconds=0"),
        422,
        "Invalid",
        "sinceSeconds: Invalid value: 0: must be greater than 0");
    assertFailure(
        get("p/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z"),
        422,
        "Invalid",
        "at most one of `sinceTime` or `sinceSeconds` may be specified");
    assertFailure(
        get("p/log?tailLines=x"),
        400,
        "BadRequest",
        "strconv.ParseInt: parsing \"x\": invalid syntax");
  }

  @Test
  void connections_byOtherVerbs_areNotAllowed() {
    createPod("p", "");

    assertFailure(api().delete(core("pods") + "/p/exec"), 405, "MethodNotAllowed", "");
    assertFailure(api().delete(core("pods") + "/p/log"), 405, "MethodNotAllowed", "");
  }
}
