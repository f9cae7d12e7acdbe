package dev.clientgo.apimachinery.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class BackoffTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final RandomGenerator NEVER =
      () -> {
        throw new AssertionError("no chance is needed");
      };

  private static Backoff.Builder second() {
    return Backoff.builder(SECOND);
  }

  private static List<Duration> take(int count, DelayFunction delays) {
    return IntStream.range(0, count).mapToObj(i -> delays.next()).toList();
  }

  private static List<Duration> seconds(long... seconds) {
    return Arrays.stream(seconds).mapToObj(Duration::ofSeconds).toList();
  }

  private static List<Duration> nanos(long... nanos) {
    return Arrays.stream(nanos).mapToObj(Duration::ofNanos).toList();
  }

  static Stream<Arguments> steps() {
    return Stream.of(
        argumentSet("steps -1", second().steps(-1), seconds(1, 1, 1)),
        argumentSet("steps 0", second().steps(0), seconds(1, 1, 1)),
        argumentSet("steps 1", second().steps(1), seconds(1, 1, 1)),
        argumentSet("factor 1", second().factor(1).steps(1), seconds(1, 1, 1)),
        argumentSet("factor 2", second().factor(2).steps(3), seconds(1, 2, 4, 8, 8, 8)),
        argumentSet(
            "cap", second().factor(2).steps(3).cap(Duration.ofSeconds(3)), seconds(1, 2, 3, 3)),
        argumentSet(
            "cap equal",
            second().factor(2).steps(9).cap(Duration.ofSeconds(4)),
            seconds(1, 2, 4, 4, 4)),
        argumentSet("no steps, factor", second().factor(2), seconds(1, 1, 1)),
        argumentSet(
            "no steps, cap", second().factor(2).cap(Duration.ofSeconds(5)), seconds(1, 2, 4, 5, 5)),
        argumentSet(
            "no steps, cap, built again",
            second().factor(2).cap(Duration.ofSeconds(5)).build().toBuilder(),
            seconds(1, 2, 4, 5, 5)),
        argumentSet("zero", Backoff.builder(Duration.ZERO).factor(2).steps(5), seconds(0, 0, 0)));
  }

  /** Upstream: TestBackoff_Step. */
  @ParameterizedTest
  @MethodSource("steps")
  void delays_withoutJitter_growAsSaid(Backoff.Builder backoff, List<Duration> expected) {
    assertThat(take(expected.size(), backoff.build().delays(NEVER))).isEqualTo(expected);
  }

  /** Upstream: TestBackoff_Step. */
  @Test
  void delays_withJitter_areInTheirRangeAndDoNotCompound() {
    long seed = System.identityHashCode(this);
    DelayFunction delays = second().factor(2).steps(6).jitter(4).build().delays(new Random(seed));

    for (int n = 0; n < 6; n++) {
      Duration base = Duration.ofSeconds(1L << n);
      assertThat(delays.next())
          .as("seed %d, step %d", seed, n)
          .isGreaterThanOrEqualTo(base)
          .isLessThan(base.multipliedBy(5));
    }
  }

  @Test
  void delays_manySteps_endAtTheLongestDuration() {
    DelayFunction delays = second().factor(1000).steps(100).build().delays(NEVER);

    assertThat(take(100, delays).get(99)).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
  }

  @Test
  void delays_askedTwice_areIndependent() {
    Backoff backoff = second().factor(2).steps(3).build();
    take(3, backoff.delays(NEVER));

    assertThat(take(3, backoff.delays(NEVER))).isEqualTo(seconds(1, 2, 4));
  }

  private static Backoff.Builder nano() {
    return Backoff.builder(Duration.ofNanos(1)).cap(Duration.ofNanos(10)).factor(2).steps(10);
  }

  /** Upstream: TestBackoffDelayWithResetExponential. */
  @Test
  void delaysWithReset_afterTheInterval_beginAnew() {
    FakeClock clock = FakeClock.create();
    DelayFunction delays = nano().build().delaysWithReset(clock, NEVER, Duration.ofNanos(10));

    assertThat(take(7, delays)).isEqualTo(nanos(1, 2, 4, 8, 10, 10, 10));
    clock.advance(Duration.ofNanos(10));
    assertThat(delays.next()).isEqualTo(Duration.ofNanos(10));
    clock.advance(Duration.ofNanos(1));
    assertThat(take(2, delays)).isEqualTo(nanos(1, 2));
  }

  @Test
  void delaysWithReset_askedAllTheTime_beginAnewAllTheSame() {
    FakeClock clock = FakeClock.create();
    DelayFunction delays = nano().build().delaysWithReset(clock, NEVER, Duration.ofNanos(10));

    List<Duration> taken =
        IntStream.range(0, 14)
            .mapToObj(
                i -> {
                  clock.advance(Duration.ofNanos(2));
                  return delays.next();
                })
            .toList();

    // It begins again 12 and 24 nanoseconds after the start.
    assertThat(taken).isEqualTo(nanos(1, 2, 4, 8, 10, 1, 2, 4, 8, 10, 10, 1, 2, 4));
  }

  /**
   * Upstream: TestExponentialBackoffManagerGetNextBackoff and TestExponentialBackoffManagerReset.
   */
  @Test
  void delaysWithIdleReset_beginAnewAfterASilenceAlone() {
    FakeClock clock = FakeClock.create();
    DelayFunction delays =
        nano().steps(1).build().delaysWithIdleReset(clock, NEVER, Duration.ofNanos(10));

    for (Duration expected : nanos(1, 2, 4, 8, 10, 10, 10)) {
      clock.advance(Duration.ofNanos(10));
      assertThat(delays.next()).isEqualTo(expected);
    }
    clock.advance(Duration.ofNanos(11));
    assertThat(take(2, delays)).isEqualTo(nanos(1, 2));
  }

  /** Upstream: TestBackoffDelayWithResetEmpty. */
  @Test
  void delaysWithReset_noInterval_neverGrow() {
    FakeClock clock = FakeClock.create();
    DelayFunction delays = nano().build().delaysWithReset(clock, NEVER, Duration.ZERO);

    assertThat(take(7, delays)).isEqualTo(nanos(1, 1, 1, 1, 1, 1, 1));
    clock.advance(Duration.ofNanos(11));
    assertThat(delays.next()).isEqualTo(Duration.ofNanos(1));
  }

  /** Upstream: TestBackoffDelayWithResetJitter, TestJitterUntilNegativeFactor. */
  @Test
  void delaysWithReset_jitter_isAddedIfPositive() {
    FakeClock clock = FakeClock.create();

    assertThat(
            take(
                20,
                second().jitter(1).build().delaysWithReset(clock, new Random(1), Duration.ZERO)))
        .allMatch(delay -> delay.compareTo(SECOND) >= 0 && delay.compareTo(seconds(2).get(0)) < 0)
        .doesNotHaveDuplicates();
    assertThat(second().jitter(-1).build().delaysWithReset(clock, NEVER, Duration.ZERO).next())
        .isEqualTo(SECOND);
  }

  @Test
  void jitter_factorOfZeroOrLess_isOne() {
    Random random = new Random(1);

    for (double factor : new double[] {0, -3, 1}) {
      assertThat(Stream.generate(() -> Backoff.jitter(SECOND, factor, random)).limit(200))
          .allMatch(d -> d.compareTo(SECOND) >= 0 && d.compareTo(Duration.ofSeconds(2)) < 0)
          .anyMatch(d -> d.compareTo(Duration.ofMillis(1900)) > 0);
    }
  }

  @Test
  void builder_negativeValues_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Backoff.builder(Duration.ofNanos(-1)))
        .withMessage("the duration of a backoff is negative: PT-0.000000001S");
    assertThatIllegalArgumentException().isThrownBy(() -> second().cap(Duration.ofNanos(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> second().factor(-0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> second().factor(Double.NaN));
  }

  @Test
  void equals_sameValues() {
    Backoff backoff = second().factor(2).jitter(0.5).steps(3).cap(SECOND).build();

    assertThat(backoff.toBuilder().build()).isEqualTo(backoff).hasSameHashCodeAs(backoff);
    assertThat(backoff.toBuilder().steps(4).build()).isNotEqualTo(backoff);
    assertThat(backoff)
        .hasToString("Backoff[duration=PT1S, factor=2.0, jitter=0.5, steps=3, cap=PT1S]");
  }
}
