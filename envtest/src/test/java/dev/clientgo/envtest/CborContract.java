package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ApplyOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions.ResourceVersionMatch;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.schema.GroupVersionResource;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client in CBOR, on a server whose feature gate for it is on. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CborContract {

  static final String GATE = "CBORServingAndStorage";

  private static final Path WIDGETS = Path.of("src/test/crds/widgets.yaml");
  private static final GroupVersionResource RESOURCE =
      new GroupVersionResource("example.com", "v1", "widgets");
  private static final GroupVersionKind KIND = new GroupVersionKind("example.com", "v1", "Widget");
  private static final ResourceType<Unstructured> TYPE = Unstructured.type(KIND, "widgets", true);
  private static final Duration SOON = Duration.ofSeconds(60);

  /** The media types of the responses to the client in CBOR. */
  private final List<String> received = new CopyOnWriteArrayList<>();

  private final List<Integer> codes = new CopyOnWriteArrayList<>();

  private RESTClient client;
  private RESTClient jsonClient;
  private ResourceClient<Unstructured> widgets;
  private ResourceClient<Unstructured> inJson;

  abstract ApiServer server();

  @BeforeEach
  void open() throws Exception {
    received.clear();
    codes.clear();
    server().installCrds(WIDGETS);
    client =
        RESTClient.builder(
                server().restConfig().toBuilder().cbor(RestConfig.CborMode.PREFER).build())
            .addInterceptor(
                (request, next) -> {
                  var response = next.send(request);
                  codes.add(response.code());
                  response.header("Content-Type").ifPresent(received::add);
                  return response;
                })
            .build();
    jsonClient =
        RESTClient.create(server().restConfig().toBuilder().cbor(RestConfig.CborMode.OFF).build());
    widgets = client.dynamic(RESOURCE).inNamespace("default");
    inJson = jsonClient.dynamic(RESOURCE).inNamespace("default");
  }

  @AfterEach
  void close() throws Exception {
    inJson.deleteCollection(ListOptions.NONE);
    client.close();
    jsonClient.close();
  }

  private static Unstructured widget(String name) {
    return Unstructured.of(
        Map.of(
            "apiVersion",
            "example.com/v1",
            "kind",
            "Widget",
            "metadata",
            Map.of("name", name, "annotations", Map.of("text", "é☸")),
            "spec",
            Map.of(
                "whole",
                1L << 40,
                "negative",
                -7L,
                "fraction",
                0.1,
                "half",
                1.5,
                "flags",
                List.of(true, false),
                "empty",
                Map.of(),
                "text",
                "x".repeat(300),
                "many",
                List.of(1L, "2", List.of(), Map.of("deep", List.of(3L))))));
  }

  @Test
  void create_inCbor_isStoredAsInJson() throws Exception {
    Unstructured created = widgets.create(widget("a"));

    assertThat(codes).containsExactly(201);
    assertThat(received).containsExactly("application/cbor");
    assertThat(created.nested("spec")).isEqualTo(widget("a").nested("spec"));
    assertThat(inJson.get("a")).isEqualTo(created);
    assertThat(widgets.get("a")).isEqualTo(created);
    assertThat(widgets.get("a").toJson().length()).isEqualTo(created.toJson().length());
  }

  @Test
  void update_edit_andApply_giveWhatJsonReads() throws Exception {
    Unstructured created = inJson.create(widget("a"));
    Unstructured updated = widgets.update(created.with(Map.of("size", 3L, "ratio", 2.0), "spec"));
    assertThat(inJson.get("a")).isEqualTo(updated);

    Unstructured edited = widgets.edit("a", one -> one.with(List.of("new"), "extra"));
    assertThat(inJson.get("a")).isEqualTo(edited);

    Unstructured applied =
        widgets.apply(
            Unstructured.of(
                Map.of(
                    "apiVersion",
                    "example.com/v1",
                    "kind",
                    "Widget",
                    "metadata",
                    Map.of("name", "a"),
                    "spec",
                    Map.of("applied", true))),
            ApplyOptions.of("tester").force());
    assertThat(inJson.get("a")).isEqualTo(applied);
    assertThat(applied.nested("spec", "applied")).contains(true);
    assertThat(codes).containsOnly(200);
    assertThat(received).containsOnly("application/cbor", "application/json");
  }

  @Test
  void list_andWatch_giveWhatJsonReads() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      widgets.create(widget(name));
    }
    ResourceList<Unstructured> list = widgets.list();
    assertThat(list.items()).isEqualTo(inJson.list().items());
    assertThat(list.items()).extracting(Unstructured::groupVersionKind).containsOnly(KIND);

    received.clear();
    ListOptions since =
        ListOptions.builder().resourceVersion(list.metadata().resourceVersion()).build();
    try (Watch<Unstructured> watch = widgets.watch(since);
        Watch<Unstructured> other = inJson.watch(since)) {
      assertThat(received).containsExactly("application/cbor-seq");
      inJson.patch("a", Patch.merge(Map.of("spec", Map.of("size", 9L))));
      inJson.delete("b");
      widgets.create(widget("d"));
      for (int i = 0; i < 3; i++) {
        WatchEvent<Unstructured> event = watch.next().orElseThrow();
        assertThat(event).isEqualTo(other.next().orElseThrow());
      }
    }
  }

  @Test
  void watch_versionTooOld_endsWithTheStatus() throws Exception {
    widgets.create(widget("a"));
    ListOptions wrong = ListOptions.builder().resourceVersion("1").build();

    try (Watch<Unstructured> watch = widgets.watch(wrong);
        Watch<Unstructured> other = inJson.watch(wrong)) {
      WatchEvent<Unstructured> event = watch.next().orElseThrow();
      assertThat(event.getClass()).isEqualTo(other.next().orElseThrow().getClass());
    }
  }

  @Test
  void errors_areThoseOfJson() throws Exception {
    Unstructured created = widgets.create(widget("a"));
    Unstructured stale = created.withMetadata(created.metadata().with(m -> m.resourceVersion("1")));

    assertThatThrownBy(() -> widgets.get("none"))
        .isInstanceOfSatisfying(
            ApiStatusException.class,
            e -> {
              assertThat(e.isNotFound()).isTrue();
              assertThat(requireNonNull(e.status().details()).name()).isEqualTo("none");
            });
    assertThatThrownBy(() -> widgets.create(widget("a")))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.isAlreadyExists()).isTrue());
    assertThatThrownBy(() -> widgets.update(stale))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isConflict()).isTrue());
    assertThat(received).contains("application/cbor");
    widgets.delete("a");
    assertThat(widgets.find("a")).isEmpty();
  }

  /** The items of built-in kinds do not name their kind, and the server writes it anywhere. */
  @Test
  void list_ofABuiltInKind_givesTheItemsTheirKind() throws Exception {
    ResourceClient<Unstructured> namespaces =
        client.dynamic(new GroupVersionResource("", "v1", "namespaces"));

    for (int i = 0; i < 10; i++) {
      assertThat(namespaces.list().items())
          .isNotEmpty()
          .extracting(Unstructured::groupVersionKind)
          .containsOnly(new GroupVersionKind("", "v1", "Namespace"));
    }
    assertThat(received).containsOnly("application/cbor");
  }

  @Test
  void eachListItem_pageByPage_readsAll() throws Exception {
    for (int i = 0; i < 7; i++) {
      widgets.create(widget("w" + i));
    }
    List<Unstructured> items = new CopyOnWriteArrayList<>();

    ListMeta first = widgets.eachListItem(ListOptions.builder().limit(3L).build(), items::add);

    assertThat(items).isEqualTo(inJson.list().items());
    assertThat(first.continueToken()).isNotEmpty();
  }

  // ---- parts of objects

  /** Whether the server leaves the managed fields out, or sends them anyway. */
  @Test
  void keepAndDrop_giveWhatJsonReads() throws Exception {
    inJson.create(widget("a"));

    for (ResourceType<Unstructured> type :
        List.of(
            TYPE.keep("spec.many", "metadata.annotations"),
            TYPE.drop("spec.text", "metadata.managedFields"),
            TYPE.dropManagedFields())) {
      ResourceClient<Unstructured> cut = client.resource(type).inNamespace("default");
      ResourceClient<Unstructured> cutInJson = jsonClient.resource(type).inNamespace("default");
      Unstructured read = cutInJson.get("a");

      assertThat(cut.get("a")).isEqualTo(read);
      assertThat(cut.list().items()).containsExactly(read);
      try (Watch<Unstructured> watch = cut.watch()) {
        assertThat(watch.next().orElseThrow().value()).isEqualTo(read);
      }
    }
    assertThat(received).containsOnly("application/cbor", "application/cbor-seq");
  }

  // ---- streams and informers

  private static final ListOptions STREAM =
      ListOptions.builder()
          .sendInitialEvents(true)
          .resourceVersionMatch(ResourceVersionMatch.NOT_OLDER_THAN)
          .allowWatchBookmarks(true)
          .build();

  @Test
  void stream_hasTheObjectsAndThenABookmark() throws Exception {
    for (String name : List.of("a", "b")) {
      inJson.create(widget(name));
    }

    try (Watch<Unstructured> stream = widgets.watch(STREAM)) {
      for (String name : List.of("a", "b")) {
        assertThat(stream.next().orElseThrow().value()).isEqualTo(inJson.get(name));
      }
      assertThat(stream.next().orElseThrow())
          .isInstanceOfSatisfying(
              WatchEvent.Bookmark.class,
              bookmark -> assertThat(bookmark.initialEventsEnd()).isTrue());
    }
    assertThat(received).containsExactly("application/cbor-seq");
  }

  /** Follows the collection, each request for it in CBOR. */
  private SharedIndexInformer<Unstructured> informer(
      ListWatch<Unstructured> source, boolean useWatchList) {
    return SharedIndexInformer.builder(source)
        .options(
            ReflectorOptions.builder()
                .useWatchList(useWatchList)
                .backoff(Backoff.builder(Duration.ofMillis(10)).build())
                .build())
        .build();
  }

  private void assertFollows(
      SharedIndexInformer<Unstructured> informer, ResourceClient<Unstructured> truth)
      throws Exception {
    String last = inJson.create(widget("last")).metadata().resourceVersion();
    assertThat(informer.awaitResourceVersion(last, SOON)).isTrue();
    assertThat(informer.indexer().list()).containsExactlyInAnyOrderElementsOf(truth.list().items());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void informer_hasWhatJsonLists(boolean useWatchList) throws Exception {
    for (String name : List.of("a", "b", "c")) {
      inJson.create(widget(name));
    }
    ListWatch<Unstructured> source = ListWatch.of(widgets::list, widgets::watch);
    try (SharedIndexInformer<Unstructured> informer = informer(source, useWatchList)) {
      informer.start();
      assertThat(informer.awaitSynced(SOON)).isTrue();
      inJson.patch("a", Patch.merge(Map.of("spec", Map.of("size", 9L))));
      inJson.delete("b");
      inJson.create(widget("d"));

      assertFollows(informer, inJson);
    }
    assertThat(received)
        .isEqualTo(
            useWatchList
                ? List.of("application/cbor-seq")
                : List.of("application/cbor", "application/cbor-seq"));
  }

  @Test
  void informer_ofSomeFields_hasWhatJsonLists() throws Exception {
    inJson.create(widget("a"));
    ResourceType<Unstructured> sizes = TYPE.keep("spec.whole");
    ResourceClient<Unstructured> cut = client.resource(sizes).inNamespace("default");
    try (SharedIndexInformer<Unstructured> informer =
        informer(ListWatch.of(cut::list, cut::watch), true)) {
      informer.start();
      assertThat(informer.awaitSynced(SOON)).isTrue();

      assertFollows(informer, jsonClient.resource(sizes).inNamespace("default"));
    }
    assertThat(received).containsOnly("application/cbor-seq");
  }

  /** Makes all versions of the collection too old that the server has given so far. */
  void expireVersions() throws Exception {}

  /** The watch answers with an error event, and the informer lists again. */
  @Test
  void informer_whoseVersionIsTooOld_listsAgain() throws Exception {
    inJson.create(widget("a"));
    AtomicInteger watches = new AtomicInteger();
    ListWatch<Unstructured> source =
        ListWatch.of(
            widgets::list,
            (options, context) ->
                widgets.watch(
                    watches.getAndIncrement() == 0
                        ? options.toBuilder().resourceVersion("1").build()
                        : options,
                    context));
    expireVersions();
    try (SharedIndexInformer<Unstructured> informer = informer(source, false)) {
      informer.start();
      assertThat(informer.awaitSynced(SOON)).isTrue();

      assertFollows(informer, inJson);
    }
    assertThat(received).startsWith("application/cbor", "application/cbor-seq", "application/cbor");
  }

  // ---- media types that no server has

  /** A table, which the server prints, has no form in CBOR; nor has a merge patch. */
  @Test
  void tablesAndMergePatches_areInJsonOnly() throws Exception {
    inJson.create(widget("a"));
    String path = "/apis/example.com/v1/namespaces/default/widgets";
    String table = ";as=Table;g=meta.k8s.io;v=v1";
    try (TestClient api = TestClient.of(server())) {
      assertThat(api.get(path, "Accept", "application/cbor" + table).code()).isEqualTo(406);
      Answer json =
          api.get(path, "Accept", "application/cbor" + table + ",application/json" + table);
      assertThat(json.header("Content-Type")).isEqualTo("application/json");
      assertThat(json.json()).containsEntry("kind", "Table");
      assertThat(
              api.send("PATCH", path + "/a", "{}", "Content-Type", "application/merge-patch+cbor")
                  .code())
          .isEqualTo(415);
    }
  }
}
