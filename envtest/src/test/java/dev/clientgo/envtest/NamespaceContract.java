package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life cycle of namespaces. */
abstract class NamespaceContract extends Contract {

  private String path() {
    return "/api/v1/namespaces/" + namespace;
  }

  @Test
  void create_namespace_isActiveAndLabelled() {
    Answer created = must(200, api().get(path()));

    assertThat(created.at("status", "phase")).isEqualTo("Active");
    assertThat(created.at("metadata", "labels", "kubernetes.io/metadata.name"))
        .isEqualTo(namespace);
    assertThat(JsonTree.strings(created.json(), "spec", "finalizers"))
        .containsExactly("kubernetes");
    assertThat(created.at("metadata", "namespace")).isNull();
  }

  @Test
  void create_badName_isInvalid() {
    assertFailure(
        api().post("/api/v1/namespaces", "{'metadata':{'name':'a.b'}}"),
        422,
        "Invalid",
        "Namespace \"a.b\" is invalid: metadata.name: Invalid value: \"a.b\": must not contain"
            + " dots");
  }

  @Test
  void list_namespaces_containsTheInitialOnes() {
    assertThat(api().get("/api/v1/namespaces").itemNames())
        .contains("default", "kube-node-lease", "kube-public", "kube-system", namespace);
  }

  @Test
  void update_finalizersAndNameLabel_areKept() {
    Answer updated =
        must(
            200, api().mergePatch(path(), "{'metadata':{'labels':null},'spec':{'finalizers':[]}}"));

    assertThat(updated.at("metadata", "labels", "kubernetes.io/metadata.name"))
        .isEqualTo(namespace);
    assertThat(JsonTree.strings(updated.json(), "spec", "finalizers"))
        .containsExactly("kubernetes");
  }

  @Test
  void delete_namespace_isTerminatingUntilFinalized() {
    create("a");
    Answer deleted = must(200, api().delete(path()));

    assertThat(deleted.at("status", "phase")).isEqualTo("Terminating");
    assertThat(deleted.at("metadata", "deletionTimestamp")).isNotNull();
    must(200, api().get(configMap("a")));

    must(
        200,
        api()
            .put(
                path() + "/finalize",
                "{'metadata':{'name':'" + namespace + "'},'spec':{'finalizers':[]}}"));
    assertThat(api().get(path()).code()).isEqualTo(404);
  }

  @Test
  void create_inATerminatingNamespace_isForbidden() {
    api().delete(path());

    Answer answer = api().post(configMaps(), "{'metadata':{'name':'a'}}");

    assertFailure(
        answer,
        403,
        "Forbidden",
        "configmaps \"a\" is forbidden: unable to create new content in namespace "
            + namespace
            + " because it is being terminated");
    assertThat(answer.at("details", "causes", "0", "reason")).isEqualTo("NamespaceTerminating");
  }

  @Test
  void update_inATerminatingNamespace_isAllowed() {
    create("a");
    api().delete(path());

    set("a", "2");
    must(200, api().delete(configMap("a")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "kube-system", "kube-public"})
  void delete_permanentNamespace_isForbidden(String name) {
    assertFailure(
        api().delete("/api/v1/namespaces/" + name),
        403,
        "Forbidden",
        "namespaces \"" + name + "\" is forbidden: this namespace may not be deleted");
  }

  @Test
  void delete_allNamespaces_isNotAllowed() {
    assertFailure(
        api().delete("/api/v1/namespaces"),
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource");
  }

  @Test
  void clusterScoped_object_hasNoNamespace() {
    String node = "node-" + namespace;
    Answer created = must(201, api().post("/api/v1/nodes", "{'metadata':{'name':'" + node + "'}}"));

    assertThat(created.at("metadata", "namespace")).isNull();
    assertThat(api().get("/api/v1/nodes?fieldSelector=metadata.name%3D" + node).itemNames())
        .isEqualTo(List.of(node));
    must(200, api().delete("/api/v1/nodes/" + node));
  }
}
