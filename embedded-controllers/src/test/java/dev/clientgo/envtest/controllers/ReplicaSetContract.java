package dev.clientgo.envtest.controllers;

import static java.util.Comparator.comparing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import dev.clientgo.kubernetes.apps.v1.ReplicaSetStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of ReplicaSets. */
abstract class ReplicaSetContract extends ControllerContract {

  private ResourceClient<ReplicaSet> sets;
  private ResourceClient<Pod> pods;

  @BeforeEach
  void prepare() throws Exception {
    String namespace = namespace();
    sets = client().resource(ReplicaSet.TYPE).inNamespace(namespace);
    pods = client().resource(Pod.TYPE).inNamespace(namespace);
  }

  @Test
  void replicaSet_getsItsPodsAndCountsThem() throws Exception {
    sets.create(Workloads.replicaSet("web", 3));

    ReplicaSet set = awaitStatus(s -> number(s.availableReplicas()) == 3);

    assertThat(set.status())
        .isEqualTo(
            ReplicaSetStatus.of(
                s ->
                    s.replicas(3)
                        .fullyLabeledReplicas(3)
                        .readyReplicas(3)
                        .availableReplicas(3)
                        .terminatingReplicas(0)
                        .observedGeneration(1L)));
    assertThat(alive())
        .hasSize(3)
        .allSatisfy(
            pod -> {
              assertThat(pod.metadata().name()).startsWith("web-");
              assertThat(pod.metadata().generateName()).isEqualTo("web-");
              assertThat(pod.metadata().ownerReferences())
                  .containsExactly(OwnerReferences.newControllerRef(set));
            });
  }

  @Test
  void deletedPod_isReplaced() throws Exception {
    sets.create(Workloads.replicaSet("web", 2));
    awaitStatus(s -> number(s.readyReplicas()) == 2);
    Pod victim = alive().get(0);

    pods.delete(victim.metadata().name());
    awaitGone(pods, victim.metadata().name());
    Poll.every(Duration.ofMillis(20)).immediately().atMost(WAIT).until(() -> alive().size() == 2);

    awaitStatus(s -> number(s.readyReplicas()) == 2 && number(s.terminatingReplicas()) == 0);
  }

  @Test
  void scaledDown_deletesThePodWithTheLowestCost() throws Exception {
    sets.create(Workloads.replicaSet("web", 3));
    awaitStatus(s -> number(s.readyReplicas()) == 3);
    // By its name, so that its age says nothing.
    String cheap =
        alive().stream().map(p -> p.metadata().name()).max(comparing(n -> n)).orElseThrow();
    pods.edit(
        cheap,
        p ->
            p.with(
                b ->
                    b.editMetadata(
                        m ->
                            m.editAnnotations(
                                a -> a.put("controller.kubernetes.io/pod-deletion-cost", "-10")))));

    sets.edit("web", s -> s.with(b -> b.editSpec(spec -> spec.replicas(2))));

    awaitGone(pods, cheap);
    ReplicaSet set = awaitStatus(s -> number(s.replicas()) == 2);
    assertThat(set.status().observedGeneration()).isEqualTo(2);
    assertThat(alive()).hasSize(2);
  }

  @Test
  void matchingPod_isAdopted_andReleasedWhenItsLabelsChange() throws Exception {
    pods.create(Workloads.pod("stray"));
    ReplicaSet set = sets.create(Workloads.replicaSet("web", 1));

    await(pods, "stray", p -> p.filter(s -> OwnerReferences.isControlledBy(s, set)).isPresent());
    awaitStatus(s -> number(s.replicas()) == 1);
    assertThat(alive()).hasSize(1);

    pods.edit(
        "stray",
        p -> p.with(b -> b.editMetadata(m -> m.editLabels(labels -> labels.put("app", "other")))));

    await(pods, "stray", p -> p.filter(OwnerReferences::hasController).isEmpty());
    Poll.every(Duration.ofMillis(20)).immediately().atMost(WAIT).until(() -> alive().size() == 1);
    assertThat(alive()).noneMatch(p -> "stray".equals(p.metadata().name()));
  }

  private ReplicaSet awaitStatus(Predicate<ReplicaSetStatus> condition) throws Exception {
    return await(
            sets,
            "web",
            found ->
                found
                    .filter(
                        set ->
                            set.status() != null
                                && set.metadata()
                                    .generation()
                                    .equals(set.status().observedGeneration()))
                    .map(ReplicaSet::status)
                    .filter(condition)
                    .isPresent())
        .orElseThrow();
  }

  private List<Pod> alive() throws Exception {
    return pods.list(Selector.parse(Workloads.LABELS)).items().stream()
        .filter(pod -> !pod.metadata().isBeingDeleted())
        .toList();
  }

  private static int number(Integer count) {
    return count == null ? 0 : count;
  }
}
