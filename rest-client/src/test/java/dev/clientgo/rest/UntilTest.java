package dev.clientgo.rest;

import static dev.clientgo.rest.ScriptedWatches.added;
import static dev.clientgo.rest.ScriptedWatches.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits for a condition on the events of a watch (tools/watch/until_test.go). */
@Timeout(300)
final class UntilTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final FakeClock clock = FakeClock.create();
  private final ScriptedWatches watches = new ScriptedWatches();

  private static Until.Condition<Unstructured> isAdded() {
    return event -> event instanceof WatchEvent.Added;
  }

  private static Until.Condition<Unstructured> isModified() {
    return event -> event instanceof WatchEvent.Modified;
  }

  private WatchEvent<Unstructured> until(List<Until.Condition<Unstructured>> conditions)
      throws Exception {
    Watch<Unstructured> watch = watches.watch(ListOptions.NONE);
    return Until.withoutRetry(watch, MINUTE, conditions, clock);
  }

  /** TestUntil. */
  @Test
  void conditions_areMetOneAfterTheOther() throws Exception {
    WatchEvent<Unstructured> modified = new WatchEvent.Modified<>(object("2"));
    watches.then(added("1"), modified);

    assertThat(until(List.of(isAdded(), isModified()))).isEqualTo(modified);
  }

  /** TestUntilMultipleConditions. */
  @Test
  void oneEvent_mayMeetSeveralConditions() throws Exception {
    watches.then(added("1"));

    assertThat(until(List.of(isAdded(), isAdded()))).isEqualTo(added("1"));
  }

  /** TestUntilMultipleConditionsFail. */
  @Test
  void conditionNeverMet_isATimeout() throws Exception {
    TestThread<WatchEvent<Unstructured>> waiting =
        TestThread.start(() -> until(List.of(isAdded())));
    clock.awaitWaiters(1);

    clock.advance(MINUTE);

    assertThat(waiting.failure())
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("there was no event");
  }

  /** The ErrWatchClosed of UntilWithoutRetry. */
  @Test
  void watchThatEnds_isAnError() {
    watches.then(added("1"));

    assertThatThrownBy(() -> until(List.of(isModified())))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining("the watch ended")
        .hasMessageContaining("Added");
  }

  /** TestUntilErrorCondition. */
  @Test
  void conditionThatThrows_endsTheWait() {
    watches.then(added("1"));

    assertThatThrownBy(
            () ->
                until(
                    List.of(
                        event -> {
                          throw new ArithmeticException("mine");
                        })))
        .isInstanceOf(ArithmeticException.class);
  }

  /** An Error is the caller's, too, and the watch does not stay open behind it. */
  @Test
  void conditionThatThrowsAnError_endsTheWatch() {
    AtomicInteger closed = new AtomicInteger();
    Watch<Unstructured> watch =
        new Watch<>() {
          @Override
          public Optional<WatchEvent<Unstructured>> next() {
            return Optional.of(added("1"));
          }

          @Override
          public void close() {
            closed.incrementAndGet();
          }
        };

    assertThatThrownBy(
            () ->
                Until.withoutRetry(
                    watch,
                    MINUTE,
                    List.of(
                        event -> {
                          throw new NoClassDefFoundError("com/example/Missing");
                        }),
                    clock))
        .isInstanceOf(NoClassDefFoundError.class);
    assertThat(closed).hasPositiveValue();
  }

  @Test
  void noCondition_isRefused() {
    assertThatThrownBy(() -> until(List.of())).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void until_survivesTheEndOfAWatch() throws Exception {
    watches.then(added("2"));
    ListOptions since = ListOptions.builder().resourceVersion("1").build();

    assertThat(Until.until(since, watches, MINUTE, List.of(isAdded()))).isEqualTo(added("2"));
  }
}
