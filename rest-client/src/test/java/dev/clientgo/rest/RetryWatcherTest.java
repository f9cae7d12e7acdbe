package dev.clientgo.rest;

import static dev.clientgo.rest.ScriptedWatches.added;
import static dev.clientgo.rest.ScriptedWatches.failed;
import static dev.clientgo.rest.ScriptedWatches.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.rest.internal.net.Timeouts;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TestRetryWatcher in tools/watch/retrywatcher_test.go, where no other is named. */
@Timeout(300)
final class RetryWatcherTest {

  private static final GroupResource THINGS = new GroupResource("", "things");
  private final TransportException lost =
      new TransportException(TransportException.Kind.CONNECTION_LOST, "lost", null);

  private final FakeClock clock = FakeClock.create();
  private final ScriptedWatches watches = new ScriptedWatches();
  private final RetryWatcher<Unstructured> watcher =
      RetryWatcher.create(
          ListOptions.builder().labelSelector("a=b").resourceVersion("1").build(), watches, clock);

  /** Takes an event for which one pause has to pass. */
  private Optional<WatchEvent<Unstructured>> nextAfter(Duration pause) throws Exception {
    TestThread<Optional<WatchEvent<Unstructured>>> next = TestThread.start(watcher::next);
    clock.awaitWaiters(1);
    int before = watches.opened().size();
    clock.advance(pause.minusNanos(1));
    assertThat(watches.opened()).hasSize(before);
    clock.advance(Duration.ofNanos(1));
    return next.result();
  }

  /** TestNewRetryWatcher. */
  @ParameterizedTest
  @ValueSource(strings = {"", "0"})
  void version_thatIsNone_isRefused(String version) {
    ListOptions options = ListOptions.builder().resourceVersion(version).build();

    assertThatThrownBy(() -> RetryWatcher.create(options, watches))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RetryWatcher.create(ListOptions.NONE, watches))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void endOfTheWatch_isSurvived_andNothingIsLost() throws Exception {
    watches.then(added("2"), added("3")).then(added("4"));

    assertThat(watcher.next()).contains(added("2"));
    assertThat(watcher.next()).contains(added("3"));
    assertThat(nextAfter(Duration.ofSeconds(1))).contains(added("4"));
    assertThat(watches.versions()).containsExactly("1", "3");
    assertThat(watches.opened())
        .allMatch(options -> options.allowWatchBookmarks())
        .allMatch(options -> "a=b".equals(options.labelSelector()));
  }

  @Test
  void bookmark_movesTheVersion_andIsNotHandedOn() throws Exception {
    watches.then(new WatchEvent.Bookmark<>("9", false)).then(added("10"));

    assertThat(nextAfter(Duration.ofSeconds(1))).contains(added("10"));
    assertThat(watches.versions()).containsExactly("1", "9");
  }

  @Test
  void deletedObject_movesTheVersion() throws Exception {
    watches.then(new WatchEvent.Deleted<>(object("5"))).then(added("6"));

    watcher.next();
    nextAfter(Duration.ofSeconds(1));
    assertThat(watches.versions()).containsExactly("1", "5");
  }

  @Test
  void openingThatFails_isTriedAgain() throws Exception {
    watches.thenFail(lost).then(added("2"));

    assertThat(nextAfter(Duration.ofSeconds(1))).contains(added("2"));
  }

  /** Nothing would ever come any more. */
  @Test
  void closedClient_isTheLastEvent() throws Exception {
    TransportException closed =
        new TransportException(TransportException.Kind.CLIENT_CLOSED, "closed", null);
    watches.then(added("2"), failed(closed)).thenFail(closed);

    assertThat(watcher.next()).contains(added("2"));
    assertThat(nextAfter(Duration.ofSeconds(1))).contains(failed(closed));
    assertThat(watcher.next()).isEmpty();
  }

  @Test
  void openingThatIsRefused_waitsAsLongAsTheServerSays() throws Exception {
    watches.thenFail(ApiStatusException.tooManyRequests("busy", 7)).then(added("2"));

    assertThat(nextAfter(Duration.ofSeconds(7))).contains(added("2"));
  }

  @Test
  void openingThatIsForbidden_isTheLastEvent() throws Exception {
    ApiStatusException forbidden = ApiStatusException.forbidden(THINGS, "", "no");
    watches.thenFail(forbidden);

    assertThat(watcher.next()).contains(failed(forbidden));
    assertThat(watcher.next()).isEmpty();
  }

  /** Unlike upstream, which asks for the same nonsense forever. */
  @ParameterizedTest
  @ValueSource(ints = {400, 405, 422})
  void openingThatIsNonsense_isTheLastEvent(int code) throws Exception {
    ApiStatusException nonsense =
        ApiStatusException.genericServerResponse(code, "get", THINGS, "", "no version", 0, true);
    watches.thenFail(nonsense);

    assertThat(watcher.next()).contains(failed(nonsense));
    assertThat(watcher.next()).isEmpty();
  }

  /** Its definition may be on its way. */
  @Test
  void openingOfWhatIsNotThere_isTriedAgain() throws Exception {
    watches.thenFail(ApiStatusException.notFound(THINGS, "")).then(added("2"));

    assertThat(nextAfter(Duration.ofSeconds(1))).contains(added("2"));
  }

  @Test
  void openingThatIsUnauthorized_isTheLastEvent() throws Exception {
    ApiStatusException unauthorized = ApiStatusException.unauthorized("who?");
    watches.thenFail(unauthorized);

    assertThat(watcher.next()).contains(failed(unauthorized));
    assertThat(watcher.next()).isEmpty();
  }

  @Test
  void forgottenVersion_isTheLastEvent() throws Exception {
    ApiStatusException expired = ApiStatusException.resourceExpired("too old");
    watches.then(added("2"), failed(expired), added("3"));

    assertThat(watcher.next()).contains(added("2"));
    assertThat(watcher.next()).contains(failed(expired));
    assertThat(watcher.next()).isEmpty();
  }

  @Test
  void forgottenVersion_whenOpening_isTheLastEvent() throws Exception {
    ApiStatusException gone = ApiStatusException.gone("too old");
    watches.thenFail(gone);

    assertThat(watcher.next()).contains(failed(gone));
    assertThat(watcher.next()).isEmpty();
  }

  /** Unlike upstream, which asks for the same version forever. */
  @Test
  void versionOfTheFuture_isTheLastEvent() throws Exception {
    ApiStatusException future = tooLarge();
    watches.then(added("2"), failed(future));

    assertThat(watcher.next()).contains(added("2"));
    assertThat(watcher.next()).contains(failed(future));
    assertThat(watcher.next()).isEmpty();
  }

  @Test
  void versionOfTheFuture_whenOpening_isTheLastEvent() throws Exception {
    ApiStatusException future = tooLarge();
    watches.thenFail(future);

    assertThat(watcher.next()).contains(failed(future));
    assertThat(watcher.next()).isEmpty();
  }

  private static ApiStatusException tooLarge() {
    return ApiStatusException.timeout("Too large resource version: 9, current: 3", 1);
  }

  /* --------------- After a restore of etcd --------------- */

  private static final String TOO_LARGE =
      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Timeout\","
          + "\"code\":504,\"message\":\"Too large resource version: 9, current: 3\","
          + "\"details\":{\"causes\":[{\"reason\":\"ResourceVersionTooLarge\"}]}}";

  /** A server takes a watch of a version that is yet to come, and is silent. */
  @Test
  void silence_ofAServerThatHasNotComeAsFar_isTheEnd() throws Exception {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1);
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      server.enqueue(TestServer.json(200, ""), TestServer.json(504, TOO_LARGE));
      RetryWatcher<Unstructured> following = follow(client);
      clock.advance(Duration.ofMinutes(5));

      assertThat(following.next().orElseThrow())
          .isInstanceOfSatisfying(
              WatchEvent.Failed.class,
              failed ->
                  assertThat(failed.error()).hasMessageContaining("Too large resource version"));
      assertThat(following.next()).isEmpty();
      server.takeRequest();
      assertThat(server.takeRequest().getTarget())
          .isEqualTo("/api/v1/things?limit=1&resourceVersion=9&resourceVersionMatch=NotOlderThan");
    }
  }

  /** A user who may watch may be forbidden to list; both cases work. */
  @ParameterizedTest
  @ValueSource(ints = {200, 403, 500})
  void silence_ofAnyOtherServer_isOnlySilence(int code) throws Exception {
    try (TestServer server = TestServer.start(TestServer.Wire.HTTP_1_1);
        RESTClient client = RESTClient.create(server.config().build(), clock, Timeouts.STANDARD)) {
      String event = "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"resourceVersion\":\"10\"}}}";
      server.enqueue(
          TestServer.json(200, ""),
          TestServer.json(code, "{\"kind\":\"ThingList\",\"apiVersion\":\"v1\",\"items\":[]}"),
          TestServer.json(200, event));
      RetryWatcher<Unstructured> following = follow(client);
      clock.advance(Duration.ofMinutes(5));

      TestThread<Optional<WatchEvent<Unstructured>>> next = TestThread.start(following::next);
      clock.awaitWaiters(1);
      clock.advance(Duration.ofSeconds(1));

      assertThat(next.result().orElseThrow()).isInstanceOf(WatchEvent.Added.class);
      assertThat(server.requestCount()).isEqualTo(3);
    }
  }

  private RetryWatcher<Unstructured> follow(RESTClient client) {
    return client
        .dynamic(new GroupVersionResource("", "v1", "things"))
        .retryWatcher(ListOptions.builder().resourceVersion("9").build());
  }

  @Test
  void otherStatus_isSurvived_afterThePauseItAsksFor() throws Exception {
    watches
        .then(added("2"), failed(ApiStatusException.timeout("slow", 4)))
        .then(added("3"), failed(ApiStatusException.internalError("etcd")))
        .then(added("4"));

    assertThat(watcher.next()).contains(added("2"));
    assertThat(nextAfter(Duration.ofSeconds(4))).contains(added("3"));
    assertThat(nextAfter(Duration.ofSeconds(1))).contains(added("4"));
    assertThat(watches.versions()).containsExactly("1", "2", "3");
  }

  @Test
  void streamThatIsNotUnderstood_isOpenedAnew() throws Exception {
    watches.then(failed(CodecException.malformed("cut", "", -1, null))).then(added("2"));

    assertThat(nextAfter(Duration.ofSeconds(1))).contains(added("2"));
  }

  @Test
  void objectWithoutVersion_isTheEnd() throws Exception {
    assertIsTheEnd(new WatchEvent.Added<>(object("")));
  }

  /** From no version at all the next watch would begin where the server likes. */
  @Test
  void bookmarkWithoutVersion_isTheEnd() throws Exception {
    assertIsTheEnd(new WatchEvent.Bookmark<>("", /* initialEventsEnd= */ false));
  }

  private void assertIsTheEnd(WatchEvent<Unstructured> event) throws Exception {
    watches.then(event);

    assertThat(watcher.next().orElseThrow())
        .isInstanceOfSatisfying(
            WatchEvent.Failed.class,
            failed -> assertThat(failed.error()).hasMessageContaining("without a version"));
    assertThat(watcher.next()).isEmpty();
  }

  /** TestRetryWatcherToFinishWithUnreadEvents. */
  @Test
  void close_endsAWaitForAnEvent_andIsDoneOnce() throws Exception {
    TestThread<Optional<WatchEvent<Unstructured>>> next = TestThread.start(watcher::next);
    next.awaitIn("await");

    watcher.close();
    watcher.close();

    assertThat(next.result()).isEmpty();
    assertThat(watcher.next()).isEmpty();
  }

  @Test
  void close_endsAPause() throws Exception {
    watches.then();
    TestThread<Optional<WatchEvent<Unstructured>>> next = TestThread.start(watcher::next);
    clock.awaitWaiters(1);

    watcher.close();

    assertThat(next.result()).isEmpty();
    assertThat(watches.opened()).hasSize(1);
  }

  @Test
  void interrupt_endsAPause() throws Exception {
    watches.then();
    TestThread<Optional<WatchEvent<Unstructured>>> next = TestThread.start(watcher::next);
    clock.awaitWaiters(1);

    next.interrupt();

    assertThat(next.failure()).isInstanceOf(InterruptedException.class);
  }
}
