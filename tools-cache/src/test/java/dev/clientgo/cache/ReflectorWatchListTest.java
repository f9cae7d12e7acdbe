package dev.clientgo.cache;

import static dev.clientgo.cache.ReflectorFixture.added;
import static dev.clientgo.cache.ReflectorFixture.bookmark;
import static dev.clientgo.cache.ReflectorFixture.deleted;
import static dev.clientgo.cache.ReflectorFixture.expired;
import static dev.clientgo.cache.ReflectorFixture.failed;
import static dev.clientgo.cache.ReflectorFixture.forbidden;
import static dev.clientgo.cache.ReflectorFixture.initialEventsEnd;
import static dev.clientgo.cache.ReflectorFixture.internalError;
import static dev.clientgo.cache.ReflectorFixture.modified;
import static dev.clientgo.cache.ReflectorFixture.pod;
import static dev.clientgo.cache.ReflectorFixture.refused;
import static dev.clientgo.cache.ReflectorFixture.tooManyRequests;
import static dev.clientgo.cache.ReflectorFixture.undecodable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.ScriptedSource.Step;
import dev.clientgo.testing.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The streaming list: the initial state as the first events of a watch. The cases named "scenario"
 * are those of client-go's TestWatchList.
 */
final class ReflectorWatchListTest {

  private static final SimpleFormatter FORMATTER = new SimpleFormatter();
  private static final Duration LONG = Duration.ofSeconds(2);
  private static final String STREAM =
      "WATCH {allowWatchBookmarks=true, resourceVersionMatch=NotOlderThan, sendInitialEvents=true}";
  private static final String ANY = "LIST {resourceVersion=0, limit=500}";

  private final ReflectorFixture fixture = new ReflectorFixture();
  private final ScriptedSource source = fixture.source;

  @BeforeEach
  void supportStreaming() {
    source.streaming();
  }

  private static String streamFrom(String version) {
    return STREAM.replace("true, resourceV", "true, resourceVersion=" + version + ", resourceV");
  }

  private static String watchFrom(String version) {
    return "WATCH {allowWatchBookmarks=true, resourceVersion=" + version + "}";
  }

  // ---- the stream that works

  /**
   * After the bookmark the reflector is synced, and the same stream continues as the watch
   * (scenario of TestWatchList: "the reflector is synced after the bookmark").
   */
  @Test
  void bookmark_completesStateAndStreamGoesOn() {
    source.watch(
        added("p1", "1"), added("p2", "2"), initialEventsEnd("2"), added("p3", "3"), Step.over());

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(source.requests()).containsExactly(STREAM);
    assertThat(source.options().get(0).timeout())
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
    assertThat(fixture.recorded.calls).containsExactly("replace 2 [p1@1, p2@2]", "add p3@3");
    assertThat(reflector.lastSyncResourceVersion()).isEqualTo("3");
    assertThat(fixture.clock.sleeps()).isEmpty();
  }

  /**
   * Without the bookmark, nothing reaches the store (scenario of TestWatchList;
   * TestWatchListResourceVersion).
   */
  @Test
  void noBookmark_nothingReachesTheStore() {
    source.watch(added("p1", "1"), Step.over());

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(fixture.recorded.calls).isEmpty();
    assertThat(reflector.lastSyncResourceVersion()).isEmpty();
  }

  /**
   * Only a bookmark with the initial-events-end annotation completes the state (scenario of
   * TestWatchList).
   */
  @Test
  void ordinaryBookmark_doesNotCompleteState() {
    source.watch(added("p1", "1"), bookmark("2"), added("p2", "2"), Step.over());

    fixture.run();

    assertThat(fixture.recorded.calls).isEmpty();
  }

  /** Updates and deletions during the stream are part of the result (scenario of TestWatchList). */
  @Test
  void changesBeforeBookmark_arePartOfState() {
    source.watch(
        added("p1", "1"),
        added("p2", "2"),
        modified("p1", "3"),
        added("p3", "4"),
        deleted("p3", "5"),
        initialEventsEnd("5"),
        Step.over());

    fixture.run();

    assertThat(fixture.recorded.calls).containsExactly("replace 5 [p1@3, p2@2]");
  }

  /** A stream that ends after the bookmark is followed by a watch (scenario of TestWatchList). */
  @Test
  void streamEndsAfterBookmark_isFollowedByWatch() {
    source
        .watch(added("p1", "1"), initialEventsEnd("2"), added("p3", "3"), fixture.wait(LONG))
        .watch(added("p4", "4"), Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, watchFrom("3"));
    assertThat(fixture.stored()).containsExactly("p1@1", "p3@3", "p4@4");
  }

  /**
   * If the version expires in an established watch, the round ends and the store stays (scenario of
   * TestWatchList).
   */
  @Test
  void versionExpiredAfterBookmark_streamsAnewFromKnownVersion() {
    source
        .watch(added("p1", "1"), initialEventsEnd("2"), added("p3", "3"), fixture.wait(LONG))
        .fail(expired())
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, watchFrom("3"), streamFrom("3"));
    assertThat(fixture.stored()).containsExactly("p1@1", "p3@3");
    assertThat(fixture.errors).hasSize(1);
  }

  @Test
  void relist_findsWhatChangedAndKeepsInstancesThatDidNot() {
    ApiObject first = pod("p1", "1");
    source
        .watch(
            Step.event(new WatchEvent.Added<>(first)),
            added("p2", "2"),
            initialEventsEnd("2"),
            failed(expired()))
        .watch(added("p1", "1"), added("p3", "3"), initialEventsEnd("4"), Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("p1@1", "p3@3");
    assertThat(fixture.store.getByKey("p1").get()).isSameAs(first);
  }

  @Test
  void undecodableObject_isReportedAndKeepsItsLastState() {
    source
        .watch(added("p1", "1"), initialEventsEnd("2"), failed(expired()))
        .watch(failed(undecodable("p1")), added("p2", "2"), initialEventsEnd("4"), Step.over());

    fixture.run();

    assertThat(fixture.recorded.calls)
        .containsExactly("replace 2 [p1@1]", "replace 4 [p2@2] and [p1]");
    assertThat(fixture.errors.get(1)).hasMessageContaining("in object p1");
  }

  // ---- the stream that is not to be used

  /**
   * If streaming is turned off, the reflector lists (scenario of TestWatchList;
   * TestNewReflectorWithDisablementWatchList).
   */
  @Test
  void turnedOff_listsAndWatches() {
    fixture.options = options -> options.useWatchList(false);
    source.list("1", pod("p1", "1")).watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(ANY, watchFrom("1"));
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        argumentSet("422, as of servers without the feature", FakeServer.error("Invalid", 422, "")),
        argumentSet("400", FakeServer.error("BadRequest", 400, "")),
        argumentSet("403, for a client that may list but not watch", forbidden()),
        argumentSet("404", FakeServer.error("NotFound", 404, "")),
        argumentSet("415", FakeServer.error("UnsupportedMediaType", 415, "")),
        argumentSet("500", internalError()),
        argumentSet(
            "a lost connection",
            new TransportException(TransportException.Kind.CONNECTION_LOST, "reset", null)));
  }

  /** If the server refuses the stream, the reflector lists at once (scenarios of TestWatchList). */
  @ParameterizedTest
  @MethodSource("refusals")
  void streamRefused_listsAtOnceAndDoesNotReport(KubernetesException refusal) {
    source.fail(refusal).list("1", pod("p1", "1")).watch(added("p2", "2"), Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, ANY, watchFrom("1"));
    assertThat(fixture.stored()).containsExactly("p1@1", "p2@2");
    assertThat(fixture.clock.sleeps()).isEmpty();
    assertThat(fixture.errors).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void streamFailsInTheMiddle_listsAtOnce(KubernetesException refusal) {
    source.watch(added("p1", "1"), failed(refusal)).list("1", pod("p1", "1")).watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, ANY, watchFrom("1"));
  }

  @Test
  void nextRound_triesToStreamAgain() {
    source
        .fail(forbidden())
        .list("1")
        .watch(failed(expired()))
        .watch(added("p1", "1"), initialEventsEnd("2"), Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, ANY, watchFrom("1"), streamFrom("1"));
  }

  // ---- the stream that is tried again

  /**
   * After a 429 or a refused connection, the reflector streams again (scenario of TestWatchList).
   */
  @Test
  void tooManyRequestsOrRefused_streamsAgainAfterDelay() {
    source
        .fail(tooManyRequests())
        .fail(refused())
        .watch(failed(tooManyRequests()))
        .watch(added("p1", "1"), initialEventsEnd("2"), Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, STREAM, STREAM, STREAM);
    assertThat(fixture.clock.sleeps()).hasSize(3);
    assertThat(fixture.stored()).containsExactly("p1@1");
  }

  /** The warning comes once a minute, although the reflector tries more often. */
  @Test
  void serverThatIsDownAtStart_isAWarningOnceAMinute() {
    for (int i = 0; i < 12; i++) {
      source.fail(refused());
    }
    source.watch(initialEventsEnd("1"), Step.over());
    List<String> warnings = new ArrayList<>();
    try (CapturedLog log = CapturedLog.of(Reflector.class)) {
      fixture.run();
      warnings.addAll(log.traces());
    }

    Duration asked = fixture.clock.sleeps().stream().reduce(Duration.ZERO, Duration::plus);
    assertThat(warnings)
        .hasSizeBetween(2, 1 + (int) asked.toMinutes())
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("WARNING Cannot read the collection for the first time yet")
                    .contains("reflector=reflector", "error=refused"));
  }

  @Test
  void serverThatIsNotThere_isNamedInTheLog() {
    List<String> lines = new ArrayList<>();
    Logger logger = Logger.getLogger(Reflector.class.getName());
    Filter before = logger.getFilter();
    Thread self = Thread.currentThread();
    logger.setFilter(
        line ->
            Thread.currentThread() != self
                || lines.add(line.getLevel() + " " + FORMATTER.formatMessage(line)));
    try {
      source.fail(refused()).watch(initialEventsEnd("1"), failed(tooManyRequests()));
      source.fail(refused()).watch(Step.over());
      fixture.run();
    } finally {
      logger.setFilter(before);
    }

    assertThat(fixture.errors).isEmpty();
    assertThat(lines)
        .hasSize(3)
        .satisfiesExactly(
            first -> assertThat(first).startsWith("WARNING Cannot read the collection for the"),
            second -> assertThat(second).startsWith("INFO The server takes no watch now and is"),
            third -> assertThat(third).startsWith("INFO The server takes no watch now and is"));
    assertThat(lines.get(0)).endsWith(" error=refused");
  }

  /**
   * If a stream ends before the bookmark, the next one starts with an empty state (scenario of
   * TestWatchList).
   */
  @Test
  void streamEndsBeforeBookmark_streamsAgainAfterDelay() {
    source.watch(added("p0", "1")).watch(added("p1", "1"), initialEventsEnd("1"), Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, STREAM);
    assertThat(fixture.recorded.calls).containsExactly("replace 1 [p1@1]");
    assertThat(fixture.clock.sleeps()).hasSize(1);
  }

  @Test
  void streamAlwaysEndsBeforeBookmark_listsAfterThirdTime() {
    source
        .watch(added("p1", "1"))
        .watch(added("p1", "1"))
        .watch(added("p1", "1"))
        .list("1", pod("p1", "1"))
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, STREAM, STREAM, ANY, watchFrom("1"));
    assertThat(fixture.clock.sleeps()).hasSize(2);
  }

  @Test
  void streamEndsAtOnceWithoutEvent_lists() {
    source.watch().list("1").watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, ANY, watchFrom("1"));
  }

  @Test
  void knownVersionExpired_streamsMostRecentState() {
    source
        .watch(initialEventsEnd("2"), failed(expired()))
        .fail(expired())
        .watch(added("p1", "8"), initialEventsEnd("9"), failed(expired()))
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, streamFrom("2"), STREAM, streamFrom("9"));
  }

  @Test
  void mostRecentStateExpired_listsInsteadOfSpinning() {
    source.fail(expired()).fail(expired()).list("1").watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .containsExactly(STREAM, STREAM, "LIST {limit=500}", watchFrom("1"));
  }

  // ---- the stream that never ends its initial events

  /**
   * If the stream is silent, the reflector lists; client-go only warns
   * (TestInitialEventsEndBookmarkTicker).
   */
  @Test
  void silenceBeforeBookmark_listsAfterTenSeconds() {
    source
        .watch(
            fixture.wait(Duration.ofSeconds(9)),
            added("p1", "1"),
            fixture.wait(Duration.ofSeconds(9)),
            added("p2", "1"),
            fixture.wait(Duration.ofSeconds(10)),
            initialEventsEnd("1"))
        .list("1", pod("p1", "1"))
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM, ANY, watchFrom("1"));
    assertThat(fixture.stored()).containsExactly("p1@1");
  }

  @Test
  void silenceBefore_isRememberedAndNotWaitedForAgain() {
    source
        .watch(fixture.wait(Duration.ofSeconds(10)))
        .list("1")
        .watch(failed(expired()))
        .watch(fixture.wait(Duration.ofSeconds(1)), initialEventsEnd("2"))
        .list("2")
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .containsExactly(
            STREAM,
            ANY,
            watchFrom("1"),
            streamFrom("1"),
            "LIST {resourceVersion=1}",
            watchFrom("2"));
  }

  @Test
  void silenceOnceButBookmarkNow_isForgotten() {
    source
        .watch(fixture.wait(Duration.ofSeconds(10)))
        .list("1")
        .watch(failed(expired()))
        .watch(initialEventsEnd("2"), failed(expired()))
        .watch(fixture.wait(Duration.ofSeconds(9)), initialEventsEnd("3"), Step.over());

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(reflector.lastSyncResourceVersion()).isEqualTo("3");
  }

  @Test
  void silenceAfterBookmark_isNormal() {
    source.watch(
        initialEventsEnd("2"), fixture.wait(Duration.ofMinutes(4)), added("p1", "3"), Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM);
    assertThat(fixture.stored()).containsExactly("p1@3");
  }

  /** While a store is filled that needs longer for it, nothing is read, which is no silence. */
  @Test
  void fillingOfStoreAfterBookmark_isNoSilence() {
    fixture.recorded.beforeReplace = () -> fixture.clock.advance(Duration.ofMinutes(4));
    source.watch(initialEventsEnd("2"), added("p1", "3"), Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM);
    assertThat(fixture.stored()).containsExactly("p1@3");
  }

  @Test
  void initialEventsTimeout_canBeSet() {
    fixture.options = options -> options.initialEventsTimeout(Duration.ofMinutes(1));
    source.watch(fixture.wait(Duration.ofSeconds(59)), initialEventsEnd("2"), Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(STREAM);
  }
}
