package dev.clientgo.kubernetes;

import static dev.clientgo.kubernetes.Checks.NAMESPACE;
import static dev.clientgo.kubernetes.Checks.configMaps;
import static dev.clientgo.kubernetes.Checks.events;
import static dev.clientgo.kubernetes.Checks.pods;
import static dev.clientgo.kubernetes.Checks.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions.ResourceVersionMatch;
import dev.clientgo.apimachinery.meta.table.Table;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Watches, up to their end. */
final class WatchChecks {

  private static final GroupVersionResource CONFIG_MAPS =
      new GroupVersion("", "v1").withResource("configmaps");

  private WatchChecks() {}

  static void addTo(Map<String, Checks.Check> all) {
    all.put("watch-events", WatchChecks::wholeLife);
    all.put("watch-server-timeout", WatchChecks::serverTimeout);
    all.put("watch-label-selected", WatchChecks::labelSelected);
    all.put("watch-protobuf", WatchChecks::protobuf);
    all.put("watch-partial-metadata", WatchChecks::metadata);
    all.put("watch-table", WatchChecks::table);
    all.put("watch-list-initial-events", WatchChecks::initialEvents);
    all.put("watch-list-missing-match-422", WatchChecks::missingMatch);
    all.put("watch-pods-bookmarks", WatchChecks::bookmarks);
    all.put("watch-rv-too-large", WatchChecks::versionTooLarge);
    all.put("watch-expired-410", WatchChecks::expired);
    all.put("watch-compacted-410", WatchChecks::compacted);
  }

  private static ListOptions.Builder since(Replay it) {
    return ListOptions.builder().resourceVersion(it.parameter("resourceVersion"));
  }

  private static void wholeLife(Replay it) throws InterruptedException {
    assertWholeLife(
        events(configMaps(it).watch(since(it).allowWatchBookmarks(true).build())),
        WatchChecks::text);
  }

  private static void serverTimeout(Replay it) throws InterruptedException {
    ListOptions options = since(it).timeout(Duration.ofSeconds(1)).build();

    assertWholeLife(events(configMaps(it).watch(options)), WatchChecks::text);
  }

  private static void protobuf(Replay it) throws InterruptedException {
    RESTClient client = it.client(config -> {});
    ListOptions options = since(it).timeout(Duration.ofSeconds(1)).build();

    assertWholeLife(
        events(Clientset.of(client).core().v1().configMaps(NAMESPACE).watch(options)),
        WatchChecks::text);
  }

  /** The labels of the third state do not fit. */
  private static void labelSelected(Replay it) throws InterruptedException {
    ListOptions options = since(it).labelSelector("app=wire").build();

    List<WatchEvent<ConfigMap>> events = events(configMaps(it).watch(options));

    assertThat(texts(events, WatchChecks::text))
        .containsExactly("Added wire v", "Modified wire 2", "Deleted wire 2");
  }

  private static String text(ConfigMap map) {
    return map.metadata().labels().get("app") + " " + map.data().get("k");
  }

  private static <T> void assertWholeLife(List<WatchEvent<T>> events, Function<T, String> text) {
    assertThat(texts(events, text))
        .containsExactly("Added wire v", "Modified wire 2", "Modified other 2", "Deleted other 2");
  }

  private static <T> List<String> texts(List<WatchEvent<T>> events, Function<T, String> text) {
    return events.stream()
        .map(
            event ->
                event.match(
                    new WatchEvent.Cases<T, String>() {
                      @Override
                      public String added(T object) {
                        return "Added " + text.apply(object);
                      }

                      @Override
                      public String modified(T object) {
                        return "Modified " + text.apply(object);
                      }

                      @Override
                      public String deleted(T object) {
                        return "Deleted " + text.apply(object);
                      }

                      @Override
                      public String bookmark(String resourceVersion, boolean initialEventsEnd) {
                        return "Bookmark " + resourceVersion + " " + initialEventsEnd;
                      }

                      @Override
                      public String failed(KubernetesException error) {
                        return "Failed " + error.getMessage();
                      }
                    }))
        .toList();
  }

  private static void metadata(Replay it) throws InterruptedException {
    List<WatchEvent<PartialObjectMetadata>> events =
        events(it.client().metadata(CONFIG_MAPS).inNamespace(NAMESPACE).watch(since(it).build()));

    assertThat(texts(events, each -> each.metadata().labels().get("app")))
        .containsExactly("Added wire", "Modified wire", "Modified other", "Deleted other");
  }

  private static void table(Replay it) throws InterruptedException {
    List<WatchEvent<Table>> events =
        events(it.client().table(CONFIG_MAPS).inNamespace(NAMESPACE).watch(since(it).build()));

    assertThat(
            texts(
                events,
                table ->
                    table.columnDefinitions().size() + " " + table.rows().get(0).cells().get(0)))
        .containsExactly(
            "Added 3 wire-w", "Modified 0 wire-w", "Modified 0 wire-w", "Deleted 0 wire-w");
  }

  private static void initialEvents(Replay it) throws InterruptedException {
    ListOptions options =
        ListOptions.builder()
            .allowWatchBookmarks(true)
            .sendInitialEvents(true)
            .resourceVersionMatch(ResourceVersionMatch.NOT_OLDER_THAN)
            .build();

    List<WatchEvent<ConfigMap>> events = events(configMaps(it).watch(options));

    int last = events.size() - 1;
    assertThat(events.subList(0, last)).allMatch(WatchEvent.Added.class::isInstance);
    assertThat(texts(events.subList(0, last), map -> map.metadata().name()))
        .contains("Added wire-a", "Added wire-page-0", "Added wire-ssa");
    assertThat(events.get(last))
        .isInstanceOfSatisfying(
            WatchEvent.Bookmark.class,
            bookmark -> {
              assertThat(bookmark.initialEventsEnd()).isTrue();
              assertThat(Long.parseLong(bookmark.resourceVersion())).isPositive();
            });
  }

  private static void missingMatch(Replay it) {
    ListOptions options = ListOptions.builder().sendInitialEvents(true).build();

    ApiStatusException error =
        refused(422, StatusReason.INVALID, () -> configMaps(it).watch(options).close());

    ListChecks.assertForbiddenMatch(error);
  }

  private static void bookmarks(Replay it) throws InterruptedException {
    String seconds = it.parameter("timeoutSeconds");
    ListOptions options =
        since(it)
            .allowWatchBookmarks(true)
            .timeout(seconds == null ? null : Duration.ofSeconds(Long.parseLong(seconds)))
            .build();

    List<WatchEvent<Pod>> events = events(pods(it).watch(options));

    assertThat(events).hasSize(4);
    assertThat(events.subList(0, 3)).allMatch(WatchEvent.Added.class::isInstance);
    assertThat(events.get(3)).isInstanceOf(WatchEvent.Bookmark.class);
  }

  /** The server waits for the version to come, and then for its time to be up. */
  private static void versionTooLarge(Replay it) throws InterruptedException {
    ListOptions options = since(it).timeout(Duration.ofSeconds(2)).build();

    assertThat(events(configMaps(it).watch(options))).isEmpty();
  }

  private static void expired(Replay it) throws InterruptedException {
    assertExpired(events(it.clients().core().v1().pods().watch(since(it).build())));
  }

  private static void compacted(Replay it) throws InterruptedException {
    assertExpired(events(configMaps(it).watch(since(it).build())));
  }

  private static <T> void assertExpired(List<WatchEvent<T>> events) {
    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            WatchEvent.Failed.class,
            failed -> {
              ApiStatusException error = (ApiStatusException) failed.error();
              assertThat(error.code()).isEqualTo(410);
              assertThat(error.isResourceExpired()).isTrue();
              assertThat(error).hasMessageContaining("too old");
            });
  }
}
