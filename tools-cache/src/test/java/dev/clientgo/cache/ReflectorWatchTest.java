package dev.clientgo.cache;

import static dev.clientgo.cache.ReflectorFixture.ANY;
import static dev.clientgo.cache.ReflectorFixture.LONG;
import static dev.clientgo.cache.ReflectorFixture.added;
import static dev.clientgo.cache.ReflectorFixture.bookmark;
import static dev.clientgo.cache.ReflectorFixture.failed;
import static dev.clientgo.cache.ReflectorFixture.forbidden;
import static dev.clientgo.cache.ReflectorFixture.internalError;
import static dev.clientgo.cache.ReflectorFixture.listFrom;
import static dev.clientgo.cache.ReflectorFixture.modified;
import static dev.clientgo.cache.ReflectorFixture.pod;
import static dev.clientgo.cache.ReflectorFixture.refused;
import static dev.clientgo.cache.ReflectorFixture.tooManyRequests;
import static dev.clientgo.cache.ReflectorFixture.watchFrom;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.cache.ScriptedSource.Step;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The state WATCHING: when the Reflector opens another watch, and when it lists. */
final class ReflectorWatchTest {

  private static final String TOO_LARGE = "Timeout: Too large resource version: 9, current: 2";

  private final ReflectorFixture fixture = new ReflectorFixture();
  private final ScriptedSource source = fixture.source;

  /** The timeout of a watch is random, between the minimum and twice that (TestWatchTimeout). */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5 * 60, 30 * 60})
  void watch_asksForTimeoutBetweenMinimumAndTwice(int minimum) {
    fixture.options = options -> options.minWatchTimeout(Duration.ofSeconds(minimum));
    source.list("1");
    for (int i = 0; i < 20; i++) {
      source.watch(fixture.wait(LONG));
    }

    fixture.run();

    Duration least = Duration.ofSeconds(Math.max(minimum, 300));
    assertThat(source.options().subList(1, 21))
        .allSatisfy(
            options -> assertThat(options.timeout()).isBetween(least, least.multipliedBy(2)))
        .extracting(options -> options.timeout())
        .satisfies(timeouts -> assertThat(new HashSet<>(timeouts)).hasSizeGreaterThan(10));
  }

  /**
   * After two 429s there are two waits and no list (TestNoRelistOnTooManyRequests,
   * TestBackoffOnTooManyRequests).
   */
  @Test
  void watch_tooManyRequests_isOpenedAgainAfterDelay() {
    source
        .list("10")
        .fail(tooManyRequests())
        .watch(added("a", "11"), failed(tooManyRequests()))
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("10"), watchFrom("10"), watchFrom("11"));
    assertThat(fixture.clock.sleeps()).hasSize(2);
    assertThat(fixture.errors).isEmpty();
  }

  /**
   * The waits for a server that refuses connections grow
   * (TestReflectorListAndWatchInitConnBackoff).
   */
  @Test
  void watch_connectionRefused_isOpenedAgainAfterGrowingDelays() {
    source.list("1");
    for (int i = 0; i < 6; i++) {
      source.fail(refused());
    }
    source.watch(Step.over());

    fixture.run();

    assertThat(source.requests()).hasSize(8).endsWith(watchFrom("1"));
    long[] atLeast = {800, 1600, 3200, 6400, 12800, 25600};
    List<Duration> sleeps = fixture.clock.sleeps();
    for (int i = 0; i < atLeast.length; i++) {
      assertThat(sleeps.get(i).toMillis()).as("delay " + i).isBetween(atLeast[i], 2 * atLeast[i]);
    }
  }

  /** The reflector uses the backoff of its options (TestNewReflectorWithCustomBackoff). */
  @Test
  void customBackoff_isUsed() {
    Backoff backoff =
        Backoff.builder(Duration.ofMillis(10))
            .factor(2)
            .steps(100)
            .cap(Duration.ofMillis(100))
            .build();
    fixture.options = options -> options.backoff(backoff);
    source.list("1");
    for (int i = 0; i < 5; i++) {
      source.fail(refused());
    }
    source.watch(Step.over());

    fixture.run();

    assertThat(fixture.clock.sleeps())
        .extracting(Duration::toMillis)
        .containsExactly(10L, 20L, 40L, 80L, 100L);
  }

  @Test
  void watch_connectionLost_isOpenedAgain() {
    TransportException lost =
        new TransportException(TransportException.Kind.CONNECTION_LOST, "reset", null);
    source.list("1").watch(added("a", "2"), fixture.wait(LONG), failed(lost)).watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(ANY, watchFrom("1"), watchFrom("2"));
    assertThat(fixture.clock.sleeps()).isEmpty();
  }

  static Stream<Arguments> internalErrorRetries() {
    return Stream.of(
        argumentSet("none", Duration.ZERO, -1, 0),
        argumentSet("30 s", Duration.ofSeconds(30), -1, 31),
        argumentSet("30 s, and a quiet minute", Duration.ofSeconds(30), 9, 40));
  }

  /**
   * Internal errors are retried for the configured time. Each attempt takes a second; during one of
   * them, a minute passes (TestRetryInternalError).
   */
  @ParameterizedTest
  @MethodSource("internalErrorRetries")
  void watch_internalErrors_areRetriedForSomeTime(Duration longest, int quietAt, int retries) {
    fixture.options = options -> options.maxInternalErrorRetryDuration(longest);
    source.list("1");
    for (int i = 0; i <= retries; i++) {
      Duration age = Duration.ofSeconds(i == quietAt ? 61 : 1);
      source.watch(fixture.wait(age), failed(internalError()));
    }
    source.list("2");

    fixture.run();

    assertThat(source.requests()).hasSize(retries + 3).endsWith(listFrom("1"));
  }

  /**
   * If a watch ends at once without an event, the reflector lists
   * (TestReflectorHandleWatchResultChanClosedBefore).
   */
  @Test
  void watch_endsAtOnceWithoutEvent_listsAnew() {
    source.list("1").watch().list("2");

    fixture.run();

    assertThat(source.requests()).containsExactly(ANY, watchFrom("1"), listFrom("1"));
    assertThat(fixture.errors).singleElement().isInstanceOf(TransportException.class);
  }

  @Test
  void watch_endsSoonWithEvents_isOpenedAgainAfterDelay() {
    source.list("1");
    for (int i = 2; i < 6; i++) {
      source.watch(bookmark(Integer.toString(i)));
    }

    fixture.run();

    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("1"), watchFrom("2"), watchFrom("3"), watchFrom("4"));
    assertThat(fixture.clock.sleeps()).hasSize(4);
  }

  /** The first objects of a watch come in no order of versions, so no watch may resume at one. */
  @Test
  void watch_beginsWithObjects_versionCountsBehindThem() {
    source
        .list("0")
        .watch(added("a", "9"), added("b", "5"), fixture.wait(LONG))
        .watch(
            added("a", "9"),
            added("b", "5"),
            modified("b", "10"),
            added("c", "11"),
            fixture.wait(LONG))
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("0"), watchFrom("0"), watchFrom("11"));
  }

  @Test
  void watch_silentLongAfterItsTimeout_isEndedAndOpenedAgain() {
    source
        .list("1")
        .watch(fixture.wait(Duration.ofMinutes(12)), added("late", "9"))
        .list("1") // To see whether the version is there.
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .hasSize(4)
        .startsWith(ANY, watchFrom("1"))
        .endsWith(watchFrom("1"));
    assertThat(fixture.recorded.calls).containsExactly("replace 1 []");
  }

  /**
   * After a restore of etcd, the server accepts a watch from a future version and sends nothing.
   */
  @Test
  void watch_silentForMinutesAndVersionIsNotThere_readsCollectionAnew() {
    source
        .list("9", pod("a", "9"), pod("b", "8"))
        .watch(fixture.wait(Duration.ofMinutes(6)))
        .fail(FakeServer.error(StatusReason.TIMEOUT, 504, TOO_LARGE))
        .list("2", pod("b", "2"))
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .containsExactly(
            ANY,
            watchFrom("9"),
            "LIST {resourceVersion=9, resourceVersionMatch=NotOlderThan, limit=1}",
            "LIST {limit=500}",
            watchFrom("2"));
    assertThat(fixture.errors).singleElement().asString().contains(TOO_LARGE);
    assertThat(fixture.stored()).containsExactly("b@2");
  }

  @Test
  void watches_silentForMinutesInAllAndVersionIsThere_goOn() {
    Step aMinute = fixture.wait(Duration.ofMinutes(1));
    source.list("9");
    for (int i = 0; i < 5; i++) {
      source.watch(aMinute);
    }
    source.list("12", pod("a", "12")).watch(aMinute).watch(bookmark("13"), Step.over());

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(source.requests()).filteredOn(request -> request.startsWith("LIST")).hasSize(2);
    assertThat(source.requests().get(6)).startsWith("LIST {resourceVersion=9, ");
    assertThat(fixture.recorded.calls).containsExactly("replace 9 []", "bookmark 13");
    assertThat(fixture.errors).isEmpty();
    assertThat(reflector.lastSyncResourceVersion()).isEqualTo("13");
  }

  /** A client may be allowed to stream and watch, but not to list. */
  @Test
  void watch_silentForMinutesAndVersionCannotBeAskedFor_goesOn() {
    source
        .list("9")
        .watch(fixture.wait(Duration.ofMinutes(6)))
        .fail(forbidden())
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests()).hasSize(4).endsWith(watchFrom("9"));
    assertThat(fixture.errors).isEmpty();
  }

  @Test
  void watch_activeLongAfterItsTimeout_goesOn() {
    source
        .list("1")
        .watch(
            Stream.concat(
                    Stream.iterate(2, i -> i + 1)
                        .limit(30)
                        .flatMap(
                            i ->
                                Stream.of(
                                    fixture.wait(Duration.ofSeconds(59)),
                                    bookmark(Integer.toString(i)))),
                    Stream.of(Step.over()))
                .toArray(Step[]::new));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(source.requests()).hasSize(2);
    assertThat(reflector.lastSyncResourceVersion()).isEqualTo("31");
  }
}
