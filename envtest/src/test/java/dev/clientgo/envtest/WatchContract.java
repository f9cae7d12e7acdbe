package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.TestClient.Event;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.internal.json.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Watches: start, events and end. */
abstract class WatchContract extends Contract {

  private static final String END_OF_INITIAL_EVENTS = "k8s.io/initial-events-end";

  private String now() {
    return api().get(configMaps()).resourceVersion();
  }

  private static String end(Event bookmark) {
    return JsonTree.string(bookmark.object(), "metadata", "annotations", END_OF_INITIAL_EVENTS);
  }

  @Test
  void watch_fromAVersion_sendsLaterChanges() {
    create("before");
    String version = now();
    Answer created = create("a");
    Answer changed = set("a", "2");
    api().delete(configMap("a"));

    try (Events events = watch("&resourceVersion=" + version)) {
      Event added = events.next();
      Event modified = events.next();
      Event deleted = events.next();

      assertThat(added).asString().isEqualTo("ADDED a");
      assertThat(added.object()).isEqualTo(created.json());
      assertThat(modified).asString().isEqualTo("MODIFIED a");
      assertThat(modified.object()).isEqualTo(changed.json());
      assertThat(deleted).asString().isEqualTo("DELETED a");
      assertThat(JsonTree.string(deleted.object(), "data", "k")).isEqualTo("2");
      assertThat(Long.parseLong(deleted.resourceVersion()))
          .isGreaterThan(Long.parseLong(changed.resourceVersion()));
    }
  }

  @Test
  void watch_open_sendsChangesAtOnce() {
    try (Events events = watch("&resourceVersion=" + now())) {
      create("a");
      assertThat(events.next()).asString().isEqualTo("ADDED a");
      set("a", "2");
      assertThat(events.next()).asString().isEqualTo("MODIFIED a");
    }
  }

  /** For any version, the real server answers from a cache, which may lag behind. */
  private void awaitInCache(Answer written) {
    String version = written.resourceVersion();
    String query = "?resourceVersionMatch=NotOlderThan&resourceVersion=" + version;
    eventually(
        () -> api().get(configMaps() + query).code() == 200); // The real server waits for 3 s.
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&resourceVersion=0", "&resourceVersion="})
  void watch_withoutVersion_startsWithCurrentObjects(String query) {
    create("b");
    awaitInCache(create("a"));

    try (Events events = watch(query)) {
      assertThat(events.next()).asString().isEqualTo("ADDED a");
      assertThat(events.next()).asString().isEqualTo("ADDED b");
      create("c");
      assertThat(events.next()).asString().isEqualTo("ADDED c");
    }
  }

  @Test
  void watch_fromTheDeletion_doesNotRepeatIt() {
    create("a");
    String version;
    try (Events events = watch("&resourceVersion=" + now())) {
      api().delete(configMap("a"));
      version = events.next().resourceVersion();
    }

    try (Events events = watch("&resourceVersion=" + version)) {
      create("b");
      assertThat(events.next()).asString().isEqualTo("ADDED b");
    }
  }

  @Test
  void watch_finalizersAndPods_sendEachStep() {
    createPod("p", "");
    String version = api().get(core("pods")).resourceVersion();
    api().delete(core("pods") + "/p");

    try (Events events = api().watch(core("pods") + "?watch=1&resourceVersion=" + version)) {
      Event marked = events.next();
      assertThat(marked).asString().isEqualTo("MODIFIED p");
      assertThat(JsonTree.get(marked.object(), "metadata", "deletionTimestamp")).isNotNull();
      assertThat(events.next()).asString().isEqualTo("DELETED p");
    }
  }

  @Test
  void watch_updateWithoutChange_sendsNoEvent() {
    create("a");
    try (Events events = watch("&resourceVersion=" + now())) {
      must(200, api().mergePatch(configMap("a"), "{}"));
      create("b");
      assertThat(events.next()).asString().isEqualTo("ADDED b");
    }
  }

  @Test
  void watch_otherNamespace_sendsNoEvent() {
    try (Events events = watch("&resourceVersion=" + now())) {
      must(
          201,
          api()
              .post("/api/v1/namespaces/default/configmaps", "{'metadata':{'generateName':'x-'}}"));
      create("a");
      assertThat(events.next()).asString().isEqualTo("ADDED a");
    }
  }

  @Test
  void watch_allNamespaces_sendsAllChanges() {
    String selector = "&fieldSelector=metadata.namespace%3D" + namespace;
    try (Events events =
        api().watch("/api/v1/configmaps?watch=true&resourceVersion=" + now() + selector)) {
      create("a");
      assertThat(events.next()).asString().isEqualTo("ADDED a");
    }
  }

  @Test
  void watch_deprecatedPath_works() {
    create("a");
    try (Events events = api().watch("/api/v1/watch/namespaces/" + namespace + "/configmaps")) {
      assertThat(events.next()).asString().isEqualTo("ADDED a");
    }
  }

  /* --------------- Selectors --------------- */

  @Test
  void watch_labelSelector_sendsAddedAndDeleted() {
    String version = now();
    create("a", ",'labels':{'x':'y'}");
    set("a", "2");
    Answer out = api().mergePatch(configMap("a"), "{'metadata':{'labels':{'x':'z'}}}");
    set("a", "3");
    api().mergePatch(configMap("a"), "{'metadata':{'labels':{'x':'y'}}}");
    api().delete(configMap("a"));

    try (Events events = watch("&labelSelector=x%3Dy&resourceVersion=" + version)) {
      assertThat(events.next()).asString().isEqualTo("ADDED a");
      assertThat(events.next()).asString().isEqualTo("MODIFIED a");
      Event left = events.next();
      assertThat(left).asString().isEqualTo("DELETED a");
      assertThat(JsonTree.string(left.object(), "metadata", "labels", "x")).isEqualTo("y");
      assertThat(JsonTree.string(left.object(), "data", "k")).isEqualTo("2");
      assertThat(left.resourceVersion()).isEqualTo(out.resourceVersion());
      assertThat(events.next()).asString().isEqualTo("ADDED a");
      assertThat(events.next()).asString().isEqualTo("DELETED a");
    }
  }

  @Test
  void watch_fieldSelector_sendsAddedAndDeleted() {
    String version = api().get(core("pods")).resourceVersion();
    createPod("p", "");
    api().mergePatch(core("pods") + "/p/status", "{'status':{'phase':'Running'}}");
    api().mergePatch(core("pods") + "/p/status", "{'status':{'phase':'Failed'}}");

    String query = "?watch=true&fieldSelector=status.phase%3DRunning&resourceVersion=";
    try (Events events = api().watch(core("pods") + query + version)) {
      assertThat(events.next()).asString().isEqualTo("ADDED p");
      assertThat(events.next()).asString().isEqualTo("DELETED p");
    }
  }

  @Test
  void watch_oneName_sendsOnlyItsChanges() {
    create("a");
    create("b");
    try (Events events = watch("&fieldSelector=metadata.name%3Db")) {
      assertThat(events.next()).asString().isEqualTo("ADDED b");
      set("a", "2");
      set("b", "2");
      assertThat(events.next()).asString().isEqualTo("MODIFIED b");
    }
  }

  @Test
  void watch_initialEventsAndSelector_sendMatches() {
    create("a", ",'labels':{'x':'y'}");
    create("b");
    create("c", ",'labels':{'x':'y'}");
    try (Events events = watch("&labelSelector=x%3Dy")) {
      assertThat(events.next()).asString().isEqualTo("ADDED a");
      assertThat(events.next()).asString().isEqualTo("ADDED c");
    }
  }

  /* --------------- Bookmarks --------------- */

  @Test
  void watch_sendInitialEvents_endsThemWithABookmark() {
    create("a");
    create("b");
    String version = now();

    try (Events events =
        watch(
            "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")) {
      List<Event> initial = List.of(events.next(), events.next());
      Event bookmark = events.next();
      assertThat(initial).map(Event::toString).containsExactly("ADDED a", "ADDED b");
      assertThat(bookmark.type()).isEqualTo("BOOKMARK");
      assertThat(end(bookmark)).isEqualTo("true");
      assertThat(bookmark.object()).containsEntry("kind", "ConfigMap");
      assertThat(bookmark.object()).containsEntry("apiVersion", "v1");
      assertThat(Long.parseLong(bookmark.resourceVersion()))
          .isGreaterThanOrEqualTo(Long.parseLong(version));
      create("c");
      assertThat(events.next()).asString().isEqualTo("ADDED c");
    }
  }

  @Test
  void watch_sendInitialEventsFromAVersion_startsWithCurrentObjects() {
    create("a");
    String version = now();
    awaitInCache(create("b"));

    try (Events events =
        watch(
            "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
                + "&resourceVersion="
                + version)) {
      assertThat(events.until("BOOKMARK"))
          .map(Event::toString)
          .containsExactly("ADDED a", "ADDED b");
    }
  }

  @Test
  void watch_anyVersionWithBookmarks_endsInitialEventsToo() {
    awaitInCache(create("a"));

    try (Events events = watch("&resourceVersion=0&allowWatchBookmarks=true")) {
      assertThat(events.next()).asString().isEqualTo("ADDED a");
      assertThat(end(events.next())).isEqualTo("true");
    }
  }

  @Test
  void watch_sendInitialEventsFalse_startsNow() {
    create("a");

    try (Events events = watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")) {
      create("b");
      assertThat(events.next()).asString().isEqualTo("ADDED b");
    }
  }

  @WaitingTest
  void watch_beforeItsTimeout_sendsABookmark() {
    String version = now();
    String maps = "/api/v1/namespaces/default/configmaps";
    Answer elsewhere = must(201, api().post(maps, "{'metadata':{'generateName':'x-'}}"));
    awaitInCache(elsewhere);
    List<Event> all = new ArrayList<>();
    // If the real server stalls in its last second, it has no time for a bookmark.
    eventually(
        () -> {
          try (Events events =
              watch("&allowWatchBookmarks=true&timeoutSeconds=5&resourceVersion=" + version)) {
            return all.addAll(events.rest());
          }
        });
    assertThat(all).allMatch(event -> event.type().equals("BOOKMARK"));
    assertThat(end(all.get(0))).isEmpty();
    assertThat(Long.parseLong(all.get(0).resourceVersion()))
        .isGreaterThanOrEqualTo(Long.parseLong(elsewhere.resourceVersion()));
  }

  @WaitingTest
  void watch_bookmarksNotAllowed_sendsNone() {
    awaitInCache(create("a"));
    try (Events events = watch("&timeoutSeconds=5&resourceVersion=0")) {
      assertThat(events.rest()).map(Event::toString).containsExactly("ADDED a");
    }
  }

  /* --------------- End --------------- */

  @WaitingTest
  void watch_timeout_endsTheResponse() {
    String version = now();
    awaitInCache(create("a"));
    try (Events events = watch("&timeoutSeconds=5&resourceVersion=" + version)) {
      assertThat(events.code()).isEqualTo(200);
      assertThat(events.rest()).map(Event::toString).containsExactly("ADDED a");
    }
  }

  @WaitingTest
  void watch_timeout_leavesTheConnectionUsable() {
    try (Events events = watch("&timeoutSeconds=1")) {
      events.rest();
    }

    must(200, api().get(configMaps()));
  }

  @WaitingTest
  void watch_futureVersion_sendsNothing() {
    try (Events events = watch("&resourceVersion=99999999&timeoutSeconds=1")) {
      assertThat(events.code()).isEqualTo(200);
      create("a");
      assertThat(events.rest()).isEmpty();
    }
  }

  static Stream<Arguments> invalidQueries() {
    String forbidden = "resourceVersionMatch: Forbidden: ";
    return Stream.of(
        argumentSet(
            "initial events without match",
            "&sendInitialEvents=true",
            forbidden + "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
        argumentSet(
            "initial events with another match",
            "&sendInitialEvents=true&resourceVersion=1&resourceVersionMatch=Exact",
            forbidden + "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
        argumentSet(
            "match without initial events",
            "&resourceVersionMatch=NotOlderThan&resourceVersion=1",
            forbidden
                + "resourceVersionMatch is forbidden for watch unless sendInitialEvents is"
                + " provided"),
        argumentSet(
            "continue",
            "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x",
            forbidden + "resourceVersionMatch is forbidden when continue is provided"));
  }

  @ParameterizedTest
  @MethodSource("invalidQueries")
  void watch_invalidQuery_isRefused(String query, String message) {
    assertFailure(
        api().get(configMaps() + "?watch=true" + query),
        422,
        "Invalid",
        "ListOptions.meta.k8s.io \"\" is invalid: ");
    assertThat(api().get(configMaps() + "?watch=true" + query).message()).contains(message);
  }

  @Test
  void watch_versionNotANumber_isRefused() {
    Answer answer = api().get(configMaps() + "?watch=true&resourceVersion=x");

    assertThat(answer.code()).as(answer.text()).isGreaterThanOrEqualTo(400);
    assertThat(answer.message()).contains("strconv.ParseUint: parsing \"x\": invalid syntax");
  }

  @Test
  void watch_badSelector_isRefused() {
    assertFailure(
        api().get(core("pods") + "?watch=true&fieldSelector=spec.nope%3D1"),
        400,
        "BadRequest",
        "field label not supported: spec.nope");
  }

  @Test
  void watches_concurrent_receiveTheSame() {
    String version = now();
    try (Events first = watch("&resourceVersion=" + version);
        Events second = watch("&resourceVersion=" + version);
        Events third = watch("&labelSelector=x")) {
      for (int i = 0; i < 20; i++) {
        create("c" + i, ",'labels':{'x':'y'}");
      }
      for (int i = 0; i < 20; i++) {
        assertThat(first.next()).asString().isEqualTo("ADDED c" + i);
        assertThat(second.next()).asString().isEqualTo("ADDED c" + i);
        assertThat(third.next()).asString().isEqualTo("ADDED c" + i);
      }
    }
  }
}
