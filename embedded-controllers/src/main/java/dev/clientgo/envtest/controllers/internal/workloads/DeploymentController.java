package dev.clientgo.envtest.controllers.internal.workloads;

import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.PAUSED;
import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.PROGRESSING;
import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.RESUMED;
import static dev.clientgo.envtest.controllers.internal.workloads.DeploymentConditions.TIMED_OUT;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.OwnerReference;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.controllers.internal.pods.Alarm;
import dev.clientgo.envtest.controllers.internal.pods.ControllerRefManager;
import dev.clientgo.envtest.controllers.internal.pods.OrphanOwners;
import dev.clientgo.envtest.controllers.internal.pods.TimedReconciler;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.DeploymentSpec;
import dev.clientgo.kubernetes.apps.v1.DeploymentStatus;
import dev.clientgo.kubernetes.apps.v1.ReplicaSet;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Rolls a template out: creates a ReplicaSet for each template, and moves the pods from the old
 * ones to the new one by the {@linkplain RollingUpdate chosen} {@linkplain Recreate strategy}. Old
 * ReplicaSets without pods are the history, to which {@code kubectl rollout undo} goes back.
 *
 * <p>Corresponds to {@code DeploymentController} in {@code pkg/controller/deployment}.
 */
public final class DeploymentController implements TimedReconciler {

  private final Clock clock;
  private final OrphanOwners orphans = new OrphanOwners(Deployment.TYPE);

  private DeploymentController(Clock clock) {
    this.clock = clock;
  }

  /** Returns the controller of Deployments. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controller, Alarm alarm) {
    DeploymentController reconciler = new DeploymentController(alarm.clock());
    return controller
        .apply(TimedReconciler.by(alarm, reconciler))
        .forKind(Deployment.TYPE)
        .watches(ReplicaSet.TYPE, reconciler.orphans.map())
        // The strategy Recreate waits for the end of old pods.
        .watches(Pod.TYPE, reconciler::deploymentsOf)
        .build();
  }

  /** Maps a pod to the Deployment whose name its ReplicaSet's begins with. */
  private Collection<Request> deploymentsOf(Pod pod) {
    if (!pod.metadata().isBeingDeleted()) {
      return List.of();
    }
    String set =
        pod.metadata()
            .controller()
            .filter(owner -> "ReplicaSet".equals(owner.kind()))
            .map(OwnerReference::name)
            .orElse("");
    int dash = set.lastIndexOf('-');
    String namespace = String.valueOf(pod.metadata().namespace());
    return dash < 0 ? List.of() : List.of(new Request(namespace, set.substring(0, dash)));
  }

  @Override
  public Optional<Instant> reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<Deployment> deployments =
        context.client().resource(Deployment.TYPE).inNamespace(request.namespace());
    Deployment deployment = deployments.find(request.name()).orElse(null);
    if (deployment == null) {
      orphans.remove(request);
      return Optional.empty();
    }
    DeploymentSpec spec = deployment.spec();
    Selector selector =
        orphans.follow(deployment, spec.selector(), spec.template(), context.events()).orElse(null);
    if (selector == null) {
      return Optional.empty();
    }
    CachedResource<ReplicaSet> sets =
        context.client().resource(ReplicaSet.TYPE).inNamespace(request.namespace());
    List<ReplicaSet> owned =
        new ControllerRefManager<>(deployments, deployment, sets, selector).claim();
    Rollout rollout = new Rollout(context, deployment, owned, clock.now());
    Optional<Instant> deadline = rollOut(rollout, context, request.namespace());
    rollout.write();
    return deadline;
  }

  /** Takes one step, and computes the status. */
  private static Optional<Instant> rollOut(Rollout rollout, Context context, String namespace)
      throws InterruptedException {
    DeploymentProgress progress = new DeploymentProgress(rollout);
    if (rollout.stored().metadata().isBeingDeleted()) {
      progress.count();
      return Optional.empty();
    }
    notePause(rollout);
    if (rollout.syncRevision()) {
      return progress.judge(); // The change of the ReplicaSet leads to another reconcile.
    }
    if (rollout.settings().paused() || ProportionalScaling.isDue(rollout)) {
      new ProportionalScaling(rollout).run();
      if (rollout.settings().paused()) {
        rollout.cleanUp();
      }
      progress.count();
      return Optional.empty();
    }
    if (rollout.settings().rolling()) {
      new RollingUpdate(rollout).run();
    } else {
      new Recreate(rollout, context.client().resource(Pod.TYPE).inNamespace(namespace).list())
          .run();
    }
    return progress.judge();
  }

  /** The time of a pause does not count as time without progress. */
  private static void notePause(Rollout rollout) {
    DeploymentStatus status = rollout.status();
    boolean paused = rollout.settings().paused();
    boolean noted = DeploymentConditions.hasReason(status, PROGRESSING, PAUSED);
    if (paused == noted
        || rollout.settings().progressDeadline().isEmpty()
        || DeploymentConditions.hasReason(status, PROGRESSING, TIMED_OUT)) {
      return;
    }
    String reason = paused ? PAUSED : RESUMED;
    String message = paused ? "Deployment is paused" : "Deployment is resumed";
    rollout.changeStatus(
        s ->
            DeploymentConditions.set(
                s,
                DeploymentConditions.of(PROGRESSING, "Unknown", reason, message, rollout.now())));
  }
}
