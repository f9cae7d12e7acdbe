package dev.clientgo.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.patch.Patch;
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
        .isEqualTo(new RolloutStatus(true, false, "deployment \"steps\" successfully rolled out"));
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
