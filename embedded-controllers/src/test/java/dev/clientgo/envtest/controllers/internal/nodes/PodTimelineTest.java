package dev.clientgo.envtest.controllers.internal.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.envtest.controllers.internal.nodes.PodTimeline.Moment;
import dev.clientgo.envtest.controllers.pods.PodLife;
import dev.clientgo.kubernetes.core.v1.RestartPolicy;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The states of containers over time. */
final class PodTimelineTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static Moment after(long seconds, PodLife life, RestartPolicy policy) {
    return new PodTimeline(life, policy, START).at(START.plusSeconds(seconds));
  }

  private static String describe(Moment moment) {
    String reason =
        moment.state().running() != null
            ? "running"
            : moment.state().waiting() != null
                ? moment.state().waiting().reason()
                : moment.state().terminated().reason();
    String next =
        moment.next() == null
            ? "never"
            : Long.toString(Duration.between(START, moment.next()).toSeconds());
    return moment.phase() + " " + reason + (moment.ready() ? " ready" : "") + " next " + next;
  }

  @Test
  void runs_isReadyAtOnceAndForEver() {
    assertThat(describe(after(0, PodLife.runs(), RestartPolicy.ALWAYS)))
        .isEqualTo("Running running ready next never");
  }

  @ParameterizedTest
  @CsvSource({
    "0, Pending ContainerCreating next 3",
    "2, Pending ContainerCreating next 3",
    "3, Running running next 8",
    "8, Running running ready next never",
  })
  void slowStart_isPendingThenRunningThenReady(long second, String expected) {
    PodLife life =
        PodLife.runs().startsAfter(Duration.ofSeconds(3)).readyAfter(Duration.ofSeconds(5));

    assertThat(describe(after(second, life, RestartPolicy.ALWAYS))).isEqualTo(expected);
  }

  @Test
  void neverReady_runs() {
    assertThat(describe(after(9, PodLife.runs().neverReady(), RestartPolicy.ALWAYS)))
        .isEqualTo("Running running next never");
  }

  @Test
  void missingImage_staysPending() {
    assertThat(describe(after(9, PodLife.missingImage(), RestartPolicy.ALWAYS)))
        .isEqualTo("Pending ImagePullBackOff next never");
  }

  @ParameterizedTest
  @CsvSource({
    "0, Never, Succeeded Completed next never",
    "0, OnFailure, Succeeded Completed next never",
    "1, Never, Failed Error next never",
    "1, OnFailure, Running CrashLoopBackOff next 10",
    "0, Always, Running CrashLoopBackOff next 10",
  })
  void exit_endsThePodUnlessItsPolicyRestartsIt(int code, String policy, String expected) {
    Moment moment = after(0, PodLife.exits(code), RestartPolicy.of(policy));

    assertThat(describe(moment)).isEqualTo(expected);
  }

  /** The restarts are at 0, 10, 30, 70, 150, 310 s, and then each 300 s. */
  @ParameterizedTest
  @CsvSource({
    "0, 1", "9, 1", "10, 2", "29, 2", "30, 3", "70, 4", "150, 5", "310, 6", "610, 7", "910, 8"
  })
  void crashLoop_restartsAfterAGrowingDelay(long second, int restarts) {
    Moment moment = after(second, PodLife.exits(1), RestartPolicy.ALWAYS);

    assertThat(moment.restarts() + (describe(moment).contains("CrashLoop") ? 1 : 0))
        .isEqualTo(restarts + 1);
  }

  @Test
  void crashes_thenRuns() {
    PodLife life = PodLife.exits(1, 2).after(Duration.ofSeconds(4)).thenRuns();

    assertThat(describe(after(3, life, RestartPolicy.ALWAYS)))
        .isEqualTo("Running running ready next 4");
    Moment second = after(4, life, RestartPolicy.ALWAYS);
    assertThat(second.restarts()).isEqualTo(1);
    assertThat(second.last().terminated().exitCode()).isEqualTo(1);
    assertThat(describe(after(8, life, RestartPolicy.ALWAYS)))
        .isEqualTo("Running CrashLoopBackOff next 18");
    Moment last = after(18, life, RestartPolicy.ALWAYS);
    assertThat(describe(last)).isEqualTo("Running running ready next never");
    assertThat(last.restarts()).isEqualTo(2);
    assertThat(last.last().terminated().exitCode()).isEqualTo(2);
  }
}
