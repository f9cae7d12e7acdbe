package dev.clientgo.envtest.controllers;

import static dev.clientgo.envtest.controllers.Workloads.withImage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.DeploymentCondition;
import dev.clientgo.kubernetes.apps.v1.DeploymentSpec;
import dev.clientgo.kubernetes.apps.v1.DeploymentStrategyType;
import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.PodReadinessGate;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of Deployments. */
abstract class DeploymentContract extends ControllerContract {

  private static final String REVISION = "deployment.kubernetes.io/revision";

  private ResourceClient<Deployment> deployments;
  private ResourceClient<ReplicaSet> sets;
  private ResourceClient<Pod> pods;

  @BeforeEach
  void prepare() throws Exception {
    String namespace = namespace();
    deployments = client().resource(Deployment.TYPE).inNamespace(namespace);
    sets = client().resource(ReplicaSet.TYPE).inNamespace(namespace);
    pods = client().resource(Pod.TYPE).inNamespace(namespace);
  }

  private void create(int replicas, Consumer<DeploymentSpec.Builder> settings) throws Exception {
    deployments.create(Workloads.deployment("web", replicas, settings));
  }

  @Test
  void deployment_isRolledOut() throws Exception {
    create(2, s -> {});

    Deployment web = awaitComplete(2);

    ReplicaSet set = only(sets.list().items());
    String hash = set.metadata().labels().get("pod-template-hash");
    assertThat(set.metadata().name()).isEqualTo("web-" + hash);
    assertThat(set.metadata().ownerReferences())
        .containsExactly(OwnerReferences.newControllerRef(web));
    assertThat(set.spec().selector().matchLabels()).containsEntry("pod-template-hash", hash);
    assertThat(set.metadata().annotations())
        .containsEntry(REVISION, "1")
        .containsEntry("deployment.kubernetes.io/desired-replicas", "2")
        .containsEntry("deployment.kubernetes.io/max-replicas", "3");
    assertThat(web.metadata().annotation(REVISION)).contains("1");
    assertThat(web.status().readyReplicas()).isEqualTo(2);
    assertThat(web.status().unavailableReplicas()).isNull();
    assertThat(condition(web, "Available").orElseThrow())
        .returns("True", DeploymentCondition::status)
        .returns("MinimumReplicasAvailable", DeploymentCondition::reason)
        .returns("Deployment has minimum availability.", DeploymentCondition::message);
    assertThat(condition(web, "Progressing").orElseThrow())
        .returns("True", DeploymentCondition::status)
        .returns("NewReplicaSetAvailable", DeploymentCondition::reason)
        .returns(
            "ReplicaSet \"web-" + hash + "\" has successfully progressed.",
            DeploymentCondition::message);
  }

  @Test
  void newTemplate_replacesThePods_andTheOldOneGetsTheNextRevision() throws Exception {
    create(2, s -> {});
    awaitComplete(2);
    ReplicaSet first = only(sets.list().items());

    deployments.edit("web", d -> withImage(d, "app:2"));
    awaitRevision("2");
    awaitComplete(2);
    assertThat(sets.get(first.metadata().name()).spec().replicas()).isZero();
    assertThat(sets.list().items()).hasSize(2);

    // kubectl rollout undo sends the template of the old ReplicaSet.
    deployments.edit("web", d -> withImage(d, "app:1"));
    awaitRevision("3");
    awaitComplete(2);
    ReplicaSet again = sets.get(first.metadata().name());
    assertThat(again.spec().replicas()).isEqualTo(2);
    assertThat(again.metadata().annotations())
        .containsEntry(REVISION, "3")
        .containsEntry("deployment.kubernetes.io/revision-history", "1");
    assertThat(sets.list().items()).hasSize(2);
  }

  @Test
  void scaled_keepsItsReplicaSet() throws Exception {
    create(1, s -> {});
    awaitComplete(1);

    deployments.edit("web", d -> d.with(b -> b.editSpec(s -> s.replicas(3))));
    awaitComplete(3);

    assertThat(only(sets.list().items()).metadata().annotations())
        .containsEntry("deployment.kubernetes.io/desired-replicas", "3")
        .containsEntry("deployment.kubernetes.io/max-replicas", "4");
  }

  @Test
  void paused_takesTheTemplateOnlyWhenItIsResumed() throws Exception {
    create(1, s -> s.paused(true));
    awaitReason("Progressing", "DeploymentPaused");
    assertThat(sets.list().items()).isEmpty();

    deployments.edit("web", d -> d.with(b -> b.editSpec(s -> s.paused(false))));

    awaitComplete(1);
    awaitReason("Progressing", "NewReplicaSetAvailable");
  }

  @Test
  void historyLimit_deletesOldReplicaSets() throws Exception {
    create(1, s -> s.revisionHistoryLimit(1));
    awaitComplete(1);
    String first = only(sets.list().items()).metadata().name();

    for (int i = 2; i <= 3; i++) {
      String image = "app:" + i;
      deployments.edit("web", d -> withImage(d, image));
      awaitRevision(Integer.toString(i));
      awaitComplete(1);
    }

    awaitGone(sets, first);
    assertThat(sets.list().items()).hasSize(2);
  }

  @Test
  void recreate_endsTheOldPodsFirst() throws Exception {
    create(2, s -> s.editStrategy(y -> y.type(DeploymentStrategyType.RECREATE)));
    awaitComplete(2);
    List<Pod> old = pods.list().items();

    deployments.edit("web", d -> withImage(d, "app:2"));
    awaitRevision("2");
    List<Pod> running = pods.list().items().stream().filter(p -> !hasEnded(p)).toList();
    awaitComplete(2);

    // The revision is that of the new ReplicaSet, which is created after the old pods have ended.
    assertThat(running).noneMatch(pod -> sameUid(pod, old.get(0)) || sameUid(pod, old.get(1)));
  }

  @Test
  void rolloutWithoutProgress_exceedsItsDeadline() throws Exception {
    PodReadinessGate never = PodReadinessGate.of(g -> g.conditionType("example.com/never"));
    create(
        1,
        s ->
            s.progressDeadlineSeconds(2)
                .editTemplate(t -> t.editSpec(p -> p.readinessGates(List.of(never)))));

    Deployment web = awaitReason("Progressing", "ProgressDeadlineExceeded");

    String set = only(sets.list().items()).metadata().name();
    assertThat(condition(web, "Progressing").orElseThrow())
        .returns("False", DeploymentCondition::status)
        .returns(
            "ReplicaSet \"" + set + "\" has timed out progressing.", DeploymentCondition::message);
    assertThat(condition(web, "Available").orElseThrow())
        .returns("False", DeploymentCondition::status)
        .returns("MinimumReplicasUnavailable", DeploymentCondition::reason);
    assertThat(web.status().unavailableReplicas()).isEqualTo(1);
  }

  /* --------------- Waiting --------------- */

  private Deployment awaitComplete(int replicas) throws Exception {
    return awaitDeployment(
        d ->
            d.status() != null
                && d.metadata().generation().equals(d.status().observedGeneration())
                && Objects.equals(d.status().updatedReplicas(), replicas)
                && Objects.equals(d.status().replicas(), replicas)
                && Objects.equals(d.status().availableReplicas(), replicas)
                && condition(d, "Progressing")
                    .filter(c -> "NewReplicaSetAvailable".equals(c.reason()))
                    .isPresent());
  }

  private Deployment awaitReason(String type, String reason) throws Exception {
    return awaitDeployment(
        d -> condition(d, type).filter(c -> reason.equals(c.reason())).isPresent());
  }

  private void awaitRevision(String revision) throws Exception {
    awaitDeployment(d -> d.metadata().annotation(REVISION).filter(revision::equals).isPresent());
  }

  private Deployment awaitDeployment(Predicate<Deployment> condition) throws Exception {
    return await(deployments, "web", found -> found.filter(condition).isPresent()).orElseThrow();
  }

  private static Optional<DeploymentCondition> condition(Deployment deployment, String type) {
    return deployment.status() == null || deployment.status().conditions() == null
        ? Optional.empty()
        : deployment.status().conditions().stream().filter(c -> type.equals(c.type())).findFirst();
  }

  private static boolean hasEnded(Pod pod) {
    PodPhase phase = pod.status().phase();
    return PodPhase.SUCCEEDED.equals(phase) || PodPhase.FAILED.equals(phase);
  }

  private static boolean sameUid(Pod one, Pod other) {
    return Objects.equals(one.metadata().uid(), other.metadata().uid());
  }

  private static <T> T only(List<T> list) {
    assertThat(list).hasSize(1);
    return list.get(0);
  }
}
