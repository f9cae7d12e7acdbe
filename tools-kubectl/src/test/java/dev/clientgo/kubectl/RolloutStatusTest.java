package dev.clientgo.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The statuses of rollouts (TestStatefulSetStatusViewerStatus, TestDaemonSetStatusViewerStatus).
 */
final class RolloutStatusTest {

  private static Rollout.Status of(String kind, String spec, String status) {
    String yaml =
        "{apiVersion: apps/v1, kind: %s, metadata: {name: web, generation: 2}, spec: {%s}, status: {%s}}"
            .formatted(kind, spec, status);
    return Rollout.status(Unstructured.parseYaml(yaml).get(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          observedGeneration: 1, readyReplicas: 3, updatedReplicas: 3 | 0 | false | Waiting for statefulset spec update to be observed...
          observedGeneration: 2, readyReplicas: 1, updatedReplicas: 3 | 0 | false | Waiting for 2 pods to be ready...
          observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1 | 1 | false | Waiting for partitioned roll out to finish: 1 out of 2 new pods have been updated...
          observedGeneration: 2, readyReplicas: 3, updatedReplicas: 2 | 1 | true | partitioned roll out complete: 2 new pods have been updated...
          observedGeneration: 2, readyReplicas: 3, updatedReplicas: 2, updateRevision: b, currentRevision: a | 0 | false | waiting for statefulset rolling update to complete 2 pods at revision b...
          observedGeneration: 2, readyReplicas: 3, updatedReplicas: 3, updateRevision: b, currentRevision: b | 0 | true | statefulset rolling update complete 3 pods at revision b...
          """)
  void statefulSet(String status, int partition, boolean done, String message) {
    String spec = "replicas: 3, updateStrategy: {rollingUpdate: {partition: " + partition + "}}";

    Rollout.Status rollout = of("StatefulSet", spec, status);

    assertThat(rollout).isEqualTo(new Rollout.Status(done, false, message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          observedGeneration: 1, desiredNumberScheduled: 3 | false | Waiting for daemon set spec update to be observed...
          observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 1 | false | Waiting for daemon set "web" rollout to finish: 1 out of 3 new pods have been updated...
          observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 | false | Waiting for daemon set "web" rollout to finish: 2 of 3 updated pods are available...
          observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 | true | daemon set "web" successfully rolled out
          """)
  void daemonSet(String status, boolean done, String message) {
    Rollout.Status rollout = of("DaemonSet", "", status);

    assertThat(rollout).isEqualTo(new Rollout.Status(done, false, message));
  }

  @Test
  void podsThatAreReplacedOnDeletion_haveNoRollout() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of("DaemonSet", "updateStrategy: {type: OnDelete}", ""))
        .withMessageContaining("only available for RollingUpdate strategy type, not OnDelete");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of("Job", "", ""))
        .withMessageContaining("Job has no rollout");
  }
}
