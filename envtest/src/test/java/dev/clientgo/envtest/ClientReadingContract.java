package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.NoMatchException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions.ResourceVersionMatch;
import dev.clientgo.apimachinery.meta.options.PatchOptions;
import dev.clientgo.apimachinery.meta.table.Table;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.restmapper.RESTMapper;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.rest.MetadataClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.Until;
import dev.clientgo.rest.discovery.DeferredDiscoveryRESTMapper;
import dev.clientgo.rest.discovery.DiscoveryClient;
import dev.clientgo.rest.discovery.MemCacheClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads, lists and watches through this library's client, in one namespace and in all. */
abstract class ClientReadingContract extends OurClient {

  /** Returns a selector of the objects of this test in all namespaces. */
  private ListOptions mine() {
    return ListOptions.builder().labelSelector("test=" + namespace).build();
  }

  private Unstructured labelled(Kind kind, String name) {
    Map<String, String> labels = Map.of("test", namespace);
    return kind.object(name, "1")
        .withMetadata(ObjectMeta.builder().name(name).labels(labels).build());
  }

  private String otherNamespace() {
    String other = namespace + "x";
    must(201, api().post("/api/v1/namespaces", "{'metadata':{'name':'" + other + "'}}"));
    return other;
  }

  private ResourceClient<Unstructured> typed(Kind kind) {
    return client.resource(
        Unstructured.type(kind.groupVersionKind(), kind.resource().resource(), true));
  }

  @ParameterizedTest
  @EnumSource
  void allNamespaces_areListedAndWatched(Kind kind) throws Exception {
    String other = otherNamespace();
    ResourceClient<Unstructured> typed = typed(kind);
    ResourceClient<Unstructured> dynamic = client.dynamic(kind.resource());
    MetadataClient metadata = client.metadata(kind.resource());
    ListOptions after =
        mine().toBuilder().resourceVersion(typed.list(mine()).metadata().resourceVersion()).build();
    try (Watch<Unstructured> one = typed.watch(after);
        Watch<Unstructured> two = dynamic.watch(after);
        Watch<PartialObjectMetadata> three = metadata.watch(after)) {
      typed.inNamespace(namespace).create(labelled(kind, "a"));
      typed.inNamespace(other).create(labelled(kind, "b"));

      assertThat(List.of(added(one), added(one))).containsExactly(namespace + "/a", other + "/b");
      assertThat(List.of(added(two), added(two))).containsExactly(namespace + "/a", other + "/b");
      assertThat(List.of(added(three), added(three)))
          .containsExactly(namespace + "/a", other + "/b");
    }
    assertThat(typed.list(mine()).items()).extracting(OurClient::nameOf).containsExactly("a", "b");
    assertThat(dynamic.list(mine()).items()).isEqualTo(typed.list(mine()).items());
    assertThat(metadata.list(mine()).items())
        .extracting(it -> it.metadata().namespace())
        .containsExactly(namespace, other);
    Table table = client.table(kind.resource()).list(mine());
    assertThat(table.rows()).extracting(row -> row.cells().get(0)).containsExactly("a", "b");
  }

  private static String added(Watch<? extends KubernetesObject> watch) throws InterruptedException {
    WatchEvent<? extends KubernetesObject> event = watch.next().orElseThrow();
    assertThat(event).isInstanceOf(WatchEvent.Added.class);
    ObjectMeta metadata = ((WatchEvent.Added<? extends KubernetesObject>) event).value().metadata();
    return metadata.namespace() + "/" + metadata.name();
  }

  @ParameterizedTest
  @EnumSource
  void dynamicClient_byKind_isEquivalent(Kind kind) throws Exception {
    Unstructured created = of(kind).create(kind.object("a", "1"));
    DeferredDiscoveryRESTMapper mapper =
        DeferredDiscoveryRESTMapper.of(MemCacheClient.of(DiscoveryClient.of(client)));

    // The real server serves a new kind a moment before its status says so.
    eventually(() -> knows(mapper, kind.groupVersionKind().groupKind()));
    ResourceClient<Unstructured> byKind =
        client.dynamic(mapper.restMapping(kind.groupVersionKind().groupKind()));

    assertThat(byKind.inNamespace(namespace).get("a")).isEqualTo(created);
  }

  @ParameterizedTest
  @EnumSource
  void metadataClient_readsPatchesAndWatches(Kind kind) throws Exception {
    Unstructured created = of(kind).create(kind.object("a", "1"));
    MetadataClient metadata = client.metadata(kind.resource()).inNamespace(namespace);

    PartialObjectMetadata read = metadata.get("a");
    assertThat(read.metadata()).isEqualTo(created.metadata());
    ListOptions after =
        ListOptions.builder().resourceVersion(created.metadata().resourceVersion()).build();
    try (Watch<PartialObjectMetadata> watch = metadata.watch(after)) {
      PartialObjectMetadata patched =
          metadata.patch(
              "a",
              Patch.merge(Map.of("metadata", Map.of("labels", Map.of("l", "x")))),
              PatchOptions.NONE);

      assertThat(patched.metadata().labels()).containsEntry("l", "x");
      assertThat(watch.next().orElseThrow()).isEqualTo(new WatchEvent.Modified<>(patched));
    }
    assertThat(value(of(kind).get("a"))).isEqualTo("1");
    refused(404, () -> metadata.get("no"));
  }

  private static boolean knows(RESTMapper mapper, GroupKind kind) {
    try {
      return mapper.restMapping(kind) != null;
    } catch (NoMatchException e) {
      return false;
    }
  }

  /* --------------- Pages and versions --------------- */

  @ParameterizedTest
  @EnumSource
  void pages_formOneList(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    for (String name : List.of("a", "b", "c")) {
      objects.create(kind.object(name, "1"));
    }
    ListOptions two = ListOptions.builder().limit(2L).build();
    List<String> names = new ArrayList<>();

    ListMeta first = objects.list(two, item -> names.add(nameOf(item)));
    objects.create(kind.object("bb", "1"));
    ListOptions rest = two.toBuilder().continueToken(first.continueToken()).build();
    ListMeta last = objects.list(rest, item -> names.add(nameOf(item)));

    assertThat(first.remainingItemCount()).isEqualTo(1);
    assertThat(names).containsExactly("a", "b", "c");
    assertThat(last.resourceVersion()).isEqualTo(first.resourceVersion());
    ListOptions narrower = rest.toBuilder().fieldSelector("metadata.name=bb").build();
    assertThat(objects.list(narrower, item -> names.add(nameOf(item))).continueToken())
        .as("what is selected may change between pages")
        .isNullOrEmpty();
    assertThat(names).hasSize(3);
    names.clear();
    objects.eachListItem(two, item -> names.add(nameOf(item)));
    assertThat(names).containsExactly("a", "b", "bb", "c");
    ListOptions bad = ListOptions.builder().continueToken("nonsense").build();
    refused(400, () -> objects.list(bad, item -> {}));
  }

  @ParameterizedTest
  @EnumSource
  void list_exactVersion_showsThePast(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    String first = objects.create(kind.object("a", "1")).metadata().resourceVersion();
    String second = objects.create(kind.object("b", "1")).metadata().resourceVersion();

    assertThat(objects.list(at(first, ResourceVersionMatch.EXACT)).items()).hasSize(1);
    assertThat(objects.list(at(second, ResourceVersionMatch.EXACT)).items()).hasSize(2);
    assertThat(objects.list(at(second, ResourceVersionMatch.NOT_OLDER_THAN)).items()).hasSize(2);
    assertThat(objects.list(at("0", ResourceVersionMatch.NOT_OLDER_THAN)).metadata()).isNotNull();
    assertThat(objects.list(at(second, null)).items()).hasSize(2);
    for (ListOptions bad :
        List.of(at("0", ResourceVersionMatch.EXACT), at("", ResourceVersionMatch.EXACT))) {
      assertThat(refused(422, () -> objects.list(bad)))
          .hasMessageContaining("resourceVersionMatch");
    }
    refused(400, () -> objects.list(at("abc", null)));
  }

  private static ListOptions at(String version, @Nullable ResourceVersionMatch match) {
    return ListOptions.builder().resourceVersion(version).resourceVersionMatch(match).build();
  }

  @ParameterizedTest
  @EnumSource
  void watch_invalidVersion_isRefused(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    objects.create(kind.object("a", "1"));

    assertThat(refused(500, () -> objects.watch(at("abc", null))))
        .hasMessageContaining("resourceVersion: Invalid value: \"abc\"");
    refused(422, () -> objects.watch(at("1", ResourceVersionMatch.EXACT)));
  }

  /* --------------- Waiting --------------- */

  @ParameterizedTest
  @EnumSource
  void await_conditionNeverTrue_timesOut(Kind kind) throws Exception {
    ResourceClient<Unstructured> objects = of(kind);
    objects.create(kind.object("a", "1"));

    assertThatThrownBy(() -> objects.await("a", Optional::isEmpty, Duration.ofMillis(200)))
        .isInstanceOf(TimeoutException.class);
    assertThat(objects.await("no", Optional::isEmpty, PATIENCE)).isEmpty();
    assertThat(objects.await("a", it -> it.isPresent(), PATIENCE))
        .map(OurClient::value)
        .contains("1");
  }

  @Test
  void until_conditions_areMetInOrder() throws Exception {
    ResourceClient<Unstructured> maps = of(Kind.BUILT_IN);
    Unstructured created = maps.create(Kind.BUILT_IN.object("a", "1"));
    ListOptions after =
        ListOptions.builder().resourceVersion(created.metadata().resourceVersion()).build();
    maps.update(created.with("2", "data", "k"));
    maps.delete("a");

    WatchEvent<Unstructured> last =
        Until.until(
            after,
            maps::watch,
            PATIENCE,
            List.of(
                event -> event instanceof WatchEvent.Modified,
                event -> event instanceof WatchEvent.Deleted));

    assertThat(last).isInstanceOf(WatchEvent.Deleted.class);
    assertThatThrownBy(
            () ->
                Until.until(
                    after,
                    maps::watch,
                    Duration.ofMillis(200),
                    List.of(event -> event instanceof WatchEvent.Bookmark)))
        .isInstanceOf(TimeoutException.class);
  }
}
