package dev.clientgo.envtest.controllers.internal.daemons;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.controllers.internal.pods.Alarm;
import dev.clientgo.envtest.controllers.internal.pods.ControllerHistory;
import dev.clientgo.envtest.controllers.internal.pods.ControllerRefManager;
import dev.clientgo.envtest.controllers.internal.pods.OrphanOwners;
import dev.clientgo.envtest.controllers.internal.pods.PodControl;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.envtest.controllers.internal.pods.SlowStart;
import dev.clientgo.envtest.controllers.internal.pods.TimedReconciler;
import dev.clientgo.kubernetes.apps.v1.ControllerRevision;
import dev.clientgo.kubernetes.apps.v1.DaemonSet;
import dev.clientgo.kubernetes.apps.v1.DaemonSetSpec;
import dev.clientgo.kubernetes.apps.v1.DaemonSetStatus;
import dev.clientgo.kubernetes.apps.v1.DaemonSetUpdateStrategyType;
import dev.clientgo.kubernetes.core.v1.Node;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps one pod of a DaemonSet on each node that suits it, and replaces pods with an old template.
 *
 * <p>The pods of a node that is gone are deleted here, at once; upstream the garbage collector of
 * pods does that some time later.
 *
 * <p>Corresponds to {@code DaemonSetsController} in {@code pkg/controller/daemon}.
 */
public final class DaemonSetController implements TimedReconciler {

  private final Clock clock;
  private final OrphanOwners orphans = new OrphanOwners(DaemonSet.TYPE);

  private DaemonSetController(Clock clock) {
    this.clock = clock;
  }

  /** Returns the controller of DaemonSets. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controller, Alarm alarm) {
    DaemonSetController reconciler = new DaemonSetController(alarm.clock());
    return controller
        .apply(TimedReconciler.by(alarm, reconciler))
        .forKind(DaemonSet.TYPE)
        .watches(Pod.TYPE, reconciler.orphans.map())
        .watches(ControllerRevision.TYPE, reconciler.orphans.map())
        .watches(Node.TYPE, node -> reconciler.orphans.owners())
        .build();
  }

  @Override
  public Optional<Instant> reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<DaemonSet> sets =
        context.client().resource(DaemonSet.TYPE).inNamespace(request.namespace());
    DaemonSet set = sets.find(request.name()).orElse(null);
    if (set == null) {
      orphans.remove(request);
      return Optional.empty();
    }
    DaemonSetSpec spec = set.spec();
    // Before the nodes are listed, so that none is missed.
    Selector selector =
        orphans.follow(set, spec.selector(), spec.template(), context.events()).orElse(null);
    return selector == null || set.metadata().isBeingDeleted()
        ? Optional.empty()
        : sync(set, sets, selector, context);
  }

  private Optional<Instant> sync(
      DaemonSet set, CachedResource<DaemonSet> sets, Selector selector, Context context)
      throws InterruptedException {
    String namespace = String.valueOf(set.metadata().namespace());
    CachedResource<ControllerRevision> revisions =
        context.client().resource(ControllerRevision.TYPE).inNamespace(namespace);
    ControllerHistory history =
        new ControllerHistory(
            set,
            revisions,
            DaemonPods.HASH_LABEL,
            new ControllerRefManager<>(sets, set, revisions, selector).claim());
    ControllerHistory.Current current =
        history.current(set.spec().template(), set.status().collisionCount());
    String hash = history.hash(current.revision());

    CachedResource<Pod> pods = context.client().resource(Pod.TYPE).inNamespace(namespace);
    ControllerRefManager<DaemonSet, Pod> claims =
        new ControllerRefManager<>(sets, set, pods, selector);
    List<Node> nodes = context.client().resource(Node.TYPE).list();
    PodControl control = new PodControl(context, set);
    List<Pod> claimed = claims.claim();
    try {
      deleteWithoutNode(claimed, nodes, control);
      manage(set, DaemonNode.of(set, nodes, claimed), hash, context, control);
      claimed = claims.claim();
      if (isRolling(set)) {
        List<DaemonNode> now = DaemonNode.of(set, nodes, claimed);
        for (Pod pod : new DaemonRollingUpdate(set, now, hash, clock.now()).choose(now)) {
          control.delete(pod);
        }
      }
      Set<String> live =
          claimed.stream()
              .map(pod -> String.valueOf(pod.metadata().labels().get(DaemonPods.HASH_LABEL)))
              .collect(Collectors.toSet());
      history.cleanUp(
          current,
          revision -> live.contains(history.hash(revision)),
          set.spec().revisionHistoryLimit());
    } finally {
      Instant now = clock.now();
      claimed = claims.claim();
      DaemonSetStatus status =
          DaemonStatus.of(set, DaemonNode.of(set, nodes, claimed), hash, current.collisions(), now);
      if (!status.equals(set.status())) {
        sets.updateStatus(set.with(s -> s.status(status)));
      }
    }
    int minReadySeconds = requireNonNullElse(set.spec().minReadySeconds(), 0);
    return PodReadiness.nextAvailable(claimed, minReadySeconds, clock.now());
  }

  private static boolean isRolling(DaemonSet set) {
    return !DaemonSetUpdateStrategyType.ON_DELETE.equals(set.spec().updateStrategy().type());
  }

  /* --------------- Pods --------------- */

  private static void deleteWithoutNode(List<Pod> pods, List<Node> nodes, PodControl control)
      throws InterruptedException {
    Set<String> names =
        nodes.stream()
            .map(node -> String.valueOf(node.metadata().name()))
            .collect(Collectors.toSet());
    for (Pod pod : pods) {
      if (!names.contains(DaemonPods.nodeOf(pod)) && !pod.metadata().isBeingDeleted()) {
        control.delete(pod);
      }
    }
  }

  /** Creates the pods that are missing, and deletes those that have ended or are too many. */
  private static void manage(
      DaemonSet set, List<DaemonNode> nodes, String hash, Context context, PodControl control)
      throws InterruptedException {
    for (DaemonNode node : nodes) {
      for (Pod pod : surplus(set, node, context)) {
        control.delete(pod);
      }
    }
    List<DaemonNode> missing =
        nodes.stream().filter(node -> node.shouldRun() && node.pods().isEmpty()).toList();
    SlowStart.run(
        missing.size(),
        index -> control.create(DaemonPods.forNode(set, missing.get(index).name(), hash)));
  }

  private static List<Pod> surplus(DaemonSet set, DaemonNode node, Context context) {
    if (!node.mayStay()) {
      return node.kept();
    }
    List<Pod> ended = node.kept().stream().filter(PodReadiness::hasEnded).toList();
    for (Pod pod : ended) {
      context
          .events()
          .warning(
              set,
              "FailedDaemonPod",
              "DeletePod",
              "The pod %s on node %s has ended, and is replaced",
              pod.metadata().name(),
              node.name());
    }
    List<Pod> running = node.kept().stream().filter(pod -> !PodReadiness.hasEnded(pod)).toList();
    return Stream.concat(ended.stream(), running.stream().skip(1)).toList();
  }
}
