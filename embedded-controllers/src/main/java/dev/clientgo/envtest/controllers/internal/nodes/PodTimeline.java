package dev.clientgo.envtest.controllers.internal.nodes;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.envtest.controllers.pods.PodLife;
import dev.clientgo.kubernetes.core.v1.ContainerState;
import dev.clientgo.kubernetes.core.v1.PodPhase;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The states of the containers of a pod over time: a function of its life, the moment at which it
 * was scheduled, and its restart policy. So nothing has to be remembered between two moments.
 *
 * <p>The delays between restarts are those of a kubelet: none before the first, then 10 s, twice as
 * long each time up to 5 minutes, and none again after a run of 10 minutes.
 */
final class PodTimeline {

  private static final Duration FIRST_DELAY = Duration.ofSeconds(10);
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(5);
  private static final Duration LONG_RUN = Duration.ofMinutes(10);

  /**
   * The state of the containers at one moment.
   *
   * @param state the state of each container
   * @param last the last termination, if the containers have restarted or are about to
   * @param next when the state changes next, null for never
   */
  record Moment(
      PodPhase phase,
      ContainerState state,
      @Nullable ContainerState last,
      boolean ready,
      int restarts,
      @Nullable Instant next) {}

  private final PodLife life;
  private final RestartPolicy policy;
  private final Instant scheduled;

  PodTimeline(PodLife life, RestartPolicy policy, Instant scheduled) {
    this.life = life;
    this.policy = policy;
    this.scheduled = scheduled;
  }

  /** Returns the state at a moment. */
  Moment at(Instant now) {
    if (!life.hasImage()) {
      return pending("ImagePullBackOff", null);
    }
    Instant start = scheduled.plus(life.startDelay());
    if (now.isBefore(start)) {
      return pending("ContainerCreating", start);
    }
    ContainerState last = null;
    for (int run = 0; ; run++) {
      OptionalInt exitCode = life.exitCode(run);
      Instant end = exitCode.isPresent() ? start.plus(life.runTime()) : Instant.MAX;
      if (now.isBefore(end)) {
        return running(run, start, end, last, now);
      }
      int code = exitCode.orElseThrow();
      ContainerState ended = terminated(code, start, end);
      if (!restarts(code)) {
        PodPhase phase = code == 0 ? PodPhase.SUCCEEDED : PodPhase.FAILED;
        return new Moment(phase, ended, last, false, run, null);
      }
      start = end.plus(delayAfter(run));
      if (now.isBefore(start)) {
        return new Moment(PodPhase.RUNNING, waiting("CrashLoopBackOff"), ended, false, run, start);
      }
      last = ended;
    }
  }

  private static Moment pending(String reason, @Nullable Instant next) {
    return new Moment(PodPhase.PENDING, waiting(reason), null, false, 0, next);
  }

  private Moment running(
      int run, Instant start, Instant end, @Nullable ContainerState last, Instant now) {
    Optional<Instant> readyAt = life.readyDelay().map(start::plus);
    boolean ready = readyAt.filter(at -> !now.isBefore(at)).isPresent();
    Instant next = end;
    if (!ready && readyAt.isPresent() && readyAt.get().isBefore(end)) {
      next = readyAt.get();
    }
    ContainerState state =
        ContainerState.of(s -> s.editRunning(running -> running.startedAt(Time.of(start))));
    return new Moment(
        PodPhase.RUNNING, state, last, ready, run, next.equals(Instant.MAX) ? null : next);
  }

  private boolean restarts(int exitCode) {
    return policy.equals(RestartPolicy.ALWAYS)
        || (policy.equals(RestartPolicy.ON_FAILURE) && exitCode != 0);
  }

  private Duration delayAfter(int run) {
    if (run == 0 || life.runTime().compareTo(LONG_RUN) >= 0) {
      return Duration.ZERO;
    }
    Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(run - 1, 10));
    return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
  }

  private static ContainerState waiting(String reason) {
    return ContainerState.of(state -> state.editWaiting(waiting -> waiting.reason(reason)));
  }

  /** Returns the state of a container that has ended. */
  static ContainerState terminated(int exitCode, Instant start, Instant end) {
    return ContainerState.of(
        state ->
            state.editTerminated(
                t ->
                    t.exitCode(exitCode)
                        .reason(exitCode == 0 ? "Completed" : "Error")
                        .startedAt(Time.of(start))
                        .finishedAt(Time.of(end))));
  }
}
