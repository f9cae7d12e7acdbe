package dev.clientgo.envtest.controllers.internal.batch;

import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.controllers.internal.pods.Alarm;
import dev.clientgo.envtest.controllers.internal.pods.TimedReconciler;
import dev.clientgo.kubernetes.batch.v1.Job;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Deletes Jobs {@code ttlSecondsAfterFinished} after they have finished.
 *
 * <p>Corresponds to {@code Controller} in {@code pkg/controller/ttlafterfinished}.
 */
public final class TtlAfterFinishedController implements TimedReconciler {

  private final Clock clock;

  private TtlAfterFinishedController(Clock clock) {
    this.clock = clock;
  }

  /** Returns the controller of finished Jobs. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controller, Alarm alarm) {
    return controller
        .apply(TimedReconciler.by(alarm, new TtlAfterFinishedController(alarm.clock())))
        .forKind(Job.TYPE)
        .build();
  }

  @Override
  public Optional<Instant> reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<Job> jobs = context.client().resource(Job.TYPE).inNamespace(request.namespace());
    Job job = jobs.find(request.name()).orElse(null);
    Integer seconds = job == null ? null : job.spec().ttlSecondsAfterFinished();
    if (job == null || seconds == null || job.metadata().isBeingDeleted()) {
      return Optional.empty();
    }
    Optional<Instant> end = JobState.finishedAt(job).map(at -> at.plusSeconds(seconds));
    if (end.isPresent() && !end.get().isAfter(clock.now())) {
      delete(job, jobs);
      return Optional.empty();
    }
    return end;
  }

  private static void delete(Job job, CachedResource<Job> jobs) throws InterruptedException {
    DeleteOptions options =
        DeleteOptions.builder()
            .propagationPolicy(DeletionPropagation.FOREGROUND)
            .preconditions(Preconditions.ofUid(String.valueOf(job.metadata().uid())))
            .build();
    try {
      jobs.delete(String.valueOf(job.metadata().name()), options);
    } catch (ApiStatusException e) {
      if (!ApiStatusException.isConflictOrNotFound(e)) {
        throw e;
      }
    }
  }
}
