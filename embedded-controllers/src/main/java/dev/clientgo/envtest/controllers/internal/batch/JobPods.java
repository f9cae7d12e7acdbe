package dev.clientgo.envtest.controllers.internal.batch;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.meta.OwnerReferences;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.envtest.controllers.internal.pods.PodTemplates;
import dev.clientgo.kubernetes.batch.v1.CompletionMode;
import dev.clientgo.kubernetes.batch.v1.Job;
import dev.clientgo.kubernetes.core.v1.Container;
import dev.clientgo.kubernetes.core.v1.ContainerStateTerminated;
import dev.clientgo.kubernetes.core.v1.EnvVar;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The pods of Jobs: how they are made, and how they have ended. */
final class JobPods {

  /** Keeps a pod until its Job has counted it. */
  static final String FINALIZER = "batch.kubernetes.io/job-tracking";

  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);

  private JobPods() {}

  /* --------------- Making --------------- */

  /** Returns whether each pod of a Job has an index. */
  static boolean areIndexed(Job job) {
    return CompletionMode.INDEXED.equals(job.spec().completionMode());
  }

  /** Returns a new pod of a Job, with labels that a real server sets in its template. */
  static Pod newPod(Job job) {
    String name = String.valueOf(job.metadata().name());
    String uid = String.valueOf(job.metadata().uid());
    return PodTemplates.newPod(job.spec().template(), job)
        .with(
            pod ->
                pod.editMetadata(
                    m ->
                        m.editLabels(
                                labels -> {
                                  labels.put("batch.kubernetes.io/controller-uid", uid);
                                  labels.put("batch.kubernetes.io/job-name", name);
                                  labels.put("controller-uid", uid);
                                  labels.put("job-name", name);
                                })
                            .editFinalizers(finalizers -> finalizers.add(FINALIZER))));
  }

  /** Returns a new pod for an index, which its containers find in {@code JOB_COMPLETION_INDEX}. */
  static Pod newPod(Job job, int index) {
    String text = Integer.toString(index);
    String name = job.metadata().name() + "-" + index;
    EnvVar variable =
        EnvVar.of(
            v ->
                v.name("JOB_COMPLETION_INDEX")
                    .editValueFrom(
                        from ->
                            from.editFieldRef(
                                ref ->
                                    ref.fieldPath(
                                        "metadata.labels['" + CompletionIndexes.KEY + "']"))));
    return newPod(job)
        .with(
            pod ->
                pod.editMetadata(
                        m ->
                            m.generateName(name + "-")
                                .editLabels(labels -> labels.put(CompletionIndexes.KEY, text))
                                .editAnnotations(a -> a.put(CompletionIndexes.KEY, text)))
                    .editSpec(
                        spec ->
                            spec.hostname(name)
                                .editContainers(c -> c.replaceAll(e -> with(e, variable)))
                                .editInitContainers(c -> c.replaceAll(e -> with(e, variable)))));
  }

  private static Container with(Container container, EnvVar variable) {
    List<EnvVar> variables = new ArrayList<>(container.env());
    if (variables.stream().noneMatch(v -> Objects.equals(v.name(), variable.name()))) {
      variables.add(variable);
    }
    return container.with(c -> c.env(variables));
  }

  /* --------------- Judging --------------- */

  /** Returns whether a pod has succeeded. */
  static boolean hasSucceeded(Pod pod) {
    return PodPhase.SUCCEEDED.equals(pod.status().phase());
  }

  /** Returns whether a pod has failed; one that is being deleted counts, too. */
  static boolean hasFailed(Pod pod) {
    return PodPhase.FAILED.equals(pod.status().phase())
        || (pod.metadata().isBeingDeleted() && !hasSucceeded(pod));
  }

  /** Returns whether a pod belongs to a Job. */
  static boolean isOf(Pod pod, Job job) {
    return OwnerReferences.isControlledBy(pod, job);
  }

  /** Returns how often the containers of pods were started again, if their policy allows it. */
  static int restarts(List<Pod> pods) {
    return pods.stream()
        .filter(pod -> RestartPolicy.ON_FAILURE.equals(pod.spec().restartPolicy()))
        .flatMap(pod -> pod.status().containerStatuses().stream())
        .mapToInt(container -> requireNonNullElse(container.restartCount(), 0))
        .sum();
  }

  /**
   * Returns until when no new pod may be created: 10 s after a failure, twice as long after each
   * failure that follows without a success, 10 minutes at most.
   */
  static Optional<Instant> backoff(List<Pod> pods, Instant now) {
    Instant success =
        pods.stream()
            .filter(JobPods::hasSucceeded)
            .map(pod -> endOf(pod, now))
            .max(Instant::compareTo)
            .orElse(Instant.MIN);
    List<Instant> failures =
        pods.stream()
            .filter(JobPods::hasFailed)
            .map(pod -> endOf(pod, now))
            .filter(end -> end.isAfter(success))
            .sorted()
            .toList();
    if (failures.isEmpty()) {
      return Optional.empty();
    }
    return backoff(failures.get(failures.size() - 1), failures.size(), now);
  }

  /** Returns until when no new pod may be created after the last of some failures. */
  static Optional<Instant> backoff(Instant last, int failures, Instant now) {
    Duration delay = FIRST_BACKOFF.multipliedBy(1L << Math.min(failures - 1, 10));
    Duration bounded = delay.compareTo(LONGEST_BACKOFF) < 0 ? delay : LONGEST_BACKOFF;
    return Optional.of(last.plus(bounded)).filter(end -> end.isAfter(now));
  }

  /** Returns when a pod has ended. */
  static Instant endOf(Pod pod, Instant now) {
    Optional<Instant> end =
        pod.status().containerStatuses().stream()
            .map(container -> container.state().terminated())
            .filter(Objects::nonNull)
            .map(ContainerStateTerminated::finishedAt)
            .filter(Objects::nonNull)
            .map(Time::instant)
            .max(Instant::compareTo);
    Time deletion = pod.metadata().deletionTimestamp();
    return end.orElse(deletion == null ? now : deletion.instant());
  }
}
