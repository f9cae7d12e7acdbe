package dev.clientgo.cache;

import static dev.clientgo.cache.ReflectorFixture.added;
import static dev.clientgo.cache.ReflectorFixture.bookmark;
import static dev.clientgo.cache.ReflectorFixture.deleted;
import static dev.clientgo.cache.ReflectorFixture.expired;
import static dev.clientgo.cache.ReflectorFixture.failed;
import static dev.clientgo.cache.ReflectorFixture.forbidden;
import static dev.clientgo.cache.ReflectorFixture.internalError;
import static dev.clientgo.cache.ReflectorFixture.modified;
import static dev.clientgo.cache.ReflectorFixture.pod;
import static dev.clientgo.cache.ReflectorFixture.refused;
import static dev.clientgo.cache.ReflectorFixture.tooManyRequests;
import static dev.clientgo.cache.ReflectorFixture.undecodable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.CauseType;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Status;
import dev.clientgo.apimachinery.meta.StatusCause;
import dev.clientgo.apimachinery.meta.StatusDetails;
import dev.clientgo.apimachinery.meta.StatusReason;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.cache.ScriptedSource.Step;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** LIST and WATCH. The streaming list has a test of its own. */
final class ReflectorTest {

  private static final Duration LONG = Duration.ofSeconds(2);
  private static final String ANY = "LIST {resourceVersion=0, limit=500}";

  private final ReflectorFixture fixture = new ReflectorFixture();
  private final ScriptedSource source = fixture.source;

  private static String listFrom(String version) {
    return "LIST {resourceVersion=" + version + "}";
  }

  private static String watchFrom(String version) {
    return "WATCH {allowWatchBookmarks=true, resourceVersion=" + version + "}";
  }

  // ---- the whole way

  /** TestReflectorListAndWatch, TestReflectorWatchHandler. */
  @Test
  void listAndWatch_bringsStoreToServerState() {
    source
        .list("10", pod("a", "9"), pod("b", "10"))
        .watch(
            added("c", "11"), modified("a", "12"), deleted("b", "13"), bookmark("20"), Step.over());

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(source.requests()).containsExactly(ANY, watchFrom("10"));
    assertThat(fixture.recorded.calls)
        .containsExactly(
            "replace 10 [a@9, b@10]", "add c@11", "update a@12", "delete b@13", "bookmark 20");
    assertThat(fixture.stored()).containsExactly("a@12", "c@11");
    assertThat(reflector.lastSyncResourceVersion()).isEqualTo("20");
    assertThat(reflector.state()).isEqualTo(Reflector.State.STOPPED);
    assertThat(fixture.errors).isEmpty();
  }

  /** TestReflectorResourceVersionUpdate: each kind of event moves the version. */
  @Test
  void watchEnded_goesOnBehindLastEvent() {
    source
        .list("10")
        .watch(added("a", "20"), fixture.wait(LONG))
        .watch(modified("a", "30"), fixture.wait(LONG))
        .watch(bookmark("40"), fixture.wait(LONG))
        .watch(deleted("a", "50"), fixture.wait(LONG));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("10"), watchFrom("20"), watchFrom("30"), watchFrom("40"));
    assertThat(reflector.lastSyncResourceVersion()).isEqualTo("50");
    assertThat(fixture.clock.sleeps()).isEmpty();
  }

  /** TestReflectorListAndWatchWithErrors: the store equals the server after each round. */
  @Test
  void errors_endRoundAreReportedAndFollowedByList() {
    RuntimeException listError = new IllegalStateException("a list error");
    RuntimeException watchError = new IllegalStateException("a watch error");
    source
        .list("1")
        .watch(added("foo", "2"), added("bar", "3"), failed(expired()))
        .list("3", pod("foo", "2"), pod("bar", "3"))
        .watch(deleted("foo", "4"), added("qux", "5"), failed(expired()))
        .fail(listError)
        .list("5", pod("bar", "3"), pod("qux", "5"))
        .fail(watchError)
        .list("5", pod("bar", "3"), pod("qux", "5"))
        .watch(added("baz", "6"), Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("bar@3", "baz@6", "qux@5");
    assertThat(fixture.errors).hasSize(4).contains(listError, watchError);
    assertThat(fixture.clock.sleeps()).hasSize(4);
  }

  /** TestReflectorReplacesStoreOnUnsafeDelete. */
  @Test
  void storageReadErrorInWatch_listsAndFindsDeletion() {
    source
        .list("1", pod("corrupt", "1"), pod("fine", "1"))
        .watch(failed(FakeServer.error(StatusReason.STORE_READ_ERROR, 500, "deleted unread")))
        .list("3", pod("fine", "1"))
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("fine@1");
    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("1"), listFrom("1"), watchFrom("3"));
  }

  @Test
  void run_afterInterruption_goesOnFromKnownVersion() {
    source.list("10").watch(Step.over()).list("20");

    Reflector<ApiObject> reflector = fixture.run();
    assertThat(reflector.state()).isEqualTo(Reflector.State.STOPPED);
    assertThatThrownBy(reflector::run).isInstanceOf(InterruptedException.class);

    assertThat(source.requests()).containsExactly(ANY, watchFrom("10"), listFrom("10"));
  }

  // ---- which version to list

  /** TestReflectorResyncWithResourceVersion. */
  @Test
  void relist_asksForStateNotOlderThanKnown() {
    source.list("10", pod("a", "1")).watch(failed(expired())).list("11").watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("10"), listFrom("10"), watchFrom("11"));
  }

  /** TestReflectorExpiredExactResourceVersion. */
  @Test
  void relist_versionExpired_asksForMostRecentAtOnce() {
    source
        .list("10")
        .watch(failed(expired()))
        .fail(expired())
        .list("20")
        .watch(failed(expired()))
        .list("30");

    fixture.run();

    assertThat(source.requests())
        .containsExactly(
            ANY, watchFrom("10"), listFrom("10"), "LIST {}", watchFrom("20"), listFrom("20"));
    assertThat(fixture.clock.sleeps()).hasSize(2);
  }

  /** TestReflectorFullListIfExpired. */
  @Test
  void relist_pageExpired_listsAllAtOnce() {
    fixture.options = options -> options.watchListPageSize(4);
    source
        .page("10", null, pod("a", "1"))
        .watch(failed(expired()))
        .page("10", "C1", pod("a", "1"), pod("b", "2"), pod("c", "3"), pod("d", "4"))
        .fail(expired())
        .list("10", pod("e", "5"))
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests())
        .containsExactly(
            "LIST {resourceVersion=0, limit=4}",
            watchFrom("10"),
            "LIST {resourceVersion=10, limit=4}",
            "LIST {limit=4, continue=C1}",
            "LIST {resourceVersion=10}",
            watchFrom("10"));
    assertThat(fixture.stored()).containsExactly("e@5");
  }

  static Stream<Arguments> tooLargeErrors() {
    return Stream.of(
        argumentSet(
            "since 1.18.6",
            tooLarge("the server's words", CauseType.RESOURCE_VERSION_TOO_LARGE, "x")),
        argumentSet("since 1.17", tooLarge("Timeout: no luck", "", "Too large resource version")),
        argumentSet(
            "before", tooLarge("Timeout: Too large resource version: 30, current: 20", "", "")));
  }

  private static ApiStatusException tooLarge(String message, String cause, String causeMessage) {
    StatusCause details = StatusCause.builder().reason(cause).message(causeMessage).build();
    return new ApiStatusException(
        Status.builder()
            .reason(StatusReason.TIMEOUT)
            .code(504)
            .message(message)
            .details(StatusDetails.builder().causes(List.of(details)).build())
            .build());
  }

  /** TestReflectorFullListIfTooLarge. */
  @ParameterizedTest
  @MethodSource("tooLargeErrors")
  void relist_versionTooLarge_asksForMostRecentAtOnce(ApiStatusException tooLarge) {
    source
        .list("20")
        .watch(failed(expired()))
        .fail(tooLarge)
        .list("30")
        .watch(failed(expired()))
        .fail(tooLarge)
        .list("40");

    fixture.run();

    assertThat(source.requests().stream().filter(request -> request.startsWith("LIST")))
        .containsExactly(ANY, listFrom("20"), "LIST {}", listFrom("30"), "LIST {}");
  }

  @Test
  void relist_otherTimeout_isNotTakenForTooLarge() {
    source
        .list("20")
        .watch(failed(expired()))
        .fail(FakeServer.error(StatusReason.TIMEOUT, 504, "took too long"))
        .list("20");

    fixture.run();

    assertThat(source.requests()).endsWith(listFrom("20"), listFrom("20"));
  }

  // ---- pages

  /** TestReflectorWatchListPageSize: an explicit size holds for each version. */
  @Test
  void explicitPageSize_isUsedForAllLists() {
    fixture.options = options -> options.watchListPageSize(4);
    source
        .page("10", "C1", pod("a", "1"), pod("b", "2"), pod("c", "3"), pod("d", "4"))
        .page("10", null, pod("e", "5"))
        .watch(failed(expired()))
        .list("11");

    fixture.run();

    assertThat(source.requests())
        .containsExactly(
            "LIST {resourceVersion=0, limit=4}",
            "LIST {limit=4, continue=C1}",
            watchFrom("10"),
            "LIST {resourceVersion=10, limit=4}");
  }

  /** TestReflectorNotPaginatingNotConsistentReads. */
  @Test
  void relist_serverHasWatchCache_isNotPaginated() {
    source.list("10").watch(failed(expired())).list("11");

    fixture.run();

    assertThat(source.requests())
        .containsExactly(ANY, watchFrom("10"), "LIST {resourceVersion=10}");
  }

  /** TestReflectorPaginatingNonConsistentReadsIfWatchCacheDisabled. */
  @Test
  void relist_firstListWasPaginated_isPaginated() {
    source
        .page("10", "C1", pod("a", "1"))
        .page("10", null, pod("b", "2"))
        .watch(failed(expired()))
        .list("11");

    fixture.run();

    assertThat(fixture.recorded.calls.get(0)).isEqualTo("replace 10 [a@1, b@2]");
    assertThat(source.requests()).endsWith("LIST {resourceVersion=10, limit=500}");
  }

  // ---- when and how long to watch

  /** TestWatchTimeout. */
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

  /** TestNoRelistOnTooManyRequests, TestBackoffOnTooManyRequests: two delays, and no other list. */
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

  /** TestReflectorListAndWatchInitConnBackoff. */
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

  /** TestNewReflectorWithCustomBackoff. */
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

  /** TestRetryInternalError: attempts of one second each; at one of them, a minute goes by. */
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

  /** TestReflectorHandleWatchResultChanClosedBefore. */
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

  /** Objects that begin a watch come in no order of versions: none is a place to go on from. */
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
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(ANY, watchFrom("1"), watchFrom("1"));
    assertThat(fixture.recorded.calls).containsExactly("replace 1 []");
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

  // ---- resync

  /** TestReflectorResync: a failing resync ends the round. */
  @Test
  void resync_fails_endsRoundAndIsReported() {
    RuntimeException broken = new IllegalStateException("a resync error");
    fixture.settings = settings -> settings.resync(Duration.ofSeconds(10), () -> true);
    source
        .list("1")
        .watch(
            fixture.wait(Duration.ofSeconds(9)),
            Step.then(() -> fixture.recorded.calls.add("-")),
            fixture.wait(Duration.ofSeconds(1)),
            fixture.wait(Duration.ofSeconds(10)),
            Step.then(() -> fixture.recorded.resyncError = broken),
            fixture.wait(Duration.ofSeconds(10)),
            added("never", "2"))
        .list("3")
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.recorded.calls)
        .containsExactly("replace 1 []", "-", "resync", "resync", "resync", "replace 3 []");
    assertThat(fixture.errors).containsExactly(broken);
  }

  /** TestReflectorResyncChan. */
  @Test
  void resync_notDue_isSkipped() {
    boolean[] due = {false};
    fixture.settings = settings -> settings.resync(Duration.ofSeconds(10), () -> due[0]);
    source
        .list("1")
        .watch(
            fixture.wait(Duration.ofSeconds(10)),
            Step.then(() -> due[0] = true),
            fixture.wait(Duration.ofSeconds(10)),
            Step.over());

    fixture.run();

    assertThat(fixture.recorded.calls).containsExactly("replace 1 []", "resync");
  }

  @Test
  void resync_whileBackingOff_doesNotHappen() {
    fixture.settings = settings -> settings.resync(Duration.ofMillis(100), () -> true);
    source.list("1").watch(failed(forbidden())).list("2");

    fixture.run();

    assertThat(fixture.recorded.calls).containsExactly("replace 1 []", "replace 2 []");
  }

  // ---- objects that are not as they should be

  @Test
  void undecodableObjects_areReportedAndSkipped() {
    CodecException inList = undecodable("a");
    CodecException inWatch = undecodable("c");
    source
        .list(
            sink -> {
              sink.undecodable(inList);
              sink.accept(pod("b", "1"));
            },
            ListMeta.builder().resourceVersion("1").build())
        .watch(failed(inWatch), added("d", "3"), Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("b@1", "d@3");
    assertThat(fixture.errors).containsExactly(inList, inWatch);
    assertThat(source.requests()).hasSize(2);
  }

  @Test
  void objectBecomesUndecodable_keepsItsLastState() {
    source
        .list("1", pod("a", "1"), pod("b", "1"))
        .watch(failed(undecodable("a")), failed(expired()))
        .list(
            sink -> {
              sink.undecodable(undecodable("a"));
              sink.accept(pod("b", "3"));
            },
            ListMeta.builder().resourceVersion("3").build())
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("a@1", "b@3");
  }

  @Test
  void streamCannotBeUnderstood_listsAnew() {
    source
        .list("1")
        .watch(failed(CodecException.malformed("unexpected end", "", 99, null)))
        .list("2");

    fixture.run();

    assertThat(source.requests()).containsExactly(ANY, watchFrom("1"), listFrom("1"));
  }

  /** TestReflectorRespectStoreTransformer; here it is the Reflector that transforms. */
  @Test
  void transform_isAppliedOnceToEveryObject() {
    fixture.settings =
        settings -> settings.transform(object -> object.withLabel("seen", label(object) + "x"));
    source
        .list("1", pod("a", "1"))
        .watch(added("b", "2"), modified("a", "3"), deleted("b", "4"), Step.over());

    fixture.run();

    assertThat(fixture.store.list())
        .singleElement()
        .extracting(ReflectorTest::label)
        .isEqualTo("x");
  }

  private static String label(ApiObject object) {
    return Optional.ofNullable(object.metadata().labels())
        .map(labels -> labels.get("seen"))
        .orElse("");
  }

  @Test
  void transformFails_objectKeepsItsLastState() {
    RuntimeException broken = new IllegalStateException("cannot transform");
    fixture.settings =
        settings ->
            settings.transform(
                object -> {
                  if (object.metadata().resourceVersion().equals("3")) {
                    throw broken;
                  }
                  return object;
                });
    source
        .list("1", pod("a", "1"))
        .watch(modified("a", "3"), failed(expired()))
        .list("4", pod("a", "3"), pod("b", "4"))
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("a@1", "b@4");
    assertThat(fixture.errors).contains(broken);
    assertThat(source.requests()).endsWith(listFrom("3"), watchFrom("4"));
  }

  @Test
  void unchangedObjects_areNotHeldTwice() {
    ApiObject first = pod("a", "1");
    source
        .list("1", first, pod("b", "1"))
        .watch(failed(expired()))
        .list("5", pod("a", "1"), pod("b", "2"))
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.store.getByKey("a").get()).isSameAs(first);
    assertThat(fixture.stored()).containsExactly("a@1", "b@2");
  }

  @Test
  void recreatedObjectOfSameVersion_isNotTakenForTheOldOne() {
    ApiObject recreated = pod("a", "1").withUid("another");
    source
        .list("1", pod("a", "1"))
        .watch(failed(expired()))
        .list("5", recreated)
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.store.getByKey("a").get()).isSameAs(recreated);
  }

  /** TestReflectorWatchHandler and TestIsUnsupportedTableObject: another kind is skipped. */
  @Test
  void unexpectedKind_isReportedAndSkipped() {
    fixture.settings =
        settings -> settings.expectedKind(GroupVersionKind.fromApiVersionAndKind("v1", "Table"));
    source.list("1", pod("a", "1")).watch(added("b", "2"), Step.over());

    fixture.run();

    assertThat(fixture.stored()).isEmpty();
    assertThat(fixture.errors)
        .hasSize(2)
        .allSatisfy(
            error -> assertThat(error).hasMessageContaining("a Pod of v1 where a Table of v1"));
  }

  @Test
  void objectWithoutName_isReportedAndSkipped() {
    source.list("1", new ApiObject(ObjectMeta.EMPTY), pod("b", "1")).watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly("b@1");
    assertThat(fixture.errors).singleElement().isInstanceOf(KeyException.class);
  }

  @Test
  void watchErrorHandlerThrows_reflectorGoesOn() {
    fixture.settings =
        settings ->
            settings.watchErrorHandler(
                (reflector, error) -> {
                  throw new IllegalStateException("a broken handler");
                });
    source.fail(forbidden()).list("1").watch(Step.over());

    fixture.run();

    assertThat(source.requests()).containsExactly(ANY, ANY, watchFrom("1"));
  }
}
