package dev.clientgo.envtest.controllers.internal.batch;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.kubernetes.batch.v1.Job;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The failures of each index of a Job with {@code backoffLimitPerIndex}. Such a Job continues with
 * its other indexes if one has failed.
 *
 * <p>Each pod knows, by its annotations, how many pods of its index have failed before it. So the
 * last failed pod of an index keeps its finalizer until the next one has been made.
 *
 * <p>Corresponds to {@code pkg/controller/job/indexed_job_utils.go}.
 */
final class IndexFailures {

  private static final String COUNT = "batch.kubernetes.io/job-index-failure-count";
  private static final String IGNORED = "batch.kubernetes.io/job-index-ignored-failure-count";

  /** Why a Job fails. */
  record Failure(String reason, String message) {}

  private final Job job;
  private final PodFailureRules rules;
  private final BitSet failed;
  private final Map<Integer, Pod> last = new HashMap<>();

  /**
   * Reads the failures.
   *
   * @param hasFailed whether a pod counts as failed
   * @param others the indexes that have succeeded or have an active pod
   */
  IndexFailures(
      Job job, List<Pod> own, PodFailureRules rules, Predicate<Pod> hasFailed, BitSet others) {
    this.job = job;
    this.rules = rules;
    this.failed = CompletionIndexes.parse(requireNonNullElse(job.status().failedIndexes(), ""));
    if (!isLimited()) {
      return;
    }
    List<Pod> failures =
        own.stream()
            .filter(pod -> CompletionIndexes.of(pod) >= 0)
            .filter(pod -> CompletionIndexes.of(pod) < completions())
            .filter(hasFailed)
            .toList();
    failures.stream().filter(this::failsIndex).map(CompletionIndexes::of).forEach(failed::set);
    for (Pod pod : failures) {
      int index = CompletionIndexes.of(pod);
      if (!failed.get(index) && !others.get(index)) {
        last.merge(index, pod, (one, other) -> allFailures(one) > allFailures(other) ? one : other);
      }
    }
  }

  private int completions() {
    return requireNonNullElse(job.spec().completions(), 0);
  }

  /** Returns whether the Job has a limit for each index. */
  boolean isLimited() {
    return JobPods.areIndexed(job) && job.spec().backoffLimitPerIndex() != null;
  }

  private boolean failsIndex(Pod pod) {
    return rules.failsIndex(pod)
        || (!rules.ignore(pod)
            && number(pod, COUNT) >= requireNonNullElse(job.spec().backoffLimitPerIndex(), 0));
  }

  /** Returns the indexes that have failed. */
  BitSet failed() {
    return failed;
  }

  /** Returns why the Job fails, if so many indexes have succeeded. */
  Optional<Failure> failure(int succeeded) {
    int count = failed.cardinality();
    Integer most = job.spec().maxFailedIndexes();
    if (isLimited() && most != null && count > most) {
      return Optional.of(
          new Failure(
              "MaxFailedIndexesExceeded",
              "Job has exceeded the specified maximal number of failed indexes"));
    }
    return isLimited() && count > 0 && count + succeeded >= completions()
        ? Optional.of(new Failure("FailedIndexes", "Job has failed indexes"))
        : Optional.empty();
  }

  /** Returns whether the next pod of the same index needs the annotations of this one. */
  boolean keeps(Pod pod) {
    Pod kept = last.get(CompletionIndexes.of(pod));
    return kept != null && String.valueOf(kept.metadata().uid()).equals(pod.metadata().uid());
  }

  /** Returns until when no pod may be created for an index. */
  Optional<Instant> backoff(int index, Instant now) {
    Pod before = last.get(index);
    return before == null
        ? Optional.empty()
        : JobPods.backoff(JobPods.endOf(before, now), allFailures(before) + 1, now);
  }

  /** Returns a new pod for an index. */
  Pod newPod(int index) {
    Pod pod = JobPods.newPod(job, index);
    if (!isLimited()) {
      return pod;
    }
    Pod before = last.get(index);
    int counted = before == null ? 0 : number(before, COUNT) + (rules.ignore(before) ? 0 : 1);
    int ignored = before == null ? 0 : number(before, IGNORED) + (rules.ignore(before) ? 1 : 0);
    return pod.with(
        p ->
            p.editMetadata(
                m ->
                    m.editAnnotations(
                        annotations -> {
                          annotations.put(COUNT, Integer.toString(counted));
                          if (ignored > 0) {
                            annotations.put(IGNORED, Integer.toString(ignored));
                          }
                        })));
  }

  private static int allFailures(Pod pod) {
    return number(pod, COUNT) + number(pod, IGNORED);
  }

  private static int number(Pod pod, String annotation) {
    String text = pod.metadata().annotation(annotation).orElse("");
    return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
  }
}
