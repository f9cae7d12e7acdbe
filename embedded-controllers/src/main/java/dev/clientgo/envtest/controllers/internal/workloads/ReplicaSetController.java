package dev.clientgo.envtest.controllers.internal.workloads;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.controllers.internal.pods.ActivePodsWithRanks;
import dev.clientgo.envtest.controllers.internal.pods.Alarm;
import dev.clientgo.envtest.controllers.internal.pods.ControllerRefManager;
import dev.clientgo.envtest.controllers.internal.pods.OmitEmpty;
import dev.clientgo.envtest.controllers.internal.pods.OrphanOwners;
import dev.clientgo.envtest.controllers.internal.pods.PodControl;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.envtest.controllers.internal.pods.PodTemplates;
import dev.clientgo.envtest.controllers.internal.pods.SlowStart;
import dev.clientgo.envtest.controllers.internal.pods.TimedReconciler;
import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import dev.clientgo.kubernetes.apps.v1.ReplicaSetCondition;
import dev.clientgo.kubernetes.apps.v1.ReplicaSetSpec;
import dev.clientgo.kubernetes.apps.v1.ReplicaSetStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps as many pods as a ReplicaSet wants: creates those that are missing, deletes those that are
 * too many, adopts pods that its selector matches, and counts them in the status.
 *
 * <p>Upstream must remember which pods it has created and not yet seen (its "expectations"), or it
 * would create them twice. Here the cache of the reconciler shows own writes at once.
 *
 * <p>Corresponds to {@code ReplicaSetController} in {@code pkg/controller/replicaset}.
 */
public final class ReplicaSetController implements TimedReconciler {

  /** How many pods one reconcile creates or deletes at most. */
  private static final int BURST_REPLICAS = 500;

  private static final String REPLICA_FAILURE = "ReplicaFailure";

  private final Clock clock;
  private final OrphanOwners orphans = new OrphanOwners(ReplicaSet.TYPE);

  private ReplicaSetController(Clock clock) {
    this.clock = clock;
  }

  /** Returns the controller of ReplicaSets. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controller, Alarm alarm) {
    ReplicaSetController reconciler = new ReplicaSetController(alarm.clock());
    return controller
        .apply(TimedReconciler.by(alarm, reconciler))
        .forKind(ReplicaSet.TYPE)
        .watches(Pod.TYPE, reconciler.orphans.map())
        .build();
  }

  @Override
  public Optional<Instant> reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<ReplicaSet> sets =
        context.client().resource(ReplicaSet.TYPE).inNamespace(request.namespace());
    ReplicaSet set = sets.find(request.name()).orElse(null);
    if (set == null) {
      orphans.remove(request);
      return Optional.empty();
    }
    ReplicaSetSpec spec = set.spec();
    PodTemplateSpec template = spec.template();
    Selector selector =
        orphans.follow(set, spec.selector(), template, context.events()).orElse(null);
    if (selector == null) {
      return Optional.empty();
    }
    CachedResource<Pod> pods = context.client().resource(Pod.TYPE).inNamespace(request.namespace());
    List<Pod> claimed = new ControllerRefManager<>(sets, set, pods, selector).claim();
    List<Pod> active = claimed.stream().filter(PodReadiness::isActive).toList();
    @Nullable KubernetesException failure = null;
    if (!set.metadata().isBeingDeleted()) {
      try {
        manageReplicas(set, template, active, context);
      } catch (KubernetesException e) {
        failure = e;
      }
    }
    Instant now = clock.now();
    updateStatus(set, status(set, template, claimed, failure, now), sets);
    if (failure != null) {
      throw failure;
    }
    return PodReadiness.nextAvailable(active, minReadySeconds(set), now);
  }

  /** Creates the pods that are missing, or deletes those that are too many. */
  private void manageReplicas(
      ReplicaSet set, PodTemplateSpec template, List<Pod> active, Context context)
      throws InterruptedException {
    int missing = ReplicaSets.replicas(set) - active.size();
    PodControl control = new PodControl(context, set);
    if (missing > 0) {
      SlowStart.run(
          Math.min(missing, BURST_REPLICAS),
          index -> control.create(PodTemplates.newPod(template, set)));
    } else if (missing < 0) {
      Comparator<Pod> order =
          ActivePodsWithRanks.deletionOrder(related(set, active, context), clock.now());
      List<Pod> surplus =
          active.stream().sorted(order).limit(Math.min(-missing, BURST_REPLICAS)).toList();
      for (Pod pod : surplus) {
        control.delete(pod);
      }
    }
  }

  /** Returns the pods of all ReplicaSets of the same Deployment. */
  private static List<Pod> related(ReplicaSet set, List<Pod> own, Context context)
      throws InterruptedException {
    String deployment = OwnerReferences.controllerOf(set).map(o -> o.uid()).orElse(null);
    if (deployment == null) {
      return own;
    }
    String namespace = String.valueOf(set.metadata().namespace());
    List<ReplicaSet> siblings =
        context.client().resource(ReplicaSet.TYPE).inNamespace(namespace).list().stream()
            .filter(
                s ->
                    OwnerReferences.controllerOf(s).map(o -> o.uid()).stream()
                        .anyMatch(deployment::equals))
            .toList();
    return context.client().resource(Pod.TYPE).inNamespace(namespace).list().stream()
        .filter(pod -> siblings.stream().anyMatch(s -> OwnerReferences.isControlledBy(pod, s)))
        .toList();
  }

  /* --------------- Status --------------- */

  private static int minReadySeconds(ReplicaSet set) {
    return requireNonNullElse(set.spec().minReadySeconds(), 0);
  }

  private static ReplicaSetStatus status(
      ReplicaSet set,
      PodTemplateSpec template,
      List<Pod> claimed,
      @Nullable KubernetesException failure,
      Instant now) {
    List<Pod> active = claimed.stream().filter(PodReadiness::isActive).toList();
    Selector labels = Selector.of(PodTemplates.metadata(template).labels());
    long labelled = active.stream().filter(p -> labels.matches(p.metadata().labels())).count();
    long ready = active.stream().filter(PodReadiness::isReady).count();
    long available =
        active.stream()
            .filter(pod -> PodReadiness.isAvailable(pod, minReadySeconds(set), now))
            .count();
    long terminating = claimed.stream().filter(PodReadiness::isTerminating).count();
    ReplicaSetStatus before = set.status();
    List<ReplicaSetCondition> conditions =
        conditions(before, failure, ReplicaSets.replicas(set) - active.size(), now);
    return before.with(
        s ->
            s.replicas(active.size())
                .fullyLabeledReplicas(OmitEmpty.zero((int) labelled))
                .readyReplicas(OmitEmpty.zero((int) ready))
                .availableReplicas(OmitEmpty.zero((int) available))
                .terminatingReplicas((int) terminating)
                .observedGeneration(set.metadata().generation())
                .conditions(OmitEmpty.empty(conditions)));
  }

  private static List<ReplicaSetCondition> conditions(
      ReplicaSetStatus before, @Nullable KubernetesException failure, int missing, Instant now) {
    List<ReplicaSetCondition> conditions = new ArrayList<>(before.conditions());
    boolean present = conditions.stream().anyMatch(c -> REPLICA_FAILURE.equals(c.type()));
    if (failure == null) {
      conditions.removeIf(c -> REPLICA_FAILURE.equals(c.type()));
    } else if (!present) {
      conditions.add(
          ReplicaSetCondition.of(
              c ->
                  c.type(REPLICA_FAILURE)
                      .status("True")
                      .reason(missing > 0 ? "FailedCreate" : "FailedDelete")
                      .message(failure.getMessage())
                      .lastTransitionTime(Time.of(now))));
    }
    return conditions;
  }

  private static void updateStatus(
      ReplicaSet set, ReplicaSetStatus status, CachedResource<ReplicaSet> sets)
      throws InterruptedException {
    if (!status.equals(set.status())) {
      sets.updateStatus(set.with(s -> s.status(status)));
    }
  }
}
