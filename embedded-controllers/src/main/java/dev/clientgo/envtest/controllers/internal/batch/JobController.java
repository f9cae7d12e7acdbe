package dev.clientgo.envtest.controllers.internal.batch;

import static dev.clientgo.envtest.controllers.internal.batch.JobState.COMPLETE;
import static dev.clientgo.envtest.controllers.internal.batch.JobState.FAILED;
import static dev.clientgo.envtest.controllers.internal.batch.JobState.FAILURE_TARGET;
import static dev.clientgo.envtest.controllers.internal.batch.JobState.SUCCESS_CRITERIA_MET;
import static dev.clientgo.envtest.controllers.internal.batch.JobState.SUSPENDED;
import static java.lang.Integer.MAX_VALUE;
import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Context;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.controller.Request;
import dev.clientgo.envtest.controllers.internal.pods.ActivePodsWithRanks;
import dev.clientgo.envtest.controllers.internal.pods.Alarm;
import dev.clientgo.envtest.controllers.internal.pods.OmitEmpty;
import dev.clientgo.envtest.controllers.internal.pods.PodControl;
import dev.clientgo.envtest.controllers.internal.pods.PodReadiness;
import dev.clientgo.envtest.controllers.internal.pods.SlowStart;
import dev.clientgo.envtest.controllers.internal.pods.TimedReconciler;
import dev.clientgo.kubernetes.batch.v1.Job;
import dev.clientgo.kubernetes.batch.v1.JobCondition;
import dev.clientgo.kubernetes.batch.v1.JobSpec;
import dev.clientgo.kubernetes.batch.v1.JobStatus;
import dev.clientgo.kubernetes.batch.v1.PodReplacementPolicy;
import dev.clientgo.kubernetes.batch.v1.UncountedTerminatedPods;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs pods until as many have succeeded as a Job wants, or too many have failed.
 *
 * <p>No pod is counted twice, and none is missed, though pods go away: each has a finalizer. First
 * the uid of an ended pod is written to the status ({@code uncountedTerminatedPods}), then the
 * finalizer is removed, and only then the pod is counted and its uid dropped.
 *
 * <p>Corresponds to {@code Controller} in {@code pkg/controller/job}.
 */
public final class JobController implements TimedReconciler {

  private final Clock clock;

  private JobController(Clock clock) {
    this.clock = clock;
  }

  /** Returns the controller of Jobs. */
  public static Controller create(Function<Reconciler, ControllerBuilder> controller, Alarm alarm) {
    return controller
        .apply(TimedReconciler.by(alarm, new JobController(alarm.clock())))
        .forKind(Job.TYPE)
        .owns(Pod.TYPE)
        .build();
  }

  @Override
  public Optional<Instant> reconcile(Request request, Context context) throws InterruptedException {
    CachedResource<Job> jobs = context.client().resource(Job.TYPE).inNamespace(request.namespace());
    CachedResource<Pod> pods = context.client().resource(Pod.TYPE).inNamespace(request.namespace());
    Job job = jobs.find(request.name()).orElse(null);
    List<Pod> own = new ArrayList<>();
    for (Pod pod : pods.list()) {
      if (job != null && JobPods.isOf(pod, job)) {
        own.add(pod);
      } else if (wasOf(request, pod)) {
        removeFinalizer(pod, pods);
      }
    }
    if (job == null) {
      return Optional.empty();
    }
    if (JobState.finished(job).isPresent()) {
      for (Pod pod : own) {
        removeFinalizer(pod, pods);
      }
      return Optional.empty();
    }
    return new Sync(job, own, jobs, pods, context, clock.now()).run();
  }

  private static boolean wasOf(Request request, Pod pod) {
    return pod.metadata()
        .controller()
        .filter(owner -> "Job".equals(owner.kind()) && request.name().equals(owner.name()))
        .isPresent();
  }

  private static void removeFinalizer(Pod pod, CachedResource<Pod> pods)
      throws InterruptedException {
    if (!pod.metadata().hasFinalizer(JobPods.FINALIZER)) {
      return;
    }
    try {
      pods.edit(
          pod,
          p ->
              p.with(b -> b.editMetadata(m -> m.editFinalizers(f -> f.remove(JobPods.FINALIZER)))));
    } catch (ApiStatusException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  /** One reconcile of a Job that has not finished. */
  private static final class Sync {

    private final JobSpec spec;
    private final List<Pod> own;
    private final CachedResource<Job> jobs;
    private final CachedResource<Pod> pods;
    private final Context context;
    private final Instant now;
    private final PodFailureRules failureRules;

    /** Whether a pod that is being deleted has not failed yet, and is not replaced. */
    private final boolean waitsForTheEnd;

    private final IndexFailures indexes;

    private Job job;
    private JobStatus status;

    Sync(
        Job job,
        List<Pod> own,
        CachedResource<Job> jobs,
        CachedResource<Pod> pods,
        Context context,
        Instant now) {
      this.job = job;
      this.spec = job.spec();
      this.own = own;
      this.jobs = jobs;
      this.pods = pods;
      this.context = context;
      this.now = now;
      this.failureRules = new PodFailureRules(job);
      this.waitsForTheEnd =
          spec.podFailurePolicy() != null
              || PodReplacementPolicy.FAILED.equals(spec.podReplacementPolicy());
      this.status = job.status();
      BitSet others = completedIndexes();
      others.or(activeIndexes());
      this.indexes = new IndexFailures(job, own, failureRules, this::hasFailed, others);
    }

    Optional<Instant> run() throws InterruptedException {
      suspendOrStart();
      List<String> succeeded = uncounted(status.uncountedTerminatedPods(), true);
      List<String> failed = uncounted(status.uncountedTerminatedPods(), false);
      int successes = successes(succeeded);
      int failures = number(status.failed()) + failed.size();
      List<Pod> active = own.stream().filter(PodReadiness::isActive).toList();
      decide(successes, failures, active);
      failed.removeAll(keptUids());
      track(succeeded, failed);
      count(successes, number(status.failed()) + failed.size());
      Optional<Instant> backoff = manage(active, successes);
      finish();
      write();
      return earlier(backoff, deadline());
    }

    private static int number(@Nullable Integer count) {
      return count == null ? 0 : count;
    }

    private boolean isSuspended() {
      return Boolean.TRUE.equals(spec.suspend());
    }

    private void suspendOrStart() {
      boolean noted = JobState.find(status, SUSPENDED).isPresent();
      if (isSuspended() && !noted) {
        status =
            JobState.with(status, SUSPENDED, true, "JobSuspended", "Job suspended", now)
                .with(s -> s.startTime(null));
        context.events().normal(job, "Suspended", "Suspend", "Job suspended");
      } else if (!isSuspended() && noted) {
        status = JobState.with(status, SUSPENDED, false, "JobResumed", "Job resumed", now);
        context.events().normal(job, "Resumed", "Resume", "Job resumed");
      }
      if (!isSuspended() && status.startTime() == null) {
        status = status.with(s -> s.startTime(Time.of(now)));
      }
    }

    /* --------------- Counting --------------- */

    /** Returns the uids that are not counted yet, with those of pods that have ended since. */
    private List<String> uncounted(@Nullable UncountedTerminatedPods known, boolean succeeded) {
      List<String> uids = new ArrayList<>();
      if (known != null) {
        uids.addAll(succeeded ? known.succeeded() : known.failed());
      }
      own.stream()
          .filter(pod -> pod.metadata().hasFinalizer(JobPods.FINALIZER))
          .filter(succeeded ? JobPods::hasSucceeded : pod -> hasFailed(pod) && !isIgnored(pod))
          .map(pod -> String.valueOf(pod.metadata().uid()))
          .filter(uid -> !uids.contains(uid))
          .forEach(uids::add);
      return uids;
    }

    private boolean hasFailed(Pod pod) {
      return JobPods.hasFailed(pod) && (!waitsForTheEnd || PodReadiness.hasEnded(pod));
    }

    private boolean isIgnored(Pod pod) {
      return hasFailed(pod) && failureRules.ignore(pod);
    }

    /** An Indexed Job counts indexes, so a second success of one counts nothing. */
    private int successes(List<String> uncounted) {
      return JobPods.areIndexed(job)
          ? completedIndexes().cardinality()
          : number(status.succeeded()) + uncounted.size();
    }

    private BitSet completedIndexes() {
      BitSet indexes = CompletionIndexes.parse(requireNonNullElse(status.completedIndexes(), ""));
      own.stream()
          .filter(JobPods::hasSucceeded)
          .mapToInt(CompletionIndexes::of)
          .filter(index -> index >= 0 && index < number(spec.completions()))
          .forEach(indexes::set);
      return indexes;
    }

    private BitSet activeIndexes() {
      BitSet active = new BitSet();
      own.stream()
          .filter(PodReadiness::isActive)
          .mapToInt(CompletionIndexes::of)
          .filter(index -> index >= 0)
          .forEach(active::set);
      return active;
    }

    /** Returns the failed pods that are counted later, when another has taken their place. */
    private List<String> keptUids() {
      return own.stream()
          .filter(this::isKept)
          .map(p -> String.valueOf(p.metadata().uid()))
          .toList();
    }

    private boolean isKept(Pod pod) {
      return !isDecided() && indexes.keeps(pod);
    }

    private boolean isDecided() {
      return JobState.find(status, FAILURE_TARGET).isPresent()
          || JobState.find(status, SUCCESS_CRITERIA_MET).isPresent();
    }

    /** Writes down which pods have ended, and lets them go. */
    private void track(List<String> succeeded, List<String> failed) throws InterruptedException {
      UncountedTerminatedPods uncounted =
          UncountedTerminatedPods.of(
              u -> u.succeeded(OmitEmpty.empty(succeeded)).failed(OmitEmpty.empty(failed)));
      status = status.with(s -> s.uncountedTerminatedPods(uncounted));
      if (!succeeded.isEmpty() || !failed.isEmpty()) {
        write();
      }
      for (Pod pod : own) {
        String uid = String.valueOf(pod.metadata().uid());
        if (succeeded.contains(uid) || failed.contains(uid) || (isIgnored(pod) && !isKept(pod))) {
          removeFinalizer(pod, pods);
        }
      }
    }

    private void count(int successes, int failures) {
      String completed = CompletionIndexes.format(completedIndexes());
      status =
          status.with(
              s ->
                  s.succeeded(OmitEmpty.zero(successes))
                      .failed(OmitEmpty.zero(failures))
                      .completedIndexes(
                          JobPods.areIndexed(job) && !completed.isEmpty() ? completed : null)
                      .failedIndexes(
                          indexes.isLimited() ? CompletionIndexes.format(indexes.failed()) : null)
                      .uncountedTerminatedPods(UncountedTerminatedPods.builder().build()));
    }

    private void write() throws InterruptedException {
      if (!status.equals(job.status())) {
        JobStatus written = status;
        job = jobs.updateStatus(job.with(j -> j.status(written)));
      }
    }

    /* --------------- Success and failure --------------- */

    /** Decides whether the Job will finish. */
    private void decide(int successes, int failures, List<Pod> active) {
      if (isDecided()) {
        return;
      }
      Optional<String> fatal =
          own.stream()
              .filter(this::hasFailed)
              .flatMap(p -> failureRules.failsJob(p).stream())
              .findFirst();
      Optional<String> criteria =
          JobPods.areIndexed(job) ? SuccessRules.match(job, completedIndexes()) : Optional.empty();
      int limit = requireNonNullElse(spec.backoffLimit(), indexes.isLimited() ? MAX_VALUE : 6);
      Optional<IndexFailures.Failure> failure = indexes.failure(successes);
      int restarts = JobPods.restarts(active);
      if (fatal.isPresent()) {
        fail("PodFailurePolicy", fatal.get());
      } else if (failures > limit || (restarts > 0 && restarts >= limit)) {
        fail("BackoffLimitExceeded", "Job has reached the specified backoff limit");
      } else if (deadline().filter(end -> !end.isAfter(now)).isPresent()) {
        fail("DeadlineExceeded", "Job was active longer than specified deadline");
      } else if (failure.isPresent()) {
        fail(failure.get().reason(), failure.get().message());
      } else if (criteria.isPresent()) {
        succeed("SuccessPolicy", criteria.get());
      } else if (isEnough(successes, active)) {
        succeed("CompletionsReached", "Reached expected number of succeeded pods");
      }
    }

    private void succeed(String reason, String message) {
      status = JobState.with(status, SUCCESS_CRITERIA_MET, true, reason, message, now);
    }

    private void fail(String reason, String message) {
      status = JobState.with(status, FAILURE_TARGET, true, reason, message, now);
    }

    private boolean isEnough(int successes, List<Pod> active) {
      Integer completions = completions();
      return completions == null
          ? successes > 0 && active.isEmpty()
          : successes >= completions && active.isEmpty();
    }

    /** Returns how many successes there must be, null if one is enough when all pods have ended. */
    private @Nullable Integer completions() {
      return spec.completions() == null && spec.parallelism() == null
          ? (Integer) 1
          : spec.completions();
    }

    private Optional<Instant> deadline() {
      Long seconds = spec.activeDeadlineSeconds();
      Time start = status.startTime();
      return seconds == null || start == null || isSuspended()
          ? Optional.empty()
          : Optional.of(start.instant().plusSeconds(seconds));
    }

    /** The Job has finished when it is decided, and no pod runs any longer. */
    private void finish() {
      boolean running = own.stream().anyMatch(pod -> !PodReadiness.hasEnded(pod));
      Optional<JobCondition> failure = JobState.find(status, FAILURE_TARGET);
      Optional<JobCondition> success = JobState.find(status, SUCCESS_CRITERIA_MET);
      if (running || (failure.isEmpty() && success.isEmpty()) || number(status.active()) > 0) {
        return;
      }
      JobCondition decided = failure.or(() -> success).orElseThrow();
      String reason = String.valueOf(decided.reason());
      String message = String.valueOf(decided.message());
      String type = failure.isPresent() ? FAILED : COMPLETE;
      status = JobState.with(status, type, true, reason, message, now);
      if (failure.isPresent()) {
        context.events().warning(job, reason, "Fail", message);
      } else {
        status = status.with(s -> s.completionTime(Time.of(now)));
        context.events().normal(job, "Completed", "Complete", "Job completed");
      }
    }

    /* --------------- Pods --------------- */

    /** Creates and deletes pods; returns when the next may be created after a failure. */
    private Optional<Instant> manage(List<Pod> active, int successes) throws InterruptedException {
      Optional<Instant> backoff = Optional.empty();
      int count = active.size();
      if (!job.metadata().isBeingDeleted()) {
        int wanted = wanted(active.size(), successes);
        PodControl control = new PodControl(context, job);
        if (wanted > count) {
          backoff = indexes.isLimited() ? Optional.empty() : JobPods.backoff(own, now);
          if (backoff.isEmpty()) {
            List<Integer> places = places(wanted - count - awaited());
            List<Pod> missing = missing(places);
            backoff = missing.isEmpty() ? nextRetry(places) : backoff;
            SlowStart.run(missing.size(), index -> control.create(missing.get(index)));
            count += missing.size();
          }
        } else {
          List<Pod> surplus =
              active.stream()
                  .sorted(ActivePodsWithRanks.deletionOrder(active, now))
                  .limit(count - wanted)
                  .toList();
          for (Pod pod : surplus) {
            control.delete(pod);
          }
          count -= surplus.size();
        }
      }
      int running = count;
      long ready = active.stream().filter(PodReadiness::isReady).count();
      long terminating = own.stream().filter(PodReadiness::isTerminating).count();
      status =
          status.with(
              s ->
                  s.active(OmitEmpty.zero(running))
                      .ready((int) ready)
                      .terminating((int) terminating));
      return backoff;
    }

    /** Returns how many pods must end before others take their place. */
    private int awaited() {
      return waitsForTheEnd ? (int) own.stream().filter(PodReadiness::isTerminating).count() : 0;
    }

    private int wanted(int active, int successes) {
      if (isSuspended() || isDecided()) {
        return 0;
      }
      int parallelism = requireNonNullElse(spec.parallelism(), 1);
      Integer completions = completions();
      if (completions == null) {
        return successes > 0 ? active : parallelism;
      }
      int left = completions - successes - indexes.failed().cardinality();
      return Math.min(parallelism, Math.max(0, left));
    }

    /** Returns the indexes that need a pod; -1 for each pod of a Job without indexes. */
    private List<Integer> places(int count) {
      if (!JobPods.areIndexed(job)) {
        return Collections.nCopies(Math.max(0, count), -1);
      }
      BitSet taken = completedIndexes();
      taken.or(activeIndexes());
      taken.or(indexes.failed());
      List<Integer> places = new ArrayList<>();
      int index = taken.nextClearBit(0);
      while (places.size() < count && index < number(spec.completions())) {
        places.add(index);
        index = taken.nextClearBit(index + 1);
      }
      return places;
    }

    /** Returns the pods that may be created now. */
    private List<Pod> missing(List<Integer> places) {
      return places.stream()
          .filter(index -> indexes.backoff(index, now).isEmpty())
          .map(index -> index < 0 ? JobPods.newPod(job) : indexes.newPod(index))
          .toList();
    }

    private Optional<Instant> nextRetry(List<Integer> places) {
      return places.stream()
          .flatMap(index -> indexes.backoff(index, now).stream())
          .min(Instant::compareTo);
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
      return one.isPresent() && other.isPresent()
          ? one.filter(o -> o.isBefore(other.get())).or(() -> other)
          : one.or(() -> other);
    }
  }
}
