package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Strategic merge patches, which only built-in kinds support. */
abstract class StrategicPatchContract extends Contract {

  private String deployment = "";

  @BeforeEach
  void createDeployment() {
    String deployments = "/apis/apps/v1/namespaces/" + namespace + "/deployments";
    deployment = deployments + "/d";
    must(
        201,
        api()
            .post(
                deployments,
                "{'metadata':{'name':'d','finalizers':['e.x/a']},'spec':{'selector':{'matchLabels':"
                    + "{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':"
                    + "[{'name':'c','image':'i','args':['x'],'env':[{'name':'E','value':'1'}]}]}}}}"));
  }

  private Answer patch(String body) {
    return api()
        .send("PATCH", deployment, body, "Content-Type", "application/strategic-merge-patch+json");
  }

  private static String template(String spec) {
    return "{'spec':{'template':{'spec':" + spec + "}}}";
  }

  private static List<Map<String, Object>> containers(Answer deployment) {
    return JsonTree.objects(deployment.json(), "spec", "template", "spec", "containers");
  }

  private static List<Object> names(List<Map<String, Object>> elements) {
    return elements.stream().map(element -> element.get("name")).toList();
  }

  @Test
  void listWithKey_isMerged() {
    Answer patched =
        must(
            200,
            patch(
                template(
                    "{'containers':[{'name':'c','env':[{'name':'G','value':'3'}]},"
                        + "{'name':'n','image':'x'}]}")));

    assertThat(names(containers(patched))).containsExactly("c", "n");
    assertThat(containers(patched).get(0)).containsEntry("image", "i");
    assertThat(names(JsonTree.objects(containers(patched).get(0), "env")))
        .containsExactlyInAnyOrder("E", "G");
  }

  @Test
  void listWithoutKey_isReplaced() {
    Answer patched = must(200, patch(template("{'containers':[{'name':'c','args':['y','z']}]}")));

    assertThat(containers(patched).get(0)).containsEntry("args", List.of("y", "z"));
  }

  @Test
  void directive_deletesAnElement() {
    must(200, patch(template("{'containers':[{'name':'n','image':'x'}]}")));

    Answer patched =
        must(
            200,
            patch(
                template(
                    "{'containers':[{'name':'n','$patch':'delete'}],"
                        + "'$setElementOrder/containers':[{'name':'c'}]}")));

    assertThat(names(containers(patched))).containsExactly("c");
  }

  @Test
  void directive_replacesAList() {
    Answer patched =
        must(
            200,
            patch(template("{'containers':[{'$patch':'replace'},{'name':'only','image':'x'}]}")));

    assertThat(names(containers(patched))).containsExactly("only");
  }

  @Test
  void set_isMerged_andElementsAreRemoved() {
    Answer merged = must(200, patch("{'metadata':{'finalizers':['e.x/b']}}"));
    Answer taken =
        must(200, patch("{'metadata':{'$deleteFromPrimitiveList/finalizers':['e.x/a']}}"));

    assertThat(JsonTree.strings(merged.json(), "metadata", "finalizers"))
        .containsExactlyInAnyOrder("e.x/a", "e.x/b");
    assertThat(JsonTree.strings(taken.json(), "metadata", "finalizers")).containsExactly("e.x/b");
    must(200, patch("{'metadata':{'finalizers':null}}"));
  }

  @Test
  void null_removes() {
    must(200, patch("{'metadata':{'labels':{'x':'y'}}}"));

    Answer patched = must(200, patch("{'metadata':{'labels':{'x':null}}}"));

    assertThat(patched.at("metadata", "labels")).isNull();
  }

  @Test
  void element_withoutItsKey_isAnError() {
    Answer answer = patch(template("{'containers':[{'image':'x'}]}"));

    assertThat(answer.code()).as(answer.text()).isEqualTo(500);
    assertThat(answer.message()).contains("merge key").contains("name");
  }

  @Test
  void array_isABadRequest() {
    assertFailure(patch("[]"), 400, "BadRequest", "json: cannot unmarshal array into Go value");
  }

  @Test
  void emptyPatch_keepsTheVersion() {
    Answer before = api().get(deployment);

    assertThat(must(200, patch("{}")).resourceVersion()).isEqualTo(before.resourceVersion());
  }
}
