package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Merge patches and JSON patches. */
abstract class PatchContract extends Contract {

  @Test
  void json_copiesThatDouble_areRefused() {
    create("a");
    StringBuilder patch = new StringBuilder("[{'op':'add','path':'/data/x','value':'");
    patch.append("t".repeat(10_000)).append("'}");
    for (int i = 0; i < 20; i++) {
      patch.append(",{'op':'copy','from':'/data','path':'/data/x").append(i).append("'}");
    }

    assertThat(api().jsonPatch(configMap("a"), patch + "]").code()).isEqualTo(422);
  }

  @Test
  void json_ofTooManyOperations_isRefused() {
    create("a");
    String operation = "{'op':'test','path':'/kind','value':'ConfigMap'}";

    assertFailure(
        api().jsonPatch(configMap("a"), "[" + (operation + ",").repeat(10_000) + operation + "]"),
        413,
        "RequestEntityTooLarge",
        "The allowed maximum operations in a JSON patch is 10000, got 10001");
  }

  @Test
  void merge_nullsAndValues_removeAndSet() {
    create("a", ",'labels':{'x':'y','keep':'z'}");

    Answer patched =
        must(
            200,
            api()
                .mergePatch(
                    configMap("a"),
                    "{'metadata':{'labels':{'x':null}},'data':{'k':null,'n':'1'}}"));

    assertThat(JsonTree.asObject(patched.at("data"))).containsOnlyKeys("n");
    assertThat(JsonTree.asObject(patched.at("metadata", "labels"))).containsOnlyKeys("keep");
  }

  @Test
  void merge_nothing_keepsTheVersion() {
    Answer created = create("a");

    Answer patched = must(200, api().mergePatch(configMap("a"), "{}"));

    assertThat(patched.resourceVersion()).isEqualTo(created.resourceVersion());
  }

  @Test
  void merge_staleVersion_isAConflict() {
    Answer created = create("a");
    set("a", "2");

    assertFailure(
        api()
            .mergePatch(
                configMap("a"),
                "{'metadata':{'resourceVersion':'" + created.resourceVersion() + "'}}"),
        409,
        "Conflict",
        "the object has been modified");
  }

  @Test
  void merge_currentVersion_isApplied() {
    Answer created = create("a");

    Answer patched =
        api()
            .mergePatch(
                configMap("a"),
                "{'metadata':{'resourceVersion':'"
                    + created.resourceVersion()
                    + "'},'data':{'k':'2'}}");

    assertThat(patched.at("data", "k")).as(patched.text()).isEqualTo("2");
  }

  @Test
  void merge_absent_isNotFound() {
    assertFailure(
        api().mergePatch(configMap("absent"), "{}"), 404, "NotFound", "configmaps \"absent\"");
  }

  @Test
  void json_allOperations_areAppliedInOrder() {
    create("a");

    Answer patched =
        must(
            200,
            api()
                .jsonPatch(
                    configMap("a"),
                    "[{'op':'test','path':'/data/k','value':'v'},"
                        + "{'op':'copy','from':'/data/k','path':'/data/c'},"
                        + "{'op':'move','from':'/data/c','path':'/data/m'},"
                        + "{'op':'replace','path':'/data/k','value':'w'},"
                        + "{'op':'replace','path':'/data/new','value':'n'},"
                        + "{'op':'add','path':'/metadata/labels','value':{'e.x/y':'z'}},"
                        + "{'op':'remove','path':'/metadata/labels/e.x~1y'},"
                        + "{'op':'add','path':'/metadata/finalizers','value':['e.x/b']},"
                        + "{'op':'add','path':'/metadata/finalizers/0','value':'e.x/a'},"
                        + "{'op':'add','path':'/metadata/finalizers/-','value':'e.x/c'}]"));

    assertThat(JsonTree.asObject(patched.at("data")))
        .containsEntry("k", "w")
        .containsEntry("m", "v")
        .containsEntry("new", "n")
        .hasSize(3);
    assertThat(JsonTree.strings(patched.json(), "metadata", "finalizers"))
        .containsExactly("e.x/a", "e.x/b", "e.x/c");
  }

  static Stream<Arguments> unfit() {
    return Stream.of(
        argumentSet("test fails", "[{'op':'test','path':'/data/k','value':'other'}]"),
        argumentSet("nothing to remove", "[{'op':'remove','path':'/data/absent'}]"),
        argumentSet("nothing to move", "[{'op':'move','from':'/data/absent','path':'/data/x'}]"),
        argumentSet("no parent", "[{'op':'add','path':'/absent/x','value':'1'}]"),
        argumentSet("unknown operation", "[{'op':'nope','path':'/data'}]"));
  }

  @ParameterizedTest
  @MethodSource("unfit")
  void json_cannotApply_changesNothing(String patch) {
    Answer created = create("a");
    String whole = patch.replaceFirst("\\[", "[{'op':'add','path':'/data/x','value':'1'},");

    assertFailure(
        api().jsonPatch(configMap("a"), whole),
        422,
        "Invalid",
        "the server rejected our request due to an error in our request");
    assertThat(api().get(configMap("a")).json()).isEqualTo(created.json());
  }

  static Stream<Arguments> unreadable() {
    return Stream.of(
        argumentSet("merge, array", "application/merge-patch+json", "[]"),
        argumentSet("merge, cut", "application/merge-patch+json", "{"),
        argumentSet("json, object", "application/json-patch+json", "{}"),
        argumentSet("json, cut", "application/json-patch+json", "["));
  }

  @ParameterizedTest
  @MethodSource("unreadable")
  void patch_unreadable_isABadRequest(String type, String body) {
    create("a");

    assertFailure(
        api().send("PATCH", configMap("a"), body, "Content-Type", type),
        400,
        "BadRequest",
        body.length() == 1 && since(37) ? "invalid JSON patch" : "error decoding patch: ");
  }

  @Test
  void patch_name_isABadRequest() {
    create("a");

    assertFailure(
        api().mergePatch(configMap("a"), "{'metadata':{'name':'b'}}"),
        400,
        "BadRequest",
        "the name of the object (b) does not match the name on the URL (a)");
  }

  @Test
  void patch_namespace_isABadRequest() {
    create("a");

    assertFailure(
        api().mergePatch(configMap("a"), "{'metadata':{'namespace':'b'}}"),
        400,
        "BadRequest",
        "the namespace of the provided object does not match");
  }

  @Test
  void patch_uid_isInvalid() {
    create("a");

    assertFailure(
        api().mergePatch(configMap("a"), "{'metadata':{'uid':'b'}}"),
        422,
        "Invalid",
        "metadata.uid: Invalid value: \"b\": field is immutable");
  }

  @Test
  void patch_toAWrongType_isInvalid() {
    create("a");

    assertFailure(
        api().mergePatch(configMap("a"), "{'metadata':{'labels':'x'}}"), 422, "Invalid", "patch: ");
  }

  @Test
  void patch_toInvalidMetadata_isInvalid() {
    create("a");

    assertFailure(
        api().mergePatch(configMap("a"), "{'metadata':{'labels':{'a b':'c'}}}"),
        422,
        "Invalid",
        "ConfigMap \"a\" is invalid: metadata.labels: Invalid value: \"a b\"");
  }

  @Test
  void patch_unknownType_isUnsupported() {
    create("a");

    assertFailure(
        api().send("PATCH", configMap("a"), "{}", "Content-Type", "text/plain"),
        415,
        "UnsupportedMediaType",
        "");
  }

  @Test
  void patch_dryRun_changesNothing() {
    Answer created = create("a");

    Answer patched = api().mergePatch(configMap("a") + "?dryRun=All", "{'data':{'k':'2'}}");

    assertThat(patched.at("data", "k")).isEqualTo("2");
    assertThat(api().get(configMap("a")).json()).isEqualTo(created.json());
  }

  @Test
  void patch_concurrently_losesNone() throws InterruptedException {
    create("a");
    Thread[] writers = new Thread[4];
    for (int i = 0; i < writers.length; i++) {
      int writer = i;
      writers[i] =
          new Thread(
              () -> {
                for (int n = 0; n < 5; n++) {
                  String data = "{'data':{'w" + writer + "-" + n + "':'x'}}";
                  must(200, api().mergePatch(configMap("a"), data));
                }
              });
      writers[i].start();
    }
    for (Thread writer : writers) {
      writer.join();
    }

    assertThat(JsonTree.asObject(api().get(configMap("a")).at("data"))).hasSize(21);
  }

  @Test
  void secret_stringData_isStoredAsData() {
    String text = "{'metadata':{'name':'s'},'data':{'a':'YQ=='},'stringData':{'a':'x','b':'é'}}";
    Answer created = must(201, api().post(core("secrets"), text));

    Answer patched =
        must(200, api().mergePatch(core("secrets") + "/s", "{'stringData':{'c':'3'}}"));

    assertThat(created.at("data")).isEqualTo(Map.of("a", "eA==", "b", "w6k="));
    assertThat(patched.at("data")).isEqualTo(Map.of("a", "eA==", "b", "w6k=", "c", "Mw=="));
    assertThat(patched.json()).doesNotContainKey("stringData");
    assertThat(patched.text()).contains("f:data", "f:c").doesNotContain("f:stringData");
  }
}
