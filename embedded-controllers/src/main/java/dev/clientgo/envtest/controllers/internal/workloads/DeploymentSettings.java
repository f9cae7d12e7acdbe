package dev.clientgo.envtest.controllers.internal.workloads;

import static java.util.Objects.requireNonNullElse;

import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.kubernetes.apps.v1.DeploymentSpec;
import dev.clientgo.kubernetes.apps.v1.DeploymentStrategy;
import dev.clientgo.kubernetes.apps.v1.DeploymentStrategyType;
import dev.clientgo.kubernetes.apps.v1.RollingUpdateDeployment;
import dev.clientgo.kubernetes.core.v1.PodTemplateSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The spec of a Deployment with the defaults of a real server, and with percentages as numbers.
 *
 * @param maxSurge how many pods more than {@code replicas} there may be
 * @param maxUnavailable how many pods less than {@code replicas} may be available
 * @param historyLimit how many old ReplicaSets stay, empty for all
 * @param progressDeadline after which time without progress the rollout has failed, empty for none
 */
record DeploymentSettings(
    int replicas,
    PodTemplateSpec template,
    boolean rolling,
    int maxSurge,
    int maxUnavailable,
    int minReadySeconds,
    boolean paused,
    OptionalInt historyLimit,
    Optional<Duration> progressDeadline) {

  private static final IntOrString QUARTER = IntOrString.of("25%");

  /** Returns the settings of a Deployment. */
  static DeploymentSettings of(Deployment deployment) {
    DeploymentSpec spec = deployment.spec();
    DeploymentStrategy strategy = spec.strategy();
    boolean rolling = !DeploymentStrategyType.RECREATE.equals(strategy.type());
    RollingUpdateDeployment bounds =
        requireNonNullElse(strategy.rollingUpdate(), RollingUpdateDeployment.builder().build());
    int replicas = requireNonNullElse(spec.replicas(), 1);
    int surge = requireNonNullElse(bounds.maxSurge(), QUARTER).scaled(replicas, true);
    int unavailable = requireNonNullElse(bounds.maxUnavailable(), QUARTER).scaled(replicas, false);
    if (surge == 0 && unavailable == 0) {
      unavailable = 1; // Or nothing could ever be replaced.
    }
    int history = requireNonNullElse(spec.revisionHistoryLimit(), 10);
    int deadline = requireNonNullElse(spec.progressDeadlineSeconds(), 600);
    return new DeploymentSettings(
        replicas,
        spec.template(),
        rolling,
        rolling ? surge : 0,
        rolling ? Math.min(unavailable, replicas) : 0,
        requireNonNullElse(spec.minReadySeconds(), 0),
        Boolean.TRUE.equals(spec.paused()),
        history == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(history),
        deadline == Integer.MAX_VALUE
            ? Optional.empty()
            : Optional.of(Duration.ofSeconds(deadline)));
  }
}
