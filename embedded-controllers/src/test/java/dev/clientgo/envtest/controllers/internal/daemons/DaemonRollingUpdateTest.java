package dev.clientgo.envtest.controllers.internal.daemons;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.kubernetes.apps.v1.DaemonSet;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which pods a rolling update deletes, by the pods of each node at one moment. */
final class DaemonRollingUpdateTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static Pod pod(String hash, boolean ready) {
    return Pod.of(
        p ->
            p.metadata(ObjectMeta.of(m -> m.labels(Map.of(DaemonPods.HASH_LABEL, hash))))
                .editStatus(
                    s -> s.addConditions(c -> c.type("Ready").status(ready ? "True" : "False"))));
  }

  private static DaemonNode node(String name, boolean shouldRun, Pod... pods) {
    return new DaemonNode(name, shouldRun, shouldRun, List.of(pods));
  }

  private static List<Pod> choose(int maxUnavailable, DaemonNode... nodes) {
    DaemonSet set =
        DaemonSet.of(
            d ->
                d.editSpec(
                    s ->
                        s.editUpdateStrategy(
                            u ->
                                u.editRollingUpdate(
                                    r -> r.maxUnavailable(IntOrString.of(maxUnavailable))))));
    List<DaemonNode> all = List.of(nodes);
    return new DaemonRollingUpdate(set, all, "new", NOW).choose(all);
  }

  @Test
  void oldPods_goUpToTheBound() {
    Pod a = pod("old", true);
    Pod b = pod("old", true);

    assertThat(choose(1, node("a", true, a), node("b", true, b))).containsExactly(a);
    assertThat(choose(2, node("a", true, a), node("b", true, b))).containsExactly(a, b);
  }

  @Test
  void newPodThatIsNotReady_holdsTheOthersBack() {
    Pod old = pod("old", true);

    assertThat(choose(1, node("a", true, pod("new", false)), node("b", true, old))).isEmpty();
    assertThat(choose(1, node("a", true, pod("new", true)), node("b", true, old)))
        .containsExactly(old);
  }

  /** Between two looks at the cache, the old pod of a node can go. */
  @Test
  void nodeWithoutAPod_holdsTheOthersBack() {
    Pod old = pod("old", true);

    assertThat(choose(1, node("a", true), node("b", true, old))).isEmpty();
    assertThat(choose(1, node("a", false), node("b", true, old))).containsExactly(old);
  }

  @Test
  void oldPodThatIsNotAvailable_goesAnyway() {
    Pod broken = pod("old", false);

    assertThat(choose(1, node("a", true, broken), node("b", true, pod("old", true))))
        .containsExactly(broken);
  }
}
