package dev.clientgo.envtest.controllers.internal.batch;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.kubernetes.batch.v1.Job;
import dev.clientgo.kubernetes.batch.v1.PodFailurePolicy;
import dev.clientgo.kubernetes.batch.v1.PodFailurePolicyAction;
import dev.clientgo.kubernetes.batch.v1.PodFailurePolicyOnExitCodesOperator;
import dev.clientgo.kubernetes.batch.v1.PodFailurePolicyOnExitCodesRequirement;
import dev.clientgo.kubernetes.batch.v1.PodFailurePolicyOnPodConditionsPattern;
import dev.clientgo.kubernetes.batch.v1.PodFailurePolicyRule;
import dev.clientgo.kubernetes.core.v1.ContainerStateTerminated;
import dev.clientgo.kubernetes.core.v1.ContainerStatus;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The pod failure policy of a Job: the first rule that matches a failed pod decides what its
 * failure means.
 *
 * <p>Corresponds to {@code pkg/controller/job/pod_failure_policy.go}.
 */
final class PodFailureRules {

  /**
   * A rule that matches a pod.
   *
   * @param message why the Job fails, if the action says so
   */
  private record Match(PodFailurePolicyAction action, String message) {}

  private final List<PodFailurePolicyRule> rules;

  PodFailureRules(Job job) {
    rules = job.spec().findPodFailurePolicy().map(PodFailurePolicy::rules).orElse(List.of());
  }

  /** Returns whether a failure does not count. */
  boolean ignore(Pod failed) {
    return match(failed).filter(m -> m.action().equals(PodFailurePolicyAction.IGNORE)).isPresent();
  }

  /** Returns why the whole Job fails with a pod, empty if it does not. */
  Optional<String> failsJob(Pod failed) {
    return match(failed)
        .filter(match -> match.action().equals(PodFailurePolicyAction.FAIL_JOB))
        .map(Match::message);
  }

  /** Returns whether the index of a pod fails with it, however often it may be tried. */
  boolean failsIndex(Pod failed) {
    return match(failed)
        .filter(match -> match.action().equals(PodFailurePolicyAction.FAIL_INDEX))
        .isPresent();
  }

  private Optional<Match> match(Pod pod) {
    String podName = pod.metadata().namespace() + "/" + pod.metadata().name();
    for (int index = 0; index < rules.size(); index++) {
      PodFailurePolicyRule rule = rules.get(index);
      PodFailurePolicyAction action =
          requireNonNullElse(rule.action(), PodFailurePolicyAction.COUNT);
      String place = " matching " + action.value() + " rule at index " + index;
      Optional<Match> match =
          rule.findOnExitCodes()
              .map(codes -> exitCode(pod, codes, podName))
              .orElseGet(() -> condition(pod, rule.onPodConditions(), podName))
              .map(cause -> new Match(action, cause + place));
      if (match.isPresent()) {
        return match;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> exitCode(
      Pod pod, PodFailurePolicyOnExitCodesRequirement codes, String podName) {
    return Stream.concat(
            pod.status().containerStatuses().stream(),
            pod.status().initContainerStatuses().stream())
        .filter(c -> codes.containerName() == null || codes.containerName().equals(c.name()))
        .filter(container -> isAmong(exitCode(container), codes))
        .findFirst()
        .map(
            container ->
                "Container %s for pod %s failed with exit code %d"
                    .formatted(container.name(), podName, exitCode(container)));
  }

  private static int exitCode(ContainerStatus container) {
    ContainerStateTerminated end = container.state().terminated();
    return end == null ? 0 : requireNonNullElse(end.exitCode(), 0);
  }

  private static boolean isAmong(int exitCode, PodFailurePolicyOnExitCodesRequirement codes) {
    boolean listed = codes.values().contains(exitCode);
    boolean in = PodFailurePolicyOnExitCodesOperator.IN.equals(codes.operator());
    return exitCode != 0 && listed == in;
  }

  private static Optional<String> condition(
      Pod pod, List<PodFailurePolicyOnPodConditionsPattern> patterns, String podName) {
    return patterns.stream()
        .filter(pattern -> hasCondition(pod, pattern))
        .findFirst()
        .map(pattern -> "Pod %s has condition %s".formatted(podName, pattern.type()));
  }

  private static boolean hasCondition(Pod pod, PodFailurePolicyOnPodConditionsPattern pattern) {
    String status = requireNonNullElse(pattern.status(), "True");
    return pod.status().conditions().stream()
        .anyMatch(
            condition ->
                Objects.equals(pattern.type(), condition.type())
                    && status.equals(condition.status()));
  }
}
