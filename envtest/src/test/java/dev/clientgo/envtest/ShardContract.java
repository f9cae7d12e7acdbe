package dev.clientgo.envtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.envtest.TestClient.Answer;
import dev.clientgo.envtest.TestClient.Event;
import dev.clientgo.envtest.TestClient.Events;
import dev.clientgo.envtest.internal.json.JsonTree;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists and watches of a shard, on servers whose feature gate ShardedListAndWatch is on. */
abstract class ShardContract extends Contract {

  private static final ResourceType<Unstructured> CONFIG_MAPS =
      Unstructured.type(new GroupVersionKind("", "v1", "ConfigMap"), "configmaps", true);

  private static final Duration SOON = Duration.ofSeconds(30);

  private static final List<ShardSelector> THIRDS =
      ShardRange.split(3).stream().map(range -> ShardSelector.of(ShardField.UID, range)).toList();

  /**
   * Creates at least that many objects, and three in each third of the hashes.
   *
   * @return the names of the objects of each third
   */
  private List<List<String>> create(int count) {
    List<List<String>> parts = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < count || parts.stream().anyMatch(part -> part.size() < 3); i++) {
      String name = "m%03d".formatted(i);
      long hash = ShardField.hash(create(name).uid());
      for (int third = 0; third < 3; third++) {
        if (THIRDS.get(third).matches(hash)) {
          parts.get(third).add(name);
        }
      }
    }
    return parts;
  }

  abstract ApiServer server();

  private static int size(List<List<String>> parts) {
    return parts.stream().mapToInt(List::size).sum();
  }

  private static String query(ShardSelector selector) {
    return "shardSelector=" + URLEncoder.encode(selector.toString(), UTF_8);
  }

  private Answer list(ShardSelector selector, String more) {
    return must(200, api().get(configMaps() + "?" + query(selector) + more));
  }

  @Test
  void list_ofEachShard_hasItsObjectsByTheHashOfTheirUids() {
    List<List<String>> parts = create(30);

    for (int i = 0; i < 3; i++) {
      Answer list = list(THIRDS.get(i), "");

      assertThat(list.itemNames()).isEqualTo(parts.get(i));
      assertThat(list.at("metadata", "shardInfo", "selector")).isEqualTo(THIRDS.get(i).toString());
    }
  }

  @Test
  void list_ofTwoRanges_hasTheObjectsOfBoth() {
    List<List<String>> parts = create(20);
    ShardSelector both =
        ShardSelector.of(
            ShardField.UID, THIRDS.get(0).ranges().get(0), THIRDS.get(2).ranges().get(0));

    assertThat(list(both, "").itemNames())
        .hasSize(parts.get(0).size() + parts.get(2).size())
        .containsAll(parts.get(0))
        .containsAll(parts.get(2));
  }

  @Test
  void list_withoutAShard_hasAllAndNoShardInfo() {
    int count = size(create(3));

    Answer list = must(200, api().get(configMaps()));

    assertThat(list.itemNames()).hasSize(count);
    assertThat(JsonTree.asObject(list.at("metadata"))).doesNotContainKey("shardInfo");
  }

  @Test
  void list_fromTheCache_isOfTheShard() {
    List<List<String>> parts = create(20);
    eventually(
        () ->
            list(ShardSelector.EVERYTHING, "&resourceVersion=0").itemNames().size() == size(parts));

    Answer list = list(THIRDS.get(1), "&resourceVersion=0");

    assertThat(list.itemNames()).isEqualTo(parts.get(1));
    assertThat(list.at("metadata", "shardInfo", "selector")).isEqualTo(THIRDS.get(1).toString());
  }

  @Test
  void list_inPages_isOfTheShard() {
    List<List<String>> parts = create(30);
    List<String> names = new ArrayList<>();
    String token = "";
    do {
      Answer page = list(THIRDS.get(0), "&limit=2&continue=" + token);
      assertThat(page.itemNames()).hasSizeLessThanOrEqualTo(2);
      assertThat(page.at("metadata", "shardInfo", "selector")).isEqualTo(THIRDS.get(0).toString());
      if (token.isEmpty()) {
        // As if all others came later, in whichever shard they are.
        assertThat(page.at("metadata", "remainingItemCount"))
            .isEqualTo(since(37) ? null : size(parts) - 2L);
      }
      names.addAll(page.itemNames());
      Object next = page.at("metadata", "continue");
      token = next == null ? "" : next.toString();
    } while (!token.isEmpty());

    assertThat(names).isEqualTo(parts.get(0));
  }

  @Test
  void list_byNamespace_hasAllObjectsOfANamespaceOrNone() {
    int count = size(create(3));
    long hash = ShardField.hash(namespace);
    ShardSelector ours = ShardSelector.of(ShardField.NAMESPACE, new ShardRange(hash, hash + 1));
    ShardSelector others =
        ShardSelector.of(
            ShardField.NAMESPACE, new ShardRange(0, hash), new ShardRange(hash + 1, 0));

    assertThat(list(ours, "").itemNames()).hasSize(count);
    assertThat(list(others, "").itemNames()).isEmpty();
  }

  @Test
  void list_ofMetadata_isOfTheShardButDoesNotTell() {
    List<List<String>> parts = create(20);

    Answer list =
        must(
            200,
            api()
                .get(
                    configMaps() + "?" + query(THIRDS.get(2)),
                    "Accept",
                    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"));

    assertThat(list.itemNames()).isEqualTo(parts.get(2));
    assertThat(JsonTree.asObject(list.at("metadata"))).doesNotContainKey("shardInfo");
  }

  @Test
  void watch_ofAShard_hasTheChangesOfItsObjects() {
    String version = must(200, api().get(configMaps())).resourceVersion();
    List<List<String>> parts = create(15);
    String ours = parts.get(1).get(0);
    set(parts.get(0).get(0), "changed");
    must(200, api().delete(configMap(parts.get(2).get(0))));
    set(ours, "changed");
    must(200, api().delete(configMap(ours)));

    try (Events events = watch("&" + query(THIRDS.get(1)) + "&resourceVersion=" + version)) {
      for (String name : parts.get(1)) {
        assertThat(events.next()).hasToString("ADDED " + name);
      }
      assertThat(events.next()).hasToString("MODIFIED " + ours);
      assertThat(events.next()).hasToString("DELETED " + ours);
    }
  }

  @Test
  void watch_thatBeginsWithTheObjects_hasThoseOfTheShard() {
    List<List<String>> parts = create(15);
    try (Events events =
        watch(
            "&"
                + query(THIRDS.get(0))
                + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                + "&allowWatchBookmarks=true")) {
      List<String> names = new ArrayList<>();
      Event event = events.next();
      while (event.type().equals("ADDED")) {
        names.add(event.name());
        event = events.next();
      }

      assertThat(names).containsExactlyInAnyOrderElementsOf(parts.get(0));
      assertThat(event.type()).isEqualTo("BOOKMARK");
      // Nothing in a stream says that it is of a shard.
      assertThat(event.json().toString()).doesNotContain("shard");
    }
  }

  @Test
  void deleteCollection_ofAShard_deletesItsObjects() {
    List<List<String>> parts = create(15);

    must(200, api().delete(configMaps() + "?" + query(THIRDS.get(0))));

    assertThat(must(200, api().get(configMaps())).itemNames())
        .hasSize(parts.get(1).size() + parts.get(2).size())
        .doesNotContainAnyElementsOf(parts.get(0));
  }

  @Test
  void informer_whoseShardGrows_listsOnlyWhatIsNewAndMissesNothing() throws InterruptedException {
    List<List<String>> parts = create(15);
    ShardSelector two =
        ShardSelector.of(
            ShardField.UID, THIRDS.get(0).ranges().get(0), THIRDS.get(1).ranges().get(0));
    List<String> listed = new CopyOnWriteArrayList<>();
    List<String> events = new CopyOnWriteArrayList<>();
    AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
    try (RESTClient client = RESTClient.create(server().restConfig())) {
      ResourceClient<Unstructured> maps = client.resource(CONFIG_MAPS).inNamespace(namespace);
      ListWatch<Unstructured> source =
          ListWatch.of(
              (options, context, sink) -> {
                listed.add(String.valueOf(options.shardSelector()));
                meanwhile.getAndSet(() -> {}).run();
                return maps.list(options, context, sink);
              },
              maps::watch);
      try (SharedIndexInformer<Unstructured> informer =
          SharedIndexInformer.builder(source)
              .shard(THIRDS.get(0))
              .options(ReflectorOptions.builder().useWatchList(false).build())
              .build()) {
        informer.addEventHandler(
            handler ->
                handler
                    .onAdd(object -> events.add("add " + object.metadata().name()))
                    .onUpdate((old, now) -> events.add("update " + now.metadata().name()))
                    .onDelete(deleted -> events.add("delete " + deleted.objectName().name())));
        informer.start();
        assertThat(informer.awaitShard(SOON)).isTrue();
        Waiting.until("the first third", () -> events.size() == parts.get(0).size());
        events.clear();
        List<String> expected = new ArrayList<>();
        meanwhile.set(
            () -> {
              set(parts.get(0).get(0), "changed");
              set(parts.get(1).get(0), "changed");
              must(200, api().delete(configMap(parts.get(0).get(1))));
              must(200, api().delete(configMap(parts.get(1).get(1))));
            });

        informer.shard(two);
        assertThat(informer.awaitShard(SOON)).isTrue();

        parts.get(1).stream()
            .filter(name -> !name.equals(parts.get(1).get(1)))
            .forEach(name -> expected.add("add " + name));
        expected.add("update " + parts.get(0).get(0));
        expected.add("delete " + parts.get(0).get(1));
        Waiting.until("the other third", () -> events.size() >= expected.size());
        set(parts.get(1).get(2), "the end");
        expected.add("update " + parts.get(1).get(2));
        Waiting.until("the end", () -> events.contains("update " + parts.get(1).get(2)));
        assertThat(events).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(listed).containsExactly(THIRDS.get(0).toString(), THIRDS.get(1).toString());

        informer.shard(THIRDS.get(1));
        assertThat(informer.awaitShard(SOON)).isTrue();
        assertThat(informer.indexer().list())
            .containsExactlyInAnyOrderElementsOf(
                maps.list().items().stream().filter(THIRDS.get(1)::matches).toList());
        assertThat(listed).hasSize(2);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "nonsense ; invalid shard selector: ",
        "shardRange(object.metadata.name, '0x0', '0x8') ; unsupported field path"
            + " \"object.metadata.name\"; supported: object.metadata.uid,"
            + " object.metadata.namespace",
        "shardRange(object.metadata.uid, '0x8000000000000000', '0x8000000000000000') ;"
            + " shard range start 0x8000000000000000 must be less than end 0x8000000000000000",
        "shardRange(object.metadata.uid, '0x0', '0x8000000000000000') ;"
            + " did you mean \"0x0000000000000000\"?",
      })
  void list_ofNoShard_isRefused(String selector, String message) {
    Answer answer =
        api().get(configMaps() + "?shardSelector=" + URLEncoder.encode(selector, UTF_8));

    assertThat(answer.code()).as(answer.text()).isEqualTo(500);
    assertThat(requireNonNull(answer.message())).contains("invalid shard selector", message);
    Answer watch =
        api()
            .get(
                configMaps()
                    + "?watch=true&timeoutSeconds=1&shardSelector="
                    + URLEncoder.encode(selector, UTF_8));
    assertThat(watch.code()).as(watch.text()).isEqualTo(500);
  }
}
