package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.kubernetes.apps.v1.ControllerRevision;
import dev.clientgo.kubernetes.apps.v1.DaemonSet;
import dev.clientgo.kubernetes.apps.v1.DaemonSetSpec;
import dev.clientgo.kubernetes.apps.v1.DaemonSetStatus;
import dev.clientgo.kubernetes.apps.v1.DaemonSetUpdateStrategyType;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodReadinessGate;
import dev.clientgo.kubernetes.core.v1.TaintEffect;
import dev.clientgo.kubernetes.core.v1.Toleration;
import dev.clientgo.kubernetes.core.v1.TolerationOperator;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of DaemonSets, on a server with the nodes {@code node-1} to {@code node-3}. */
abstract class DaemonSetContract extends ControllerContract {

  private static final List<String> NODES = List.of("node-1", "node-2", "node-3");
  private static final String HASH = "controller-revision-hash";

  /** The label of the nodes that the test chooses for its pods; tests run at the same time. */
  private String mine;

  private ResourceClient<DaemonSet> sets;
  private ResourceClient<Pod> pods;
  private ResourceClient<ControllerRevision> revisions;
  private ResourceClient<Node> nodes;

  @BeforeEach
  void prepare() throws Exception {
    String namespace = namespace();
    mine = "example.com/" + namespace;
    sets = client().resource(DaemonSet.TYPE).inNamespace(namespace);
    pods = client().resource(Pod.TYPE).inNamespace(namespace);
    revisions = client().resource(ControllerRevision.TYPE).inNamespace(namespace);
    nodes = client().resource(Node.TYPE);
  }

  @AfterEach
  void leaveNodesAsTheyWere() throws Exception {
    for (String node : NODES) {
      choose(node, false);
      editNode(
          node,
          b -> b.editSpec(s -> s.editTaints(t -> t.removeIf(taint -> mine.equals(taint.key())))));
    }
  }

  @Test
  void daemonSet_hasAPodOnEachNodeThatItSelects() throws Exception {
    choose("node-1", true);
    choose("node-2", true);
    create(s -> {});

    DaemonSet set = awaitStatus(s -> number(s.numberAvailable()) == 2);

    assertThat(set.status())
        .isEqualTo(
            DaemonSetStatus.of(
                s ->
                    s.desiredNumberScheduled(2)
                        .currentNumberScheduled(2)
                        .numberMisscheduled(0)
                        .numberReady(2)
                        .numberAvailable(2)
                        .updatedNumberScheduled(2)
                        .observedGeneration(1L)));
    assertThat(byNode()).containsOnlyKeys("node-1", "node-2");
    assertThat(byNode().values())
        .allSatisfy(
            pod -> {
              assertThat(pod.metadata().generateName()).isEqualTo("agent-");
              assertThat(pod.metadata().ownerReferences())
                  .containsExactly(OwnerReferences.newControllerRef(set));
              assertThat(pod.spec().tolerations().stream().map(DaemonSetContract::text))
                  .contains(
                      "node.kubernetes.io/not-ready:NoExecute",
                      "node.kubernetes.io/unreachable:NoExecute",
                      "node.kubernetes.io/disk-pressure:NoSchedule",
                      "node.kubernetes.io/memory-pressure:NoSchedule",
                      "node.kubernetes.io/pid-pressure:NoSchedule",
                      "node.kubernetes.io/unschedulable:NoSchedule");
            });

    choose("node-3", true);
    awaitStatus(s -> number(s.numberAvailable()) == 3);
    choose("node-1", false);
    awaitStatus(s -> s.desiredNumberScheduled() == 2 && s.numberMisscheduled() == 0);

    assertThat(byNode()).containsOnlyKeys("node-2", "node-3");
  }

  @Test
  void taint_keepsPodsAwayThatDoNotTolerateIt() throws Exception {
    choose("node-1", true);
    choose("node-2", true);
    taint("node-2");
    create(s -> s.editTemplate(t -> t.editSpec(p -> p.tolerations(null))));
    awaitStatus(s -> s.desiredNumberScheduled() == 1 && number(s.numberAvailable()) == 1);
    Map<String, Pod> before = byNode();

    editSpec(
        s ->
            s.editTemplate(
                t ->
                    t.editSpec(
                        p ->
                            p.addTolerations(
                                x -> x.key(mine).operator(TolerationOperator.EXISTS)))));
    awaitStatus(s -> number(s.numberAvailable()) == 2 && number(s.updatedNumberScheduled()) == 2);

    assertThat(before).containsOnlyKeys("node-1");
    assertThat(byNode()).containsOnlyKeys("node-1", "node-2");
  }

  @Test
  void rollingUpdate_waitsForEachPod_andGoesBack() throws Exception {
    PodReadinessGate never = PodReadinessGate.of(g -> g.conditionType("example.com/never"));
    chooseAll();
    create(s -> {});
    awaitStatus(s -> number(s.numberAvailable()) == 3);
    String first = byNode().get("node-1").metadata().labels().get(HASH);

    editSpec(s -> s.editTemplate(t -> t.editSpec(p -> p.readinessGates(List.of(never)))));
    awaitStatus(
        s ->
            number(s.updatedNumberScheduled()) == 1
                && s.numberReady() == 2
                && number(s.numberUnavailable()) == 1);
    assertThat(revisions.list().items())
        .extracting(ControllerRevision::revision)
        .containsExactlyInAnyOrder(1L, 2L);

    editSpec(s -> s.editTemplate(t -> t.editSpec(p -> p.readinessGates(null))));
    awaitStatus(s -> number(s.updatedNumberScheduled()) == 3 && number(s.numberAvailable()) == 3);

    assertThat(byNode().values())
        .hasSize(3)
        .allSatisfy(pod -> assertThat(pod.metadata().labels()).containsEntry(HASH, first));
    assertThat(revisions.list().items())
        .extracting(ControllerRevision::revision)
        .containsExactlyInAnyOrder(2L, 3L);
    assertThat(revisions.get("agent-" + first))
        .returns(3L, ControllerRevision::revision)
        .satisfies(r -> assertThat(r.metadata().labels()).containsEntry(HASH, first))
        .satisfies(r -> assertThat(r.data().toString()).contains("\"$patch\":\"replace\""));
  }

  @Test
  void rollingUpdate_replacesSoManyAtOnce() throws Exception {
    PodReadinessGate never = PodReadinessGate.of(g -> g.conditionType("example.com/never"));
    chooseAll();
    create(
        s ->
            s.editUpdateStrategy(
                u -> u.editRollingUpdate(r -> r.maxUnavailable(IntOrString.of("50%")))));
    awaitStatus(s -> number(s.numberAvailable()) == 3);

    editSpec(s -> s.editTemplate(t -> t.editSpec(p -> p.readinessGates(List.of(never)))));

    // Half of three, rounded up.
    awaitStatus(
        s ->
            number(s.updatedNumberScheduled()) == 2
                && s.numberReady() == 1
                && number(s.numberUnavailable()) == 2);
  }

  @Test
  void deletedPod_isReplacedOnItsNode() throws Exception {
    choose("node-1", true);
    choose("node-2", true);
    create(s -> {});
    awaitStatus(s -> number(s.numberAvailable()) == 2);
    Map<String, Pod> before = byNode();
    String deleted = before.get("node-1").metadata().name();

    pods.delete(deleted);
    awaitGone(pods, deleted);
    Poll.every(Duration.ofMillis(20)).immediately().atMost(WAIT).until(() -> byNode().size() == 2);

    assertThat(byNode()).containsOnlyKeys("node-1", "node-2");
    assertThat(byNode().get("node-2").metadata().uid())
        .isEqualTo(before.get("node-2").metadata().uid());
    awaitStatus(s -> number(s.numberAvailable()) == 2);
  }

  @Test
  void onDelete_replacesAPodOnlyWhenItIsDeleted() throws Exception {
    choose("node-1", true);
    choose("node-2", true);
    create(s -> s.editUpdateStrategy(u -> u.type(DaemonSetUpdateStrategyType.ON_DELETE)));
    awaitStatus(s -> number(s.numberAvailable()) == 2);
    Map<String, Pod> before = byNode();

    editSpec(
        s -> s.editTemplate(t -> t.editSpec(p -> p.editContainers("main", c -> c.image("app:2")))));
    awaitStatus(s -> number(s.updatedNumberScheduled()) == 0 && s.numberReady() == 2);
    pods.delete(before.get("node-1").metadata().name());
    awaitStatus(s -> number(s.updatedNumberScheduled()) == 1 && number(s.numberAvailable()) == 2);

    assertThat(byNode().get("node-1").spec().containers().get(0).image()).isEqualTo("app:2");
    assertThat(byNode().get("node-2").metadata().uid())
        .isEqualTo(before.get("node-2").metadata().uid());
  }

  /* --------------- Steps --------------- */

  private void create(Consumer<DaemonSetSpec.Builder> settings) throws Exception {
    // The taints of another test, which runs at the same time on the same nodes, do not matter.
    Consumer<DaemonSetSpec.Builder> tolerant =
        s ->
            s.editTemplate(
                t ->
                    t.editSpec(
                        p ->
                            p.addTolerations(
                                x ->
                                    x.operator(TolerationOperator.EXISTS)
                                        .effect(TaintEffect.NO_SCHEDULE))));
    sets.create(Workloads.daemonSet("agent", mine, tolerant.andThen(settings)));
  }

  private void editSpec(Consumer<DaemonSetSpec.Builder> edit) throws Exception {
    sets.edit("agent", set -> set.with(s -> s.editSpec(edit)));
  }

  /** Adds the label that the tests' pods want, or removes it. */
  private void choose(String node, boolean chosen) throws Exception {
    editNode(
        node,
        b ->
            b.editMetadata(
                m ->
                    m.editLabels(
                        labels -> {
                          if (chosen) {
                            labels.put(mine, "");
                          } else {
                            labels.remove(mine);
                          }
                        })));
  }

  private void chooseAll() throws Exception {
    for (String node : NODES) {
      choose(node, true);
    }
  }

  private void taint(String node) throws Exception {
    editNode(
        node, b -> b.editSpec(s -> s.addTaints(t -> t.key(mine).effect(TaintEffect.NO_SCHEDULE))));
  }

  /** One test at a time: the edits of many would be in conflict more often than one is retried. */
  private void editNode(String node, Consumer<Node.Builder> edit) throws Exception {
    synchronized (NODES) {
      nodes.edit(node, n -> n.with(edit));
    }
  }

  /** Waits for a status of the DaemonSet as it is now. */
  private DaemonSet awaitStatus(Predicate<DaemonSetStatus> condition) throws Exception {
    return await(
            sets,
            "agent",
            found ->
                found
                    .filter(
                        set ->
                            Objects.equals(
                                set.metadata().generation(), set.status().observedGeneration()))
                    .map(DaemonSet::status)
                    .filter(condition)
                    .isPresent())
        .orElseThrow();
  }

  /** Returns the pods that have a node and are not being deleted. */
  private Map<String, Pod> byNode() throws Exception {
    Map<String, Pod> byNode = new TreeMap<>();
    for (Pod pod : pods.list().items()) {
      if (pod.spec().nodeName() != null && !pod.metadata().isBeingDeleted()) {
        assertThat(byNode.put(pod.spec().nodeName(), pod)).isNull();
      }
    }
    return byNode;
  }

  private static String text(Toleration toleration) {
    return toleration.key() + ":" + toleration.effect();
  }

  private static int number(Integer count) {
    return count == null ? 0 : count;
  }
}
