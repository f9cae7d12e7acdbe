package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.resource.Quantity;
import dev.clientgo.kubernetes.apps.v1.ControllerRevision;
import dev.clientgo.kubernetes.apps.v1.PodManagementPolicyType;
import dev.clientgo.kubernetes.apps.v1.StatefulSet;
import dev.clientgo.kubernetes.apps.v1.StatefulSetSpec;
import dev.clientgo.kubernetes.apps.v1.StatefulSetStatus;
import dev.clientgo.kubernetes.apps.v1.StatefulSetUpdateStrategyType;
import dev.clientgo.kubernetes.core.v1.PersistentVolumeAccessMode;
import dev.clientgo.kubernetes.core.v1.PersistentVolumeClaim;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodReadinessGate;
import dev.clientgo.rest.ResourceClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of StatefulSets. */
abstract class StatefulSetContract extends ControllerContract {

  private static final String GATE = "example.com/gate";
  private static final String REVISION = "controller-revision-hash";
  private static final String HOLD = "example.com/hold";

  private ResourceClient<StatefulSet> sets;
  private ResourceClient<Pod> pods;
  private ResourceClient<PersistentVolumeClaim> claims;
  private ResourceClient<ControllerRevision> revisions;

  @BeforeEach
  void prepare() throws Exception {
    String namespace = namespace();
    sets = client().resource(StatefulSet.TYPE).inNamespace(namespace);
    pods = client().resource(Pod.TYPE).inNamespace(namespace);
    claims = client().resource(PersistentVolumeClaim.TYPE).inNamespace(namespace);
    revisions = client().resource(ControllerRevision.TYPE).inNamespace(namespace);
  }

  /* --------------- Pods --------------- */

  @Test
  void pods_haveAnIdentity_andAreCounted() throws Exception {
    create(2, s -> {});

    StatefulSet set = awaitStatus(s -> number(s.availableReplicas()) == 2);

    String revision = set.status().updateRevision();
    assertThat(set.status())
        .isEqualTo(
            StatefulSetStatus.of(
                s ->
                    s.observedGeneration(1L)
                        .replicas(2)
                        .readyReplicas(2)
                        .availableReplicas(2)
                        .currentReplicas(2)
                        .updatedReplicas(2)
                        .currentRevision(revision)
                        .updateRevision(revision)
                        .collisionCount(0)));
    assertThat(revisions.get(revision))
        .returns(1L, ControllerRevision::revision)
        .satisfies(r -> assertThat(OwnerReferences.isControlledBy(r, set)).isTrue())
        .satisfies(r -> assertThat(r.metadata().labels()).containsEntry("app", "web"));
    assertThat(revision)
        .isEqualTo(
            "web-"
                + revisions.get(revision).metadata().labels().get("controller.kubernetes.io/hash"));
    for (int ordinal = 0; ordinal < 2; ordinal++) {
      Pod pod = pods.get("web-" + ordinal);
      assertThat(pod.metadata().labels())
          .containsEntry("app", "web")
          .containsEntry("statefulset.kubernetes.io/pod-name", "web-" + ordinal)
          .containsEntry("apps.kubernetes.io/pod-index", Integer.toString(ordinal))
          .containsEntry(REVISION, revision);
      assertThat(pod.metadata().generateName()).isEqualTo("web-");
      assertThat(pod.metadata().ownerReferences())
          .containsExactly(OwnerReferences.newControllerRef(set));
      assertThat(pod.spec().hostname()).isEqualTo("web-" + ordinal);
      assertThat(pod.spec().subdomain()).isEqualTo("peers");
    }
  }

  @Test
  void orderedPods_waitForTheOneBefore() throws Exception {
    create(2, s -> withGate(s));
    awaitStatus(s -> number(s.replicas()) == 1);
    assertThat(names()).containsExactly("web-0");

    openGate("web-0");
    awaitStatus(s -> number(s.replicas()) == 2 && number(s.readyReplicas()) == 1);
    openGate("web-1");

    awaitStatus(s -> number(s.availableReplicas()) == 2);
  }

  @Test
  void orderedPods_waitUntilTheOneBeforeHasBeenReadyForLongEnough() throws Exception {
    create(2, s -> s.minReadySeconds(3600));

    StatefulSet set = awaitStatus(s -> number(s.readyReplicas()) == 1);

    assertThat(set.status().availableReplicas()).isZero();
    assertThat(names()).containsExactly("web-0");
  }

  @Test
  void parallelPods_doNotWait() throws Exception {
    create(3, s -> withGate(s.podManagementPolicy(PodManagementPolicyType.PARALLEL)));
    awaitStatus(s -> number(s.replicas()) == 3 && number(s.readyReplicas()) == 0);

    scale(1);

    awaitStatus(s -> number(s.replicas()) == 1);
    assertThat(names()).containsExactly("web-0");
  }

  @Test
  void scaledDown_deletesTheHighestOrdinalFirst_andWaitsForItsEnd() throws Exception {
    create(3, s -> {});
    awaitStatus(s -> number(s.availableReplicas()) == 3);
    hold("web-2", true);

    scale(1);
    await(pods, "web-2", p -> p.filter(x -> x.metadata().isBeingDeleted()).isPresent());
    awaitStatus(s -> number(s.replicas()) == 3 && number(s.currentReplicas()) == 2);
    assertThat(pods.get("web-1").metadata().isBeingDeleted()).isFalse();
    hold("web-2", false);

    awaitStatus(s -> number(s.replicas()) == 1);
    assertThat(names()).containsExactly("web-0");
  }

  @Test
  void deletedPod_comesBackUnderItsName() throws Exception {
    create(2, s -> {});
    awaitStatus(s -> number(s.availableReplicas()) == 2);
    String before = pods.get("web-0").metadata().uid();

    pods.delete("web-0");

    await(pods, "web-0", p -> p.filter(x -> !before.equals(x.metadata().uid())).isPresent());
    awaitStatus(s -> number(s.availableReplicas()) == 2 && number(s.replicas()) == 2);
  }

  @Test
  void ordinals_beginWhereTheSpecSays() throws Exception {
    create(2, s -> s.editOrdinals(o -> o.start(5)));
    awaitStatus(s -> number(s.availableReplicas()) == 2);
    assertThat(names()).containsExactly("web-5", "web-6");

    editSpec(s -> s.editOrdinals(o -> o.start(6)));

    awaitGone(pods, "web-5");
    awaitStatus(s -> number(s.availableReplicas()) == 2 && number(s.replicas()) == 2);
    assertThat(names()).containsExactly("web-6", "web-7");
  }

  @Test
  void podOfAnotherName_isNotAdopted() throws Exception {
    pods.create(Workloads.pod("stray"));
    create(1, s -> {});

    awaitStatus(s -> number(s.availableReplicas()) == 1);

    assertThat(OwnerReferences.hasController(pods.get("stray"))).isFalse();
    assertThat(names()).containsExactly("stray", "web-0");
  }

  /* --------------- Updates --------------- */

  @Test
  void rollingUpdate_beginsAtTheTop_andWaitsForEachPod() throws Exception {
    create(3, s -> {});
    String first = awaitStatus(s -> number(s.availableReplicas()) == 3).status().currentRevision();

    editSpec(s -> withGate(s));
    StatefulSet half =
        awaitStatus(s -> number(s.updatedReplicas()) == 1 && number(s.readyReplicas()) == 2);
    assertThat(half.status().currentReplicas()).isEqualTo(2);
    assertThat(half.status().currentRevision()).isEqualTo(first);
    assertThat(half.status().updateRevision()).isNotEqualTo(first);
    assertThat(revisionOf("web-2")).isEqualTo(half.status().updateRevision());
    assertThat(revisionOf("web-1")).isEqualTo(first);

    // A set in order does not mend a pod that never becomes ready: that is left to its user.
    editSpec(s -> s.editTemplate(t -> t.editSpec(p -> p.readinessGates(null))));
    awaitStatus(s -> first.equals(s.updateRevision()));
    pods.delete("web-2");

    awaitStatus(
        s ->
            number(s.updatedReplicas()) == 3
                && number(s.availableReplicas()) == 3
                && first.equals(s.currentRevision()));
    assertThat(revisions.list().items())
        .extracting(ControllerRevision::revision)
        .containsExactlyInAnyOrder(2L, 3L);
  }

  @Test
  void partition_keepsTheTemplateOfLowerOrdinals() throws Exception {
    create(3, s -> s.editUpdateStrategy(u -> u.editRollingUpdate(r -> r.partition(2))));
    awaitStatus(s -> number(s.availableReplicas()) == 3);

    setImage("app:2");
    awaitStatus(
        s ->
            number(s.updatedReplicas()) == 1
                && number(s.currentReplicas()) == 2
                && number(s.availableReplicas()) == 3);
    String before = pods.get("web-0").metadata().uid();
    pods.delete("web-0");
    await(pods, "web-0", p -> p.filter(x -> !before.equals(x.metadata().uid())).isPresent());
    awaitStatus(s -> number(s.availableReplicas()) == 3 && number(s.replicas()) == 3);
    assertThat(imageOf("web-0")).isEqualTo("app:1");
    assertThat(imageOf("web-2")).isEqualTo("app:2");

    editSpec(s -> s.editUpdateStrategy(u -> u.editRollingUpdate(r -> r.partition(0))));
    awaitStatus(
        s ->
            number(s.updatedReplicas()) == 3
                && Objects.equals(s.currentRevision(), s.updateRevision()));

    assertThat(imageOf("web-0")).isEqualTo("app:2");
  }

  @Test
  void onDelete_replacesAPodOnlyWhenItIsDeleted() throws Exception {
    create(2, s -> s.editUpdateStrategy(u -> u.type(StatefulSetUpdateStrategyType.ON_DELETE)));
    awaitStatus(s -> number(s.availableReplicas()) == 2);

    setImage("app:2");
    awaitStatus(s -> number(s.updatedReplicas()) == 0 && number(s.currentReplicas()) == 2);
    pods.delete("web-0");
    awaitStatus(s -> number(s.updatedReplicas()) == 1 && number(s.availableReplicas()) == 2);

    assertThat(imageOf("web-0")).isEqualTo("app:2");
    assertThat(imageOf("web-1")).isEqualTo("app:1");
  }

  @Test
  void historyLimit_deletesOldRevisions() throws Exception {
    create(1, s -> s.revisionHistoryLimit(0));
    String first = awaitStatus(s -> number(s.availableReplicas()) == 1).status().currentRevision();

    setImage("app:2");

    awaitStatus(s -> !first.equals(s.currentRevision()) && number(s.availableReplicas()) == 1);
    awaitGone(revisions, first);
    assertThat(revisions.list().items()).hasSize(1);
  }

  /* --------------- Volume claims --------------- */

  @Test
  void claims_goWithTheirPodAndWithTheSet_ifThePolicySaysSo() throws Exception {
    // A real cluster has no volumes here: the pods stay Pending, so none may wait for another.
    create(
        2,
        s ->
            withClaims(s.podManagementPolicy(PodManagementPolicyType.PARALLEL))
                .editPersistentVolumeClaimRetentionPolicy(
                    p -> p.whenDeleted("Delete").whenScaled("Delete")));
    StatefulSet set = awaitPresent(sets, "web");
    for (String name : List.of("data-web-0", "data-web-1")) {
      PersistentVolumeClaim claim =
          await(
                  claims,
                  name,
                  c -> c.filter(x -> OwnerReferences.isControlledBy(x, set)).isPresent())
              .orElseThrow();
      assertThat(claim.metadata().ownerReferences())
          .containsExactly(OwnerReferences.newControllerRef(set));
      assertThat(claim.metadata().labels()).isEqualTo(Map.of("app", "web", "kind", "data"));
    }
    Pod pod = awaitPresent(pods, "web-1");
    assertThat(pod.spec().volumes())
        .filteredOn(volume -> "data".equals(volume.name()))
        .extracting(volume -> volume.persistentVolumeClaim().claimName())
        .containsExactly("data-web-1");

    scale(1);
    awaitGone(claims, "data-web-1");
    assertThat(claims.get("data-web-0").metadata().isBeingDeleted()).isFalse();
    scale(2);
    awaitPresent(claims, "data-web-1");
    awaitPresent(pods, "web-1");
    sets.delete("web");

    awaitGone(claims, "data-web-0");
    awaitGone(claims, "data-web-1");
  }

  @Test
  void claims_stay_ifThePolicyIsSilent() throws Exception {
    create(2, s -> withClaims(s.podManagementPolicy(PodManagementPolicyType.PARALLEL)));
    awaitPresent(pods, "web-1");

    scale(0);

    awaitStatus(s -> number(s.replicas()) == 0);
    assertThat(claims.list().items())
        .extracting(claim -> claim.metadata().name())
        .containsExactlyInAnyOrder("data-web-0", "data-web-1");
    assertThat(claims.list().items())
        .allSatisfy(claim -> assertThat(claim.metadata().ownerReferences()).isEmpty())
        .allSatisfy(claim -> assertThat(claim.metadata().isBeingDeleted()).isFalse());
  }

  /* --------------- Steps --------------- */

  private void create(int replicas, Consumer<StatefulSetSpec.Builder> settings) throws Exception {
    sets.create(
        StatefulSet.of(
            b ->
                b.metadata(ObjectMeta.of(m -> m.name("web")))
                    .editSpec(
                        s -> {
                          s.replicas(replicas)
                              .serviceName("peers")
                              .selector(Workloads.selector())
                              .template(Workloads.template("app:1"));
                          settings.accept(s);
                        })));
  }

  private static StatefulSetSpec.Builder withGate(StatefulSetSpec.Builder spec) {
    PodReadinessGate gate = PodReadinessGate.of(g -> g.conditionType(GATE));
    return spec.editTemplate(t -> t.editSpec(p -> p.readinessGates(List.of(gate))));
  }

  private static StatefulSetSpec.Builder withClaims(StatefulSetSpec.Builder spec) {
    return spec.addVolumeClaimTemplates(
        c ->
            c.editMetadata(m -> m.name("data").labels(Map.of("kind", "data")))
                .editSpec(
                    s ->
                        s.accessModes(List.of(PersistentVolumeAccessMode.READ_WRITE_ONCE))
                            .storageClassName("")
                            .editResources(
                                r -> r.requests(Map.of("storage", Quantity.parse("1Mi"))))));
  }

  private void openGate(String pod) throws Exception {
    awaitPresent(pods, pod);
    pods.editStatus(
        pod,
        p -> p.with(b -> b.editStatus(s -> s.addConditions(c -> c.type(GATE).status("True")))));
  }

  /** Gives a pod a finalizer, which keeps it after its end, or takes it away. */
  private void hold(String pod, boolean held) throws Exception {
    pods.edit(
        pod,
        p ->
            p.with(
                b ->
                    b.editMetadata(
                        m ->
                            m.editFinalizers(
                                finalizers -> {
                                  finalizers.remove(HOLD);
                                  if (held) {
                                    finalizers.add(HOLD);
                                  }
                                }))));
  }

  private void editSpec(Consumer<StatefulSetSpec.Builder> edit) throws Exception {
    sets.edit("web", set -> set.with(b -> b.editSpec(edit)));
  }

  private void scale(int replicas) throws Exception {
    editSpec(s -> s.replicas(replicas));
  }

  private void setImage(String image) throws Exception {
    editSpec(
        s -> s.editTemplate(t -> t.editSpec(p -> p.editContainers("main", c -> c.image(image)))));
  }

  /** Waits for a status of the set as it is now. */
  private StatefulSet awaitStatus(Predicate<StatefulSetStatus> condition) throws Exception {
    return await(
            sets,
            "web",
            found ->
                found
                    .filter(
                        set ->
                            Objects.equals(
                                set.metadata().generation(), set.status().observedGeneration()))
                    .map(StatefulSet::status)
                    .filter(condition)
                    .isPresent())
        .orElseThrow();
  }

  private List<String> names() throws Exception {
    return pods.list().items().stream().map(pod -> pod.metadata().name()).sorted().toList();
  }

  private String revisionOf(String pod) throws Exception {
    return pods.get(pod).metadata().labels().get(REVISION);
  }

  private String imageOf(String pod) throws Exception {
    return pods.get(pod).spec().containers().get(0).image();
  }

  private static int number(Integer count) {
    return count == null ? 0 : count;
  }
}
