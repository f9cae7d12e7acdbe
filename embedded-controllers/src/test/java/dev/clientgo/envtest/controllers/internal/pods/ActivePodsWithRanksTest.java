package dev.clientgo.envtest.controllers.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.kubernetes.core.v1.ContainerStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodCondition;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The order in which surplus pods are deleted. */
final class ActivePodsWithRanksTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private static Pod pod(String name, String node, String phase, long readyFor, long age) {
    return Pod.of(
        p -> {
          p.metadata(
              ObjectMeta.of(
                  m -> m.name(name).uid(name).creationTimestamp(Time.of(NOW.minusSeconds(age)))));
          p.editSpec(s -> s.nodeName(node.isEmpty() ? null : node));
          p.editStatus(s -> s.phase(PodPhase.of(phase)));
          if (readyFor >= 0) {
            Time since = Time.of(NOW.minusSeconds(readyFor));
            PodCondition ready =
                PodCondition.of(c -> c.type("Ready").status("True").lastTransitionTime(since));
            p.editStatus(s -> s.conditions(List.of(ready)));
          }
        });
  }

  private static Pod withCost(Pod pod, String cost) {
    Map<String, String> annotations = Map.of("controller.kubernetes.io/pod-deletion-cost", cost);
    return pod.with(p -> p.editMetadata(m -> m.annotations(annotations)));
  }

  private static Pod withRestarts(Pod pod, int restarts) {
    return pod.with(
        p ->
            p.editStatus(
                s ->
                    s.containerStatuses(
                        List.of(ContainerStatus.of(c -> c.restartCount(restarts))))));
  }

  /** Each pod comes before the next by another rule, in the order of the rules. */
  @Test
  void order_isThatOfTheRules() {
    List<Pod> expected =
        List.of(
            pod("1-no-node", "", "Pending", -1, 90_000),
            pod("2-pending", "a", "Pending", -1, 90_000),
            pod("3-unknown", "a", "Unknown", -1, 90_000),
            pod("4-not-ready", "a", "Running", -1, 90_000),
            withCost(pod("5-cheap", "a", "Running", 80_000, 90_000), "-1"),
            pod("6-crowded-node", "a", "Running", 80_000, 90_000),
            pod("7-ready-for-seconds", "b", "Running", 4, 90_000),
            withRestarts(pod("8-restarted", "b", "Running", 80_000, 90_000), 3),
            pod("9-young", "b", "Running", 80_000, 80),
            pod("a-old", "b", "Running", 80_000, 90_000),
            withCost(pod("b-dear", "b", "Running", 4, 4), "100"));
    List<Pod> shuffled = new ArrayList<>(expected);
    Collections.shuffle(shuffled, new Random(7));

    List<Pod> related = new ArrayList<>(expected);
    related.add(pod("of-a-sibling", "a", "Running", 80_000, 90_000));
    shuffled.sort(ActivePodsWithRanks.deletionOrder(related, NOW));

    assertThat(shuffled)
        .extracting(p -> p.metadata().name())
        .containsExactlyElementsOf(expected.stream().map(p -> p.metadata().name()).toList());
  }

  /** Times of the same power of two are alike, so that not always the youngest goes. */
  @Test
  void similarAges_areOrderedByUid() {
    Pod older = pod("a", "n", "Running", 3000, 3000);
    Pod younger = pod("b", "n", "Running", 2500, 2500);

    List<Pod> sorted = new ArrayList<>(List.of(younger, older));
    sorted.sort(ActivePodsWithRanks.deletionOrder(sorted, NOW));

    assertThat(sorted).containsExactly(older, younger);
  }
}
