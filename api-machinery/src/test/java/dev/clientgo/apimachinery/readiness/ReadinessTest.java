package dev.clientgo.apimachinery.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which objects are ready, by the rules of kstatus. */
final class ReadinessTest {

  private static Readiness of(String type, String status) {
    String yaml =
        "{apiVersion: %s, metadata: {name: a, generation: 2}, status: {%s}}"
            .formatted(type.replace(" ", ", kind: "), status);
    return Readiness.of(Unstructured.parseYaml(yaml).get(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          v1 ConfigMap | a: 1 | done |
          example.com/v1 Foo | a: 1 | done |
          example.com/v1 Foo | observedGeneration: 1 | waiting | its controller has seen generation 1, not 2
          example.com/v1 Foo | observedGeneration: 2 | done |
          example.com/v1 Foo | conditions: [{type: Ready, status: "True"}] | done |
          example.com/v1 Foo | conditions: [{type: Ready, status: "True", observedGeneration: 2}] | done |
          example.com/v1 Foo | conditions: [{type: Ready, status: "True", observedGeneration: 1}] | waiting | condition Ready is of generation 1, not 2
          example.com/v1 Foo | conditions: [{type: Ready, status: "False", reason: Slow, message: 1 of 3}] | waiting | condition Ready is False: Slow: 1 of 3
          example.com/v1 Foo | conditions: [{type: Ready, status: "Unknown"}] | waiting | condition Ready is Unknown
          example.com/v1 Foo | observedGeneration: 1, conditions: [{type: Ready, status: "True"}] | waiting | its controller has seen generation 1, not 2
          example.com/v1 Foo | conditions: [{type: Ready, status: "True"}, {type: Reconciling, status: "True", reason: New}] | waiting | condition Reconciling is True: New
          example.com/v1 Foo | conditions: [{type: Reconciling, status: "False"}, {type: Stalled, status: "True", message: no quota}] | failed | condition Stalled is True: no quota
          v1 Pod | phase: Pending | waiting | condition Ready is missing
          v1 Pod | phase: Pending, conditions: [{type: PodScheduled, status: "False", message: no nodes}] | waiting | condition PodScheduled is False: no nodes
          v1 Pod | phase: Running, conditions: [{type: Ready, status: "True"}] | done |
          v1 Pod | phase: Succeeded | done |
          v1 Pod | phase: Failed | failed | pod a has failed
          batch/v1 Job | active: 1 | waiting | the job is not complete
          batch/v1 Job | conditions: [{type: Complete, status: "True"}] | done |
          batch/v1 Job | conditions: [{type: Failed, status: "True"}] | failed | job a has failed
          v1 PersistentVolumeClaim | phase: Pending | waiting | the claim is not bound, its phase is Pending
          v1 PersistentVolumeClaim | phase: Bound | done |
          apps/v1 ReplicaSet | fullyLabeledReplicas: 1 | waiting | availableReplicas is 0 of 1
          apps/v1 ReplicaSet | fullyLabeledReplicas: 1, availableReplicas: 1, readyReplicas: 1, replicas: 2 | waiting | 1 pods are still to end
          apps/v1 ReplicaSet | fullyLabeledReplicas: 1, availableReplicas: 1, readyReplicas: 1, replicas: 1 | done |
          apps/v1 ReplicaSet | conditions: [{type: ReplicaFailure, status: "True", message: quota}] | waiting | condition ReplicaFailure is True: quota
          apiextensions.k8s.io/v1 CustomResourceDefinition | conditions: [{type: Established, status: "True"}] | done |
          apiextensions.k8s.io/v1 CustomResourceDefinition | conditions: [{type: NamesAccepted, status: "False", message: taken}] | failed | condition NamesAccepted is False: taken
          apps/v1 Deployment | observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1 | done |
          """)
  void status_followsTheRulesOfKstatus(String type, String status, String result, String message) {
    Readiness ready = of(type, status);

    assertThat(ready.isReady() ? "done" : ready.isFailed() ? "failed" : "waiting")
        .isEqualTo(result);
    if (message != null) {
      assertThat(ready.message()).isEqualTo(message);
    }
  }

  @Test
  void status_ofAnObjectThatIsDeleted_isNeverReady() {
    Unstructured deleted =
        Unstructured.parseYaml(
                """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a, deletionTimestamp: 2026-01-01T00:00:00Z}
                """)
            .get(0);

    assertThat(Readiness.of(deleted)).hasToString("waiting: it is being deleted");
  }

  @Test
  void status_ofASetThatIsReplacedOnDeletion_isReady() {
    Unstructured set =
        Unstructured.parseYaml(
                """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: a}
                spec: {updateStrategy: {type: OnDelete}}
                """)
            .get(0);

    assertThat(Readiness.of(set).isReady()).isTrue();
  }
}
