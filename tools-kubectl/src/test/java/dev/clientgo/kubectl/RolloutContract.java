package dev.clientgo.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@link Rollout} and {@link Scaler} do with a server. */
abstract class RolloutContract {

  abstract RESTClient client();

  static String deployment(String name) {
    return """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: %1$s, namespace: default}
        spec:
          replicas: 2
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s}}
            spec: {containers: [{name: app, image: app}]}
        """
        .formatted(name);
  }

  private ResourceClient<Deployment> deployments() {
    return client().resource(Deployment.TYPE).inNamespace("default");
  }

  private void create(String name) throws InterruptedException {
    deployments().create(Unstructured.parseYaml(deployment(name)).get(0).to(Deployment.CODEC));
  }

  private void status(String name, int replicas, int updated, int available, String reason)
      throws InterruptedException {
    Map<String, Object> status = new HashMap<>();
    status.put("observedGeneration", deployments().get(name).metadata().generation());
    status.put("replicas", replicas);
    status.put("updatedReplicas", updated);
    status.put("readyReplicas", available);
    status.put("availableReplicas", available);
    status.put(
        "conditions", List.of(Map.of("type", "Progressing", "status", "True", "reason", reason)));
    deployments().status().patch(name, Patch.merge(Map.of("status", status)));
  }

  private String message(String name) throws InterruptedException {
    return Rollout.status(Deployment.TYPE, deployments().get(name)).message();
  }

  @Test
  void status_tellsHowFarADeploymentHasCome() throws Exception {
    create("steps");

    assertThat(message("steps")).isEqualTo("Waiting for deployment spec update to be observed...");
    status("steps", 2, 1, 1, "ReplicaSetUpdated");
    assertThat(message("steps"))
        .endsWith("rollout to finish: 1 out of 2 new replicas have been updated...");
    status("steps", 3, 2, 2, "ReplicaSetUpdated");
    assertThat(message("steps")).endsWith("1 old replicas are pending termination...");
    status("steps", 2, 2, 1, "ReplicaSetUpdated");
    assertThat(message("steps")).endsWith("1 of 2 updated replicas are available...");
    status("steps", 2, 2, 2, "NewReplicaSetAvailable");
    assertThat(Rollout.await(deployments(), "steps", Duration.ofSeconds(30)))
        .isEqualTo(new Rollout.Status(true, false, "deployment \"steps\" successfully rolled out"));
  }

  @Test
  void await_ofAMissedDeadline_fails() throws Exception {
    create("late");
    status("late", 2, 1, 1, "ProgressDeadlineExceeded");

    assertThatThrownBy(() -> Rollout.await(deployments(), "late", Duration.ofSeconds(30)))
        .isInstanceOf(ApiStatusException.class)
        .hasMessageContaining("deployment \"late\" exceeded its progress deadline");
  }

  @Test
  void await_tooLong_saysHowFarItHasCome() throws Exception {
    create("slow");

    assertThatThrownBy(() -> Rollout.await(deployments(), "slow", Duration.ofMillis(100)))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("spec update to be observed");
  }

  @Test
  void restart_annotatesTheTemplate_unlessItIsPaused() throws Exception {
    create("again");

    Unstructured restarted =
        Unstructured.from(Deployment.CODEC, Rollout.restart(deployments(), "again"));
    Rollout.pause(deployments(), "again");

    assertThat(
            restarted.nestedString(
                "spec", "template", "metadata", "annotations", Rollout.RESTARTED_AT))
        .isPresent();
    assertThatThrownBy(() -> Rollout.restart(deployments(), "again"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Deployment again is paused: resume it");
    Rollout.resume(deployments(), "again");
    Rollout.restart(deployments(), "again");
  }

  /** The time had seconds: the second restart changed nothing, and returned as if it had. */
  @Test
  void restart_twiceInASecond_startsTwoRollouts() throws Exception {
    create("twice");

    long first = Rollout.restart(deployments(), "twice").metadata().generation();
    long second = Rollout.restart(deployments(), "twice").metadata().generation();

    assertThat(second).isEqualTo(first + 1);
  }

  /** The server drops a template that the kind does not have, and answers with 200. */
  @Test
  void restart_ofAKindWithoutARollout_isAnError() throws Exception {
    ResourceClient<Unstructured> services =
        client().dynamic(new GroupVersionResource("", "v1", "services")).inNamespace("default");
    services.create(
        yaml("{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}]}}"));

    assertThatThrownBy(() -> Rollout.restart(services, "s"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Service has no rollout");
  }

  private static Unstructured yaml(String text) {
    return Unstructured.parseYaml(text).get(0);
  }

  private ResourceClient<Unstructured> apps(String resource) {
    return client()
        .dynamic(new GroupVersionResource("apps", "v1", resource))
        .inNamespace("default");
  }

  /** Does what the deployment controller does when it rolls a template out. */
  private void replicaSet(String name, int revision, String image, String cause)
      throws InterruptedException {
    apps("replicasets")
        .create(
            yaml(
                """
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata:
                  name: %1$s-%2$d
                  labels: {app: %1$s, pod-template-hash: h%2$d}
                  annotations:
                    deployment.kubernetes.io/revision: "%2$d"
                    deployment.kubernetes.io/desired-replicas: "9"
                    kubernetes.io/change-cause: "%4$s"
                  ownerReferences:
                  - {apiVersion: apps/v1, kind: Deployment, name: %1$s, uid: %5$s, controller: true}
                spec:
                  selector: {matchLabels: {app: %1$s, pod-template-hash: h%2$d}}
                  template:
                    metadata: {labels: {app: %1$s, pod-template-hash: h%2$d}}
                    spec: {containers: [{name: app, image: "%3$s"}]}
                """
                    .formatted(
                        name, revision, image, cause, deployments().get(name).metadata().uid())));
  }

  private static String image(Deployment deployment) {
    return deployment.spec().template().spec().containers().get(0).image();
  }

  @Test
  void undo_ofADeployment_goesBackToARevision() throws Exception {
    create("undone");
    apps("deployments")
        .patch(
            "undone",
            Patch.merge(
                "{\"metadata\":{\"annotations\":{\"kubernetes.io/change-cause\":\"now\"}}}"));
    replicaSet("undone", 10, "app", "now");
    replicaSet("undone", 9, "app:9", "nine");
    replicaSet("undone", 2, "app:2", "");

    assertThat(Rollout.history(deployments(), "undone"))
        .extracting(RolloutRevision::toString)
        .containsExactly("2 <none>", "9 nine", "10 now");
    Deployment previous = Rollout.undo(deployments(), "undone");
    assertThat(image(previous)).isEqualTo("app:9");
    assertThat(previous.spec().template().metadata().labels()).isEqualTo(Map.of("app", "undone"));
    assertThat(previous.metadata().annotations())
        .containsEntry("kubernetes.io/change-cause", "nine")
        .doesNotContainKey("deployment.kubernetes.io/desired-replicas");
    assertThat(image(Rollout.undo(deployments(), "undone", 2))).isEqualTo("app:2");
    Deployment same = Rollout.undo(deployments(), "undone", 2);
    assertThat(same.metadata().resourceVersion())
        .isEqualTo(deployments().get("undone").metadata().resourceVersion());
    assertThatThrownBy(() -> Rollout.undo(deployments(), "undone", 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Deployment undone has no revision 7: there are [2, 9, 10]");
    Rollout.pause(deployments(), "undone");
    assertThatThrownBy(() -> Rollout.undo(deployments(), "undone"))
        .hasMessage("Deployment undone is paused: resume it, then undo its rollout");
  }

  @Test
  void undo_withoutAnEarlierRevision_saysSo() throws Exception {
    create("first");
    replicaSet("first", 1, "app", "");

    assertThatThrownBy(() -> Rollout.undo(deployments(), "first"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Deployment first has no revision before the one that it runs");
  }

  @ParameterizedTest
  @CsvSource({"StatefulSet, statefulsets", "DaemonSet, daemonsets"})
  void undo_ofASet_appliesItsControllerRevision(String kind, String resource) throws Exception {
    String name = "undone-" + resource;
    Unstructured set =
        apps(resource)
            .create(
                yaml(
                    """
                    apiVersion: apps/v1
                    kind: %1$s
                    metadata: {name: %2$s}
                    spec:
                      selector: {matchLabels: {app: %2$s}}
                      template:
                        metadata: {labels: {app: %2$s}, annotations: {later: "1"}}
                        spec: {containers: [{name: app, image: "app:2"}]}
                    """
                        .formatted(kind, name)));
    for (int revision = 1; revision <= 2; revision++) {
      apps("controllerrevisions")
          .create(
              yaml(
                  """
                  apiVersion: apps/v1
                  kind: ControllerRevision
                  metadata:
                    name: %2$s-%3$d
                    labels: {app: %2$s}
                    ownerReferences:
                    - {apiVersion: apps/v1, kind: %1$s, name: %2$s, uid: %4$s, controller: true}
                  revision: %3$d
                  data:
                    spec:
                      template:
                        $patch: replace
                        metadata: {labels: {app: %2$s}}
                        spec: {containers: [{name: app, image: "app:%3$d"}]}
                  """
                      .formatted(kind, name, revision, set.metadata().uid())));
    }

    assertThat(Rollout.history(apps(resource), name))
        .extracting(RolloutRevision::number)
        .containsExactly(1L, 2L);
    Unstructured undone = Rollout.undo(apps(resource), name);
    Map<?, ?> container =
        (Map<?, ?>)
            undone.nestedList("spec", "template", "spec", "containers").orElseThrow().get(0);
    assertThat(container.get("image")).isEqualTo("app:1");
    assertThat(undone.nested("spec", "template", "metadata", "annotations")).isEmpty();
    assertThatThrownBy(() -> Rollout.pause(apps(resource), name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(resource + ".apps cannot be paused or resumed: only a Deployment can");
  }

  @Test
  void scale_setsTheReplicas_ifTheyAreAsExpected() throws Exception {
    create("scaled");

    assertThat(Scaler.of(deployments()).scale("scaled", 5).replicas()).isEqualTo(5);
    assertThatThrownBy(() -> Scaler.of(deployments()).ifCurrently(2).scale("scaled", 3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("scaled has 5 replicas, not 2");
    assertThat(deployments().get("scaled").spec().replicas()).isEqualTo(5);
  }
}
