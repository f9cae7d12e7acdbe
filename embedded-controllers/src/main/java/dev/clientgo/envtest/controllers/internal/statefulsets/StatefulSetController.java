package dev.clientgo.envtest.controllers.internal.statefulsets;

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
import dev.clientgo.envtest.controllers.internal.pods.OmitEmpty;
import dev.clientgo.envtest.controllers.internal.pods.OrphanOwners;
import dev.clientgo.envtest.controllers.internal.pods.PodControl;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.envtest.controllers.internal.pods.TimedReconciler;
import dev.clientgo.kubernetes.apps.v1.ControllerRevision;
import dev.clientgo.kubernetes.apps.v1.StatefulSet;
import dev.clientgo.kubernetes.apps.v1.StatefulSetSpec;
import dev.clientgo.kubernetes.apps.v1.StatefulSetStatus;
import dev.clientgo.kubernetes.apps.v1.StatefulSetUpdateStrategyType;
import dev.clientgo.kubernetes.core.v1.PersistentVolumeClaim;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the pods of a StatefulSet, each with its own name and volume claims, and replaces those
 * with an old template.
 *
 * <p>Corresponds to {@code StatefulSetController} in {@code pkg/controller/statefulset}.
 */
public final class StatefulSetController implements TimedReconciler {

  private static final String HASH_LABEL = "controller.kubernetes.io/hash";

  private final Clock clock;
  private final OrphanOwners orphans = new OrphanOwners(StatefulSet.TYPE);

  private StatefulSetController(Clock clock) {
    this.clock = clock;
  }

  /** Returns the controller of StatefulSets. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controller, Alarm alarm) {
    StatefulSetController reconciler = new StatefulSetController(alarm.clock());
    OrphanOwners orphans = reconciler.orphans;
    return controller
        .apply(TimedReconciler.by(alarm, reconciler))
        .forKind(StatefulSet.TYPE)
        .watches(Pod.TYPE, orphans.map())
        .watches(ControllerRevision.TYPE, orphans.map())
        // A new pod waits for the end of the claims of the one before it.
        .watches(PersistentVolumeClaim.TYPE, orphans::ownersInNamespaceOf)
        .build();
  }

  @Override
  public Optional<Instant> reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<StatefulSet> sets =
        context.client().resource(StatefulSet.TYPE).inNamespace(request.namespace());
    StatefulSet set = sets.find(request.name()).orElse(null);
    if (set == null) {
      orphans.remove(request);
      return Optional.empty();
    }
    StatefulSetSpec spec = set.spec();
    Optional<Selector> selector =
        orphans.follow(set, spec.selector(), spec.template(), context.events());
    return selector.isPresent() ? sync(set, sets, selector.get(), context) : Optional.empty();
  }

  private Optional<Instant> sync(
      StatefulSet set, CachedResource<StatefulSet> sets, Selector selector, Context context)
      throws InterruptedException {
    String namespace = String.valueOf(set.metadata().namespace());
    CachedResource<ControllerRevision> revisions =
        context.client().resource(ControllerRevision.TYPE).inNamespace(namespace);
    ControllerHistory history =
        new ControllerHistory(
            set,
            revisions,
            HASH_LABEL,
            new ControllerRefManager<>(sets, set, revisions, selector).claim());
    ControllerHistory.Current updated =
        history.current(
            set.spec().template(), requireNonNullElse(set.status().collisionCount(), 0));
    ControllerRevision current =
        history
            .find(requireNonNullElse(set.status().currentRevision(), ""))
            .orElse(updated.revision());
    TemplateVersions versions = new TemplateVersions(current, updated.revision());

    CachedResource<Pod> pods = context.client().resource(Pod.TYPE).inNamespace(namespace);
    ControllerRefManager<StatefulSet, Pod> claims =
        new ControllerRefManager<>(
            sets,
            set,
            pods,
            pod -> selector.matches(pod.metadata().labels()) && StatefulPods.isMember(pod, set));
    List<Pod> claimed = claims.claim();
    try {
      if (!set.metadata().isBeingDeleted()) {
        VolumeClaims volumes = new VolumeClaims(set, context);
        PodControl control = new PodControl(context, set);
        new StatefulSetUpdate(set, versions, volumes, control, clock.now()).run(claimed);
      }
      Set<String> live =
          Stream.concat(
                  Stream.of(versions.currentName()), claimed.stream().map(StatefulPods::revision))
              .collect(Collectors.toSet());
      history.cleanUp(
          updated,
          revision -> live.contains(String.valueOf(revision.metadata().name())),
          set.spec().revisionHistoryLimit());
    } finally {
      claimed = claims.claim();
      StatefulSetStatus status = status(set, versions, claimed, updated.collisions());
      if (!status.equals(set.status())) {
        sets.updateStatus(set.with(s -> s.status(status)));
      }
    }
    return PodReadiness.nextAvailable(claimed, minReadySeconds(set), clock.now());
  }

  private static int minReadySeconds(StatefulSet set) {
    return requireNonNullElse(set.spec().minReadySeconds(), 0);
  }

  /* --------------- Status --------------- */

  private StatefulSetStatus status(
      StatefulSet set, TemplateVersions versions, List<Pod> pods, @Nullable Integer collisions) {
    Instant now = clock.now();
    int wanted = StatefulPods.replicas(set);
    int ready = count(pods, StatefulSetController::isRunningAndReady);
    int available =
        count(
            pods,
            pod ->
                isRunningAndReady(pod) && PodReadiness.isAvailable(pod, minReadySeconds(set), now));
    Predicate<Pod> stays = pod -> !pod.metadata().isBeingDeleted();
    int updated = count(pods, stays.and(versions::isUpdated));
    boolean complete =
        !StatefulSetUpdateStrategyType.ON_DELETE.equals(set.spec().updateStrategy().type())
            && updated == wanted
            && ready == wanted
            && pods.size() == wanted;
    int current = complete ? updated : count(pods, stays.and(versions::isCurrent));
    return set.status()
        .with(
            s ->
                s.observedGeneration(set.metadata().generation())
                    .replicas(pods.size())
                    .readyReplicas(OmitEmpty.zero(ready))
                    .availableReplicas(available)
                    .currentReplicas(OmitEmpty.zero(current))
                    .updatedReplicas(OmitEmpty.zero(updated))
                    .currentRevision(complete ? versions.updatedName() : versions.currentName())
                    .updateRevision(versions.updatedName())
                    .collisionCount(collisions));
  }

  private static boolean isRunningAndReady(Pod pod) {
    return PodReadiness.phase(pod).equals(PodPhase.RUNNING) && PodReadiness.isReady(pod);
  }

  private static int count(List<Pod> pods, Predicate<Pod> condition) {
    return (int) pods.stream().filter(condition).count();
  }
}
