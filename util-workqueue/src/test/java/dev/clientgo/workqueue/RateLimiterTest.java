package dev.clientgo.workqueue;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RateLimiterTest {

  /** Upstream: TestItemExponentialFailureRateLimiter. */
  @Test
  void itemExponentialFailure_eachFailure_doublesTheDelay() {
    RateLimiter<String> limiter = RateLimiter.itemExponentialFailure(ofMillis(1), ofSeconds(1));

    assertThat(delays(limiter, "one", 5))
        .containsExactly(ofMillis(1), ofMillis(2), ofMillis(4), ofMillis(8), ofMillis(16));
    assertThat(limiter.numRequeues("one")).isEqualTo(5);

    assertThat(delays(limiter, "two", 2)).containsExactly(ofMillis(1), ofMillis(2));
    assertThat(limiter.numRequeues("two")).isEqualTo(2);

    limiter.forget("one");
    assertThat(limiter.numRequeues("one")).isZero();
    assertThat(limiter.delayFor("one")).isEqualTo(ofMillis(1));
  }

  /** Upstream: TestItemExponentialFailureRateLimiterOverFlow. */
  @Test
  void itemExponentialFailure_thousandFailures_givesTheMaximum() {
    RateLimiter<String> limiter = RateLimiter.itemExponentialFailure(ofMillis(1), ofSeconds(1000));
    delays(limiter, "one", 5);
    assertThat(limiter.delayFor("one")).isEqualTo(ofMillis(32));
    delays(limiter, "overflow1", 1000);
    assertThat(limiter.delayFor("overflow1")).isEqualTo(ofSeconds(1000));

    limiter = RateLimiter.itemExponentialFailure(ofMinutes(1), ofHours(1000));
    delays(limiter, "two", 2);
    assertThat(limiter.delayFor("two")).isEqualTo(ofMinutes(4));
    delays(limiter, "overflow2", 1000);
    assertThat(limiter.delayFor("overflow2")).isEqualTo(ofHours(1000));
  }

  /** A port of client-go fell back to 5 ms after failure number 64. */
  @Test
  void itemExponentialFailure_tenThousandFailures_neverFallsBack() {
    RateLimiter<String> limiter = RateLimiter.itemExponentialFailure(ofMillis(5), ofSeconds(1000));

    List<Duration> delays = delays(limiter, "a", 10_000);

    assertThat(delays).isSorted();
    assertThat(delays.subList(18, 10_000)).containsOnly(ofSeconds(1000));
    assertThat(delays.get(65 - 1)).isEqualTo(ofSeconds(1000));
    assertThat(delays.get(10_000 - 1)).isEqualTo(ofSeconds(1000));
  }

  @ParameterizedTest
  @CsvSource({
    // The largest base that may still be doubled, and the next.
    "4611686018427387903, 2, 9223372036854775806",
    "4611686018427387904, 2, 9223372036854775807",
    "1,                  63, 4611686018427387904",
    "1,                  64, 9223372036854775807",
    "0,                1000, 0",
    "9223372036854775807, 1, 9223372036854775807"
  })
  void itemExponentialFailure_atTheEdge_doesNotOverflow(long base, int failures, long expected) {
    RateLimiter<String> limiter =
        RateLimiter.itemExponentialFailure(ofNanos(base), ofNanos(Long.MAX_VALUE));

    List<Duration> delays = delays(limiter, "a", failures);

    assertThat(delays.get(failures - 1)).isEqualTo(ofNanos(expected));
  }

  @Test
  void itemExponentialFailure_baseBeyondTheMaximum_givesTheMaximum() {
    RateLimiter<String> limiter = RateLimiter.itemExponentialFailure(ofSeconds(2), ofSeconds(1));

    assertThat(limiter.delayFor("a")).isEqualTo(ofSeconds(1));
  }

  @Test
  void failures_asManyAsAnIntHolds_giveTheMaximum() {
    assertThat(RateLimiters.FailureCounts.oneMore(Integer.MAX_VALUE - 1))
        .isEqualTo(Integer.MAX_VALUE);
    assertThat(RateLimiters.FailureCounts.oneMore(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
    assertThat(RateLimiters.ItemExponentialFailure.doubled(5_000_000, Integer.MAX_VALUE - 1))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void failureCounts_itemsForgottenOrOnlyAskedFor_areNotHeld() {
    RateLimiters.FailureCounts<Integer> counts = new RateLimiters.FailureCounts<>();
    for (int i = 0; i < 10_000; i++) {
      counts.increment(i);
      counts.of(-i);
    }
    assertThat(counts.size()).isEqualTo(10_000);

    for (int i = 0; i < 10_000; i++) {
      counts.forget(i);
      counts.of(i);
    }

    assertThat(counts.size()).isZero();
  }

  /** Upstream: TestItemFastSlowRateLimiter. */
  @Test
  void itemFastSlow_afterTheFastAttempts_isSlow() {
    RateLimiter<String> limiter = RateLimiter.itemFastSlow(ofMillis(5), ofSeconds(10), 3);

    assertThat(delays(limiter, "one", 5))
        .containsExactly(ofMillis(5), ofMillis(5), ofMillis(5), ofSeconds(10), ofSeconds(10));
    assertThat(limiter.numRequeues("one")).isEqualTo(5);

    assertThat(delays(limiter, "two", 2)).containsOnly(ofMillis(5));
    assertThat(limiter.numRequeues("two")).isEqualTo(2);

    limiter.forget("one");
    assertThat(limiter.numRequeues("one")).isZero();
    assertThat(limiter.delayFor("one")).isEqualTo(ofMillis(5));
  }

  /** Upstream: TestMaxOfRateLimiter. */
  @Test
  void maxOf_several_takesTheWorst() {
    RateLimiter<String> limiter =
        RateLimiter.maxOf(
            List.of(
                RateLimiter.<String>itemFastSlow(ofMillis(5), ofSeconds(3), 3),
                RateLimiter.<String>itemExponentialFailure(ofMillis(1), ofSeconds(1))));

    assertThat(delays(limiter, "one", 5))
        .containsExactly(ofMillis(5), ofMillis(5), ofMillis(5), ofSeconds(3), ofSeconds(3));
    assertThat(limiter.numRequeues("one")).isEqualTo(5);

    assertThat(delays(limiter, "two", 2)).containsOnly(ofMillis(5));
    assertThat(limiter.numRequeues("two")).isEqualTo(2);

    limiter.forget("one");
    assertThat(limiter.numRequeues("one")).isZero();
    assertThat(limiter.delayFor("one")).isEqualTo(ofMillis(5));
  }

  @Test
  void maxOf_none_doesNotDelay() {
    RateLimiter<String> limiter = RateLimiter.maxOf(List.of());

    assertThat(limiter.delayFor("a")).isZero();
    assertThat(limiter.numRequeues("a")).isZero();
  }

  /** Upstream: TestWithMaxWaitRateLimiter. */
  @Test
  void withMaxWait_longerDelays_areCut() {
    RateLimiter<Integer> limiter =
        new StepRateLimiter(ofMillis(5), ofSeconds(1000), 100).withMaxWait(ofSeconds(500));

    Stream.iterate(0, i -> i < 100, i -> i + 1)
        .forEach(i -> assertThat(limiter.delayFor(i)).isEqualTo(ofMillis(5)));
    Stream.iterate(100, i -> i < 200, i -> i + 1)
        .forEach(i -> assertThat(limiter.delayFor(i)).isEqualTo(ofSeconds(500)));
  }

  @Test
  void withMaxWait_always_passesOnTheRest() {
    RateLimiter<String> inner = RateLimiter.itemExponentialFailure(ofMillis(1), ofSeconds(1));
    RateLimiter<String> limiter = inner.withMaxWait(ofMillis(2));

    assertThat(delays(limiter, "a", 4))
        .containsExactly(ofMillis(1), ofMillis(2), ofMillis(2), ofMillis(2));
    assertThat(limiter.numRequeues("a")).isEqualTo(4);
    limiter.forget("a");
    assertThat(inner.numRequeues("a")).isZero();
  }

  /* --------------- Token bucket --------------- */

  @Test
  void bucket_afterTheBurst_lendsTokensOneByOne() {
    RateLimiter<String> limiter = RateLimiter.bucket(10, 3, FakeClock.create());

    assertThat(delays(limiter, "a", 6))
        .containsExactly(ZERO, ZERO, ZERO, ofMillis(100), ofMillis(200), ofMillis(300));
    assertThat(limiter.numRequeues("a")).isZero();
    limiter.forget("a");
    assertThat(limiter.delayFor("b")).isEqualTo(ofMillis(400));
  }

  @Test
  void bucket_timePasses_isFilledUpToTheBurst() {
    FakeClock clock = FakeClock.create();
    RateLimiter<String> limiter = RateLimiter.bucket(10, 3, clock);
    delays(limiter, "a", 5);

    clock.advance(ofMillis(200)); // The borrowed tokens have been paid back.
    assertThat(limiter.delayFor("a")).isEqualTo(ofMillis(100));
    clock.advance(ofHours(1));
    assertThat(delays(limiter, "a", 4)).containsExactly(ZERO, ZERO, ZERO, ofMillis(100));
  }

  @Test
  void bucket_verySlow_doesNotOverflow() {
    RateLimiter<String> limiter = RateLimiter.bucket(1e-300, 1, FakeClock.create());

    assertThat(delays(limiter, "a", 3))
        .containsExactly(ZERO, ofNanos(Long.MAX_VALUE), ofNanos(Long.MAX_VALUE));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void bucket_rateThatIsNone_isRefused(double qps) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RateLimiter.bucket(qps, 1))
        .withMessageContaining("a positive rate");
  }

  @Test
  void limiters_badNumbers_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> RateLimiter.bucket(1, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RateLimiter.itemExponentialFailure(ofMillis(-1), ofMillis(1)))
        .withMessage("baseDelay must not be negative: PT-0.001S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RateLimiter.itemExponentialFailure(ofMillis(1), ofMillis(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RateLimiter.itemFastSlow(ofMillis(-1), ofMillis(1), 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RateLimiter.itemFastSlow(ofMillis(1), ofMillis(1), -1));
  }

  /* --------------- The defaults, with their exact numbers --------------- */

  @Test
  void defaultController_oneItem_backsOffFrom5MillisecondsTo1000Seconds() {
    RateLimiter<String> limiter = RateLimiter.defaultController(FakeClock.create());

    List<Duration> delays = delays(limiter, "a", 30);

    for (int i = 0; i < 18; i++) {
      assertThat(delays.get(i)).isEqualTo(ofMillis(5L << i));
    }
    assertThat(delays.subList(18, 30)).containsOnly(ofSeconds(1000));
  }

  @Test
  void defaultController_manyItems_areLetThroughTenASecondAfterABurstOf100() {
    RateLimiter<Integer> limiter = RateLimiter.defaultController(FakeClock.create());

    List<Duration> delays = new ArrayList<>();
    for (int i = 0; i < 110; i++) {
      delays.add(limiter.delayFor(i));
    }

    assertThat(delays.subList(0, 100)).containsOnly(ofMillis(5));
    for (int i = 100; i < 110; i++) {
      assertThat(delays.get(i)).isEqualTo(ofMillis(100L * (i - 99)));
    }
  }

  @Test
  void defaultItemBased_oneItem_backsOffFrom1MillisecondTo1000Seconds() {
    List<Duration> delays = delays(RateLimiter.<String>defaultItemBased(), "a", 30);

    for (int i = 0; i < 20; i++) {
      assertThat(delays.get(i)).isEqualTo(ofMillis(1L << i));
    }
    assertThat(delays.subList(20, 30)).containsOnly(ofSeconds(1000));
  }

  private static <T> List<Duration> delays(RateLimiter<T> limiter, T item, int failures) {
    return Stream.generate(() -> limiter.delayFor(item)).limit(failures).toList();
  }

  /** Upstream: StepRateLimiter. */
  private static final class StepRateLimiter implements RateLimiter<Integer> {
    private final Duration baseDelay;
    private final Duration maxDelay;
    private final int threshold;
    private int count;

    StepRateLimiter(Duration baseDelay, Duration maxDelay, int threshold) {
      this.baseDelay = baseDelay;
      this.maxDelay = maxDelay;
      this.threshold = threshold;
    }

    @Override
    public Duration delayFor(Integer item) {
      return ++count <= threshold ? baseDelay : maxDelay;
    }

    @Override
    public void forget(Integer item) {}

    @Override
    public int numRequeues(Integer item) {
      return 0;
    }
  }
}
