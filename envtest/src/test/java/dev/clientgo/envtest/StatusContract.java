package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.TestClient.Answer;
import org.junit.jupiter.api.Test;

/** The status subresource of built-in kinds, and {@code metadata.generation}. */
abstract class StatusContract extends Contract {

  private static final String POD_SPEC = "'spec':{'containers':[{'name':'c','image':'i'}]}";

  private String pod() {
    return core("pods") + "/p";
  }

  @Test
  void create_withStatus_startsPending() {
    String pod = "{'metadata':{'name':'p'}," + POD_SPEC + ",'status':{'phase':'Running'}}";

    Answer created = must(201, api().post(core("pods"), pod));

    assertThat(created.at("status", "phase")).isEqualTo("Pending");
    assertThat(created.at("metadata", "generation")).isEqualTo(1L);
  }

  @Test
  void patch_statusOfTheObject_isIgnored() {
    Answer created = createPod("p", "");

    Answer patched = must(200, api().mergePatch(pod(), "{'status':{'phase':'Running'}}"));

    assertThat(patched.at("status", "phase")).isEqualTo("Pending");
    assertThat(patched.resourceVersion()).isEqualTo(created.resourceVersion());
  }

  @Test
  void patchStatus_changesOnlyTheStatus() {
    createPod("p", "");

    Answer patched =
        must(
            200,
            api()
                .mergePatch(
                    pod() + "/status", "{'spec':{'nodeName':'n'},'status':{'phase':'Running'}}"));

    assertThat(patched.at("status", "phase")).isEqualTo("Running");
    assertThat(patched.at("spec", "nodeName")).isNull();
    assertThat(patched.at("metadata", "generation")).isEqualTo(1L);
    assertThat(api().get(pod()).json()).isEqualTo(patched.json());
  }

  @Test
  void putStatus_metadata_isStoredExceptOwners() {
    createPod("p", "");

    Answer updated =
        must(
            200,
            api()
                .put(
                    pod() + "/status",
                    "{'metadata':{'name':'p','labels':{'a':'b'},'annotations':{'c':'d'},"
                        + "'ownerReferences':[{'apiVersion':'v1','kind':'K','name':'n','uid':'u'}]},"
                        + POD_SPEC
                        + ",'status':{'phase':'Failed'}}"));

    assertThat(updated.at("metadata", "labels", "a")).isEqualTo("b");
    assertThat(updated.at("metadata", "annotations", "c")).isEqualTo("d");
    assertThat(updated.at("metadata", "ownerReferences")).isNull();
    assertThat(updated.at("status", "phase")).isEqualTo("Failed");
  }

  @Test
  void getStatus_returnsTheWholeObject() {
    Answer created = createPod("p", "");

    assertThat(api().get(pod() + "/status").json()).isEqualTo(created.json());
  }

  @Test
  void putStatus_staleVersion_isAConflict() {
    Answer created = createPod("p", "");
    api().mergePatch(pod() + "/status", "{'status':{'phase':'Running'}}");

    assertFailure(
        api()
            .mergePatch(
                pod() + "/status",
                "{'metadata':{'resourceVersion':'"
                    + created.resourceVersion()
                    + "'},'status':{'phase':'Failed'}}"),
        409,
        "Conflict",
        "the object has been modified");
  }

  @Test
  void status_kindWithoutIt_isNotFound() {
    create("a");

    assertFailure(
        api().get(configMap("a") + "/status"),
        404,
        "NotFound",
        "the server could not find the requested resource");
  }

  @Test
  void status_deleted_isNotAllowed() {
    createPod("p", "");

    assertFailure(
        api().delete(pod() + "/status"),
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource");
  }

  private Answer createDeployment() {
    return must(
        201,
        api()
            .post(
                deployments(),
                "{'metadata':{'name':'d'},'spec':{'replicas':1,'selector':{'matchLabels':{'a':'b'}},"
                    + "'template':{'metadata':{'labels':{'a':'b'}},"
                    + POD_SPEC
                    + "}},'status':{'replicas':4}}"));
  }

  private String deployments() {
    return "/apis/apps/v1/namespaces/" + namespace + "/deployments";
  }

  @Test
  void generation_specChanges_countsThem() {
    createDeployment();

    Answer scaled = api().mergePatch(deployments() + "/d", "{'spec':{'replicas':2}}");
    Answer labelled = api().mergePatch(deployments() + "/d", "{'metadata':{'labels':{'x':'y'}}}");
    Answer status = api().mergePatch(deployments() + "/d/status", "{'status':{'replicas':2}}");
    Answer same = api().mergePatch(deployments() + "/d", "{'spec':{'replicas':2}}");

    assertThat(scaled.at("metadata", "generation")).isEqualTo(2L);
    assertThat(labelled.at("metadata", "generation")).isEqualTo(2L);
    assertThat(status.at("metadata", "generation")).isEqualTo(2L);
    assertThat(status.at("status", "replicas")).isEqualTo(2L);
    assertThat(same.resourceVersion()).isEqualTo(status.resourceVersion());
  }

  @Test
  void generation_deploymentAnnotation_isCounted() {
    createDeployment();

    Answer annotated =
        api().mergePatch(deployments() + "/d", "{'metadata':{'annotations':{'x':'y'}}}");

    assertThat(annotated.at("metadata", "generation")).isEqualTo(2L);
  }

  @Test
  void generation_fromTheClient_isIgnored() {
    createDeployment();

    Answer patched = api().mergePatch(deployments() + "/d", "{'metadata':{'generation':9}}");

    assertThat(patched.at("metadata", "generation")).isEqualTo(1L);
  }

  @Test
  void generation_ofAConfigMap_isAbsent() {
    assertThat(create("a").at("metadata", "generation")).isNull();
  }
}
