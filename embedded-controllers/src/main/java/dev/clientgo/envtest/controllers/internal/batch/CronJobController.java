package dev.clientgo.envtest.controllers.internal.batch;

import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.DeletionPropagation;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.controllers.internal.pods.Alarm;
import dev.clientgo.envtest.controllers.internal.pods.OmitEmpty;
import dev.clientgo.envtest.controllers.internal.pods.TimedReconciler;
import dev.clientgo.kubernetes.batch.v1.ConcurrencyPolicy;
import dev.clientgo.kubernetes.batch.v1.CronJob;
import dev.clientgo.kubernetes.batch.v1.CronJobSpec;
import dev.clientgo.kubernetes.batch.v1.CronJobStatus;
import dev.clientgo.kubernetes.batch.v1.Job;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates a Job at each time of a schedule, and deletes the oldest finished ones. Of several times
 * that were missed, only the last counts.
 *
 * <p>Corresponds to {@code ControllerV2} in {@code pkg/controller/cronjob}.
 */
public final class CronJobController implements TimedReconciler {

  private static final String SCHEDULED_AT = "batch.kubernetes.io/cronjob-scheduled-timestamp";
  private static final int MANY_MISSED = 100;

  private final Clock clock;

  private CronJobController(Clock clock) {
    this.clock = clock;
  }

  /** Returns the controller of CronJobs. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controller, Alarm alarm) {
    return controller
        .apply(TimedReconciler.by(alarm, new CronJobController(alarm.clock())))
        .forKind(CronJob.TYPE)
        .owns(Job.TYPE)
        .build();
  }

  @Override
  public Optional<Instant> reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<CronJob> cronJobs =
        context.client().resource(CronJob.TYPE).inNamespace(request.namespace());
    CronJob cronJob = cronJobs.find(request.name()).orElse(null);
    if (cronJob == null) {
      return Optional.empty();
    }
    Sync sync = new Sync(cronJob, context, clock.now());
    Optional<Instant> next = sync.run();
    CronJobStatus status = sync.status;
    if (!status.equals(cronJob.status())) {
      cronJobs.updateStatus(cronJob.with(c -> c.status(status)));
    }
    return next;
  }

  /** One reconcile. */
  private static final class Sync {

    private final CronJob cronJob;
    private final CronJobSpec spec;
    private final Context context;
    private final CachedResource<Job> jobs;
    private final Instant now;
    private CronJobStatus status;

    Sync(CronJob cronJob, Context context, Instant now) {
      this.cronJob = cronJob;
      this.spec = cronJob.spec();
      this.context = context;
      this.now = now;
      this.status = cronJob.status();
      String namespace = String.valueOf(cronJob.metadata().namespace());
      jobs = context.client().resource(Job.TYPE).inNamespace(namespace);
    }

    Optional<Instant> run() throws InterruptedException {
      List<Job> own =
          jobs.list().stream().filter(j -> OwnerReferences.isControlledBy(j, cronJob)).toList();
      followActive(own);
      cleanUp(own, false, requireNonNullElse(spec.successfulJobsHistoryLimit(), 3));
      cleanUp(own, true, requireNonNullElse(spec.failedJobsHistoryLimit(), 1));
      if (cronJob.metadata().isBeingDeleted() || Boolean.TRUE.equals(spec.suspend())) {
        return Optional.empty();
      }
      CronSchedule schedule = schedule();
      return schedule == null ? Optional.empty() : schedule(schedule);
    }

    /* --------------- Jobs that run and have run --------------- */

    private void followActive(List<Job> own) {
      List<ObjectReference> active = new ArrayList<>();
      for (ObjectReference reference : status.active()) {
        Job job =
            own.stream()
                .filter(j -> Objects.equals(j.metadata().uid(), reference.uid()))
                .findFirst()
                .orElse(null);
        if (job == null) {
          event("MissingJob", "Active job went missing: %s", reference.name());
        } else if (JobState.finished(job).isEmpty()) {
          active.add(reference);
        } else {
          String condition = String.valueOf(JobState.finished(job).orElseThrow().type());
          event(
              "SawCompletedJob",
              "Saw completed job: %s, condition: %s",
              reference.name(),
              condition);
        }
      }
      Time lastSuccess =
          own.stream()
              .map(job -> job.status().completionTime())
              .filter(Objects::nonNull)
              .max(Time::compareTo)
              .filter(
                  time ->
                      status.lastSuccessfulTime() == null
                          || time.isAfter(status.lastSuccessfulTime()))
              .orElse(status.lastSuccessfulTime());
      status = status.with(s -> s.active(OmitEmpty.empty(active)).lastSuccessfulTime(lastSuccess));
    }

    private void cleanUp(List<Job> own, boolean failed, int limit) throws InterruptedException {
      List<Job> finished =
          own.stream()
              .filter(job -> !job.metadata().isBeingDeleted())
              .filter(
                  job ->
                      JobState.find(job.status(), failed ? JobState.FAILED : JobState.COMPLETE)
                          .isPresent())
              .sorted(comparing(job -> requireNonNullElse(job.status().startTime(), Time.of(now))))
              .toList();
      for (Job job : finished.subList(0, Math.max(0, finished.size() - limit))) {
        delete(job);
      }
    }

    private void delete(Job job) throws InterruptedException {
      DeleteOptions options =
          DeleteOptions.builder().propagationPolicy(DeletionPropagation.BACKGROUND).build();
      String name = String.valueOf(job.metadata().name());
      try {
        jobs.delete(name, options);
        event("SuccessfulDelete", "Deleted job %s", name);
      } catch (ApiStatusException e) {
        if (!e.isNotFound()) {
          throw e;
        }
      }
    }

    /* --------------- The schedule --------------- */

    private @Nullable CronSchedule schedule() {
      String text = requireNonNullElse(spec.schedule(), "");
      ZoneId zone = ZoneOffset.UTC;
      try {
        if (spec.timeZone() != null) {
          zone = ZoneId.of(spec.timeZone());
        }
        return CronSchedule.parse(text, zone);
      } catch (DateTimeException e) {
        warning("UnknownTimeZone", "invalid timeZone: \"%s\": %s", spec.timeZone(), e.getMessage());
      } catch (IllegalArgumentException e) {
        warning("UnparseableSchedule", "unparseable schedule: \"%s\" : %s", text, e.getMessage());
      }
      return null;
    }

    /** Creates the Job that is due, and returns the next time. */
    private Optional<Instant> schedule(CronSchedule schedule) throws InterruptedException {
      Instant due = lastMissed(schedule);
      if (due != null && isInTime(due)) {
        start(due);
      }
      return schedule.next(now);
    }

    /** Returns the last time of the schedule up to now for which no Job was created, or null. */
    private @Nullable Instant lastMissed(CronSchedule schedule) {
      Time last = status.lastScheduleTime();
      Time created = cronJob.metadata().creationTimestamp();
      Instant earliest = last != null ? last.instant() : created != null ? created.instant() : now;
      Long deadline = spec.startingDeadlineSeconds();
      if (deadline != null && now.minusSeconds(deadline).isAfter(earliest)) {
        earliest = now.minusSeconds(deadline);
      }
      Instant missed = null;
      int count = 0;
      Optional<Instant> time = schedule.next(earliest);
      while (time.isPresent() && !time.get().isAfter(now)) {
        missed = time.get();
        count++;
        time = schedule.next(missed);
      }
      if (count > MANY_MISSED) {
        warning(
            "TooManyMissedTimes",
            "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check"
                + " clock skew");
      }
      return missed;
    }

    private boolean isInTime(Instant due) {
      Long deadline = spec.startingDeadlineSeconds();
      if (deadline == null || !due.plusSeconds(deadline).isBefore(now)) {
        return true;
      }
      warning(
          "MissSchedule",
          "Missed scheduled time to start a job: %s",
          DateTimeFormatter.RFC_1123_DATE_TIME.format(due.atZone(ZoneOffset.UTC)));
      return false;
    }

    private void start(Instant due) throws InterruptedException {
      ConcurrencyPolicy policy =
          requireNonNullElse(spec.concurrencyPolicy(), ConcurrencyPolicy.ALLOW);
      if (policy.equals(ConcurrencyPolicy.FORBID) && !status.active().isEmpty()) {
        event(
            "JobAlreadyActive",
            "Not starting job because prior execution is running and concurrency policy is Forbid");
        return;
      }
      if (policy.equals(ConcurrencyPolicy.REPLACE)) {
        for (ObjectReference reference : status.active()) {
          Optional<Job> running = jobs.find(String.valueOf(reference.name()));
          if (running.isPresent()) {
            delete(running.get());
          }
        }
        status = status.with(s -> s.active(null));
      }
      Job job = createdJob(newJob(due));
      ObjectReference reference =
          ObjectReference.of(
              r ->
                  r.apiVersion(job.apiVersion())
                      .kind(job.kind())
                      .namespace(job.metadata().namespace())
                      .name(job.metadata().name())
                      .uid(job.metadata().uid())
                      .resourceVersion(job.metadata().resourceVersion()));
      status =
          status.with(
              s -> s.lastScheduleTime(Time.of(due)).editActive(active -> active.add(reference)));
    }

    /** The name is that of the time, so a second attempt finds the Job of the first. */
    private Job createdJob(Job job) throws InterruptedException {
      String name = String.valueOf(job.metadata().name());
      try {
        Job created = jobs.create(job);
        event("SuccessfulCreate", "Created job %s", name);
        return created;
      } catch (ApiStatusException e) {
        Optional<Job> present = e.isAlreadyExists() ? jobs.uncached().find(name) : Optional.empty();
        if (present.isPresent() && OwnerReferences.isControlledBy(present.get(), cronJob)) {
          return present.get();
        }
        if (!e.hasStatusCause("NamespaceTerminating")) {
          warning("FailedCreate", "Error creating job: %s", e.getMessage());
        }
        throw e;
      }
    }

    private Job newJob(Instant due) {
      String name = cronJob.metadata().name() + "-" + due.getEpochSecond() / 60;
      ObjectMeta template = spec.jobTemplate().metadata();
      ZoneId zone = spec.timeZone() == null ? ZoneOffset.UTC : ZoneId.of(spec.timeZone());
      String time =
          DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
              due.truncatedTo(ChronoUnit.SECONDS).atZone(zone));
      Job job =
          Job.of(
              j ->
                  j.metadata(
                          ObjectMeta.of(
                              m ->
                                  m.name(name)
                                      .namespace(cronJob.metadata().namespace())
                                      .labels(template.labels())
                                      .annotations(template.annotations())
                                      .editAnnotations(a -> a.put(SCHEDULED_AT, time))))
                      .spec(spec.jobTemplate().spec()));
      return OwnerReferences.setController(job, cronJob);
    }

    private void event(String reason, String note, @Nullable Object... arguments) {
      context.events().normal(cronJob, reason, "Schedule", note, arguments);
    }

    private void warning(String reason, String note, @Nullable Object... arguments) {
      context.events().warning(cronJob, reason, "Schedule", note, arguments);
    }
  }
}
