package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Deletes: immediate, with finalizers, with a grace period, and of collections. */
abstract class DeletionContract extends Contract {

  @Test
  void delete_object_answersWithAStatus() {
    Answer created = create("a");

    Answer deleted = must(200, api().delete(configMap("a")));

    assertThat(deleted.at("kind")).isEqualTo("Status");
    assertThat(deleted.at("status")).isEqualTo("Success");
    assertThat(deleted.at("details", "name")).isEqualTo("a");
    assertThat(deleted.at("details", "kind")).isEqualTo("configmaps");
    assertThat(deleted.at("details", "uid")).isEqualTo(created.uid());
    assertThat(api().get(configMap("a")).code()).isEqualTo(404);
  }

  @Test
  void delete_serviceAccount_answersWithTheObject() {
    api().post(core("serviceaccounts"), "{'metadata':{'name':'a'}}");

    Answer deleted = must(200, api().delete(core("serviceaccounts") + "/a"));

    assertThat(deleted.at("kind")).isEqualTo("ServiceAccount");
  }

  @Test
  void delete_absent_isNotFound() {
    assertFailure(
        api().delete(configMap("absent")), 404, "NotFound", "configmaps \"absent\" not found");
  }

  @Test
  void delete_otherUid_isAConflict() {
    create("a");

    Answer answer = api().delete(configMap("a"), "{'preconditions':{'uid':'other'}}");

    assertFailure(
        answer,
        409,
        "Conflict",
        "Operation cannot be fulfilled on ConfigMap \"a\": the UID in the precondition (other) does"
            + " not match the UID in record (");
    assertThat(answer.at("details", "kind")).isEqualTo("ConfigMap");
  }

  @Test
  void delete_otherVersion_isAConflict() {
    create("a");

    assertFailure(
        api().delete(configMap("a"), "{'preconditions':{'resourceVersion':'1'}}"),
        409,
        "Conflict",
        "the ResourceVersion in the precondition (1) does not match the ResourceVersion in record");
  }

  @Test
  void delete_preconditionsMet_succeeds() {
    Answer created = create("a");

    must(
        200,
        api()
            .delete(
                configMap("a"),
                "{'preconditions':{'uid':'"
                    + created.uid()
                    + "','resourceVersion':'"
                    + created.resourceVersion()
                    + "'}}"));
  }

  @Test
  void delete_dryRun_deletesNothing() {
    create("a");

    must(200, api().delete(configMap("a") + "?dryRun=All"));

    must(200, api().get(configMap("a")));
  }

  static Stream<Arguments> invalidOptions() {
    return Stream.of(
        argumentSet(
            "unknown policy",
            "{'propagationPolicy':'Nope'}",
            422,
            "propagationPolicy: Unsupported value: \"Nope\": supported values: \"Foreground\""),
        argumentSet(
            "policy and orphanDependents",
            "{'propagationPolicy':'Orphan','orphanDependents':true}",
            422,
            "orphanDependents and deletionPropagation cannot be both set"),
        argumentSet("unknown dry run", "{'dryRun':['Some']}", 422, "dryRun: Unsupported value"),
        argumentSet("another kind", "{'kind':'Pod','apiVersion':'v1'}", 400, "no kind \"Pod\""),
        argumentSet("cut", "{", 400, "couldn't get version/kind; json parse error: "));
  }

  @ParameterizedTest
  @MethodSource("invalidOptions")
  void delete_invalidOptions_areRefused(String options, int code, String message) {
    create("a");

    String reason = code == 422 ? "Invalid" : "BadRequest";
    assertFailure(api().delete(configMap("a"), options), code, reason, message);
    must(200, api().get(configMap("a")));
  }

  @Test
  void delete_finalizers_waitsForThem() {
    Answer created = create("a", ",'finalizers':['example.com/x']");

    Answer deleted = must(200, api().delete(configMap("a")));

    assertThat(deleted.at("kind")).isEqualTo("ConfigMap");
    assertThat(deleted.at("metadata", "deletionTimestamp")).isNotNull();
    assertThat(deleted.at("metadata", "deletionGracePeriodSeconds")).isEqualTo(0L);
    assertThat(deleted.resourceVersion()).isNotEqualTo(created.resourceVersion());
    assertThat(api().get(configMap("a")).json()).isEqualTo(deleted.json());
  }

  @Test
  void delete_again_changesNothing() {
    create("a", ",'finalizers':['example.com/x']");
    Answer first = api().delete(configMap("a"));

    Answer second = must(200, api().delete(configMap("a")));

    assertThat(second.json()).isEqualTo(first.json());
  }

  @Test
  void update_lastFinalizerRemoved_deletes() {
    create("a", ",'finalizers':['example.com/x','example.com/y']");
    api().delete(configMap("a"));

    Answer one = api().mergePatch(configMap("a"), "{'metadata':{'finalizers':['example.com/y']}}");
    Answer none = must(200, api().mergePatch(configMap("a"), "{'metadata':{'finalizers':null}}"));

    assertThat(one.code()).isEqualTo(200);
    assertThat(none.at("kind")).isEqualTo("ConfigMap");
    assertThat(none.at("metadata", "finalizers")).isNull();
    assertThat(api().get(configMap("a")).code()).isEqualTo(404);
  }

  @Test
  void update_whileDeleted_cannotAddFinalizers() {
    create("a", ",'finalizers':['example.com/x']");
    api().delete(configMap("a"));

    assertFailure(
        api()
            .mergePatch(
                configMap("a"), "{'metadata':{'finalizers':['example.com/x','example.com/y']}}"),
        422,
        "Invalid",
        "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being"
            + " deleted, found new finalizers []string{\"example.com/y\"}");
  }

  @Test
  void update_whileDeleted_cannotUndo() {
    create("a", ",'finalizers':['example.com/x']");
    api().delete(configMap("a"));

    Answer patched =
        must(200, api().mergePatch(configMap("a"), "{'metadata':{'deletionTimestamp':null}}"));

    assertThat(patched.at("metadata", "deletionTimestamp")).isNotNull();
  }

  @Test
  void update_finalizersWithoutDeletion_deletesNothing() {
    create("a", ",'finalizers':['example.com/x']");

    must(200, api().mergePatch(configMap("a"), "{'metadata':{'finalizers':null}}"));

    must(200, api().get(configMap("a")));
  }

  static Stream<Arguments> policies() {
    return Stream.of(
        argumentSet("Foreground", "Foreground", "foregroundDeletion"),
        argumentSet("Orphan", "Orphan", "orphan"));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void delete_propagationPolicy_setsTheGarbageCollectorsFinalizer(String policy, String finalizer) {
    create("a");

    Answer deleted =
        must(200, api().delete(configMap("a"), "{'propagationPolicy':'" + policy + "'}"));

    assertThat(JsonTree.strings(deleted.json(), "metadata", "finalizers"))
        .containsExactly(finalizer);
  }

  @Test
  void delete_background_deletesAtOnce() {
    create("a");

    must(200, api().delete(configMap("a") + "?propagationPolicy=Background"));

    assertThat(api().get(configMap("a")).code()).isEqualTo(404);
  }

  @Test
  void deletePod_withoutNode_removesItAtOnce() {
    createPod("p", "");

    Answer deleted = must(200, api().delete(core("pods") + "/p"));

    assertThat(deleted.at("kind")).isEqualTo("Pod");
    assertThat(deleted.at("metadata", "deletionGracePeriodSeconds")).isEqualTo(0L);
    assertThat(deleted.at("metadata", "generation")).isEqualTo(2L);
    assertThat(api().get(core("pods") + "/p").code()).isEqualTo(404);
  }

  @Test
  void deletePod_onANode_setsAGracePeriod() {
    createPod("p", "node");

    Answer deleted = must(200, api().delete(core("pods") + "/p"));
    Answer again = must(200, api().delete(core("pods") + "/p"));

    assertThat(deleted.at("metadata", "deletionGracePeriodSeconds")).isEqualTo(30L);
    assertThat(deleted.at("metadata", "deletionTimestamp")).isNotNull();
    assertThat(again.json()).isEqualTo(deleted.json());
  }

  @Test
  void deletePod_again_shortensTheGracePeriodOnly() {
    createPod("p", "node");
    String pod = core("pods") + "/p";
    api().delete(pod);

    Answer less = must(200, api().delete(pod + "?gracePeriodSeconds=5"));
    Answer more = must(200, api().delete(pod + "?gracePeriodSeconds=50"));

    assertThat(less.at("metadata", "deletionGracePeriodSeconds")).isEqualTo(5L);
    assertThat(more.json()).isEqualTo(less.json());
  }

  @Test
  void deletePod_zeroGrace_removesIt() {
    createPod("p", "node");
    String pod = core("pods") + "/p";
    api().delete(pod);

    must(200, api().delete(pod, "{'gracePeriodSeconds':0}"));

    assertThat(api().get(pod).code()).isEqualTo(404);
  }

  @Test
  void deleteCollection_withSelector_deletesMatches() {
    create("a", ",'labels':{'x':'1'}");
    create("b", ",'labels':{'x':'2'}");
    create("c", ",'labels':{'x':'1'}");

    Answer deleted = must(200, api().delete(configMaps() + "?labelSelector=x%3D1"));

    assertThat(deleted.at("kind")).isEqualTo("ConfigMapList");
    assertThat(deleted.itemNames()).containsExactly("a", "c");
    assertThat(api().get(configMaps()).itemNames()).containsExactly("b");
  }

  @Test
  void deleteCollection_byField_deletesOne() {
    create("a");
    create("b");

    must(200, api().delete(configMaps() + "?fieldSelector=metadata.name%3Da"));

    assertThat(api().get(configMaps()).itemNames()).containsExactly("b");
  }

  @Test
  void deleteCollection_dryRun_deletesNothing() {
    create("a");

    Answer answer = must(200, api().delete(configMaps() + "?dryRun=All"));

    assertThat(answer.itemNames()).containsExactly("a");
    must(200, api().get(configMap("a")));
  }

  @Test
  void deleteCollection_finalizers_waitForThem() {
    create("a", ",'finalizers':['example.com/x']");
    create("b");

    must(200, api().delete(configMaps()));

    Answer left = api().get(configMaps());
    assertThat(left.itemNames()).containsExactly("a");
    assertThat(left.at("items", "0", "metadata", "deletionTimestamp")).isNotNull();
  }

  @Test
  void deleteCollection_acrossNamespaces_isNotAllowed() {
    assertFailure(
        api().delete("/api/v1/configmaps"),
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource");
  }
}
