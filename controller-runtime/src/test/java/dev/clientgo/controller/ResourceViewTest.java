package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.events.FakeRecorder;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The view of a reconcile, on the embedded server. */
@Timeout(300)
final class ResourceViewTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private EmbeddedApiServer server;
  private RESTClient rest;
  private Manager manager;
  private CachedResource<ConfigMap> cached;
  private ResourceClient<ConfigMap> other;

  @BeforeEach
  void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    rest = RESTClient.create(server.restConfig());
    manager =
        Manager.builder(rest)
            .informers(
                factory ->
                    factory.configure(
                        ConfigMap.TYPE,
                        informer ->
                            informer.indexer(
                                "field:data.a",
                                IndexFunction.ofNullable(object -> object.data().get("a")))))
            .build();
    manager.start();
    cached = manager.client().resource(ConfigMap.TYPE).inNamespace("default");
    other = rest.resource(ConfigMap.TYPE).inNamespace("default");
    cached.list(); // The first read begins to watch.
    server.awaitWatches(1);
  }

  @AfterEach
  void stop() {
    manager.close();
    rest.close();
    server.close();
  }

  private static ConfigMap configMap(String name, String a) {
    ObjectMeta metadata =
        ObjectMeta.builder().namespace("default").name(name).labels(Map.of("a", a)).build();
    return ConfigMap.of(c -> c.metadata(metadata).data(Map.of("a", a)));
  }

  private Context reconcile() {
    return new Context(
        "c",
        new Request("default", "x"),
        1,
        0,
        0,
        manager.client(),
        FakeRecorder.create(),
        () -> {},
        client -> (a, b, c, d) -> new ChildrenResult(List.of()),
        () -> 1);
  }

  /** Waits until the watch has delivered an object that another client has created. */
  private void awaitCached(String name) throws InterruptedException {
    Clock clock = Clock.system();
    long start = clock.nanoTime();
    while (cached.find(name).isEmpty()) {
      if (clock.nanoTime() - start > LIMIT.toNanos()) {
        throw new AssertionError("waited " + LIMIT + " for " + name);
      }
      clock.sleep(Duration.ofMillis(2));
    }
  }

  private static List<String> names(List<ConfigMap> objects) {
    return objects.stream().map(object -> object.metadata().name()).sorted().toList();
  }

  @Test
  void view_ofOneReconcile_isTheSameAtEachCall_andOfTheNextOneIsNewer() throws Exception {
    other.create(configMap("x", "1"));
    awaitCached("x");
    Context reconcile = reconcile();
    ResourceView<ConfigMap> view = reconcile.view(ConfigMap.TYPE);

    ConfigMap newest = other.update(cached.get("x").with(c -> c.data(Map.of("a", "2"))));
    other.create(configMap("y", "1"));
    awaitCached("y");

    assertThat(reconcile.view(ConfigMap.TYPE)).isSameAs(view);
    ResourceView<ConfigMap> here = view.inNamespace("default");
    assertThat(names(here.list())).containsExactly("x");
    assertThat(names(here.byIndex("field:data.a", "1"))).containsExactly("x");
    assertThat(here.get("x").data()).containsEntry("a", "1");
    assertThat(view.find(new Request("default", "x"))).contains(here.get("x"));
    assertThat(here.find("y")).isEmpty();
    assertThat(here.size()).isEqualTo(1);
    ResourceView<ConfigMap> next = reconcile().view(ConfigMap.TYPE).inNamespace("default");
    assertThat(names(next.list())).containsExactly("x", "y");
    assertThat(next.get("x")).isEqualTo(newest);
    assertThat(Long.parseLong(next.resourceVersion()))
        .isGreaterThan(Long.parseLong(view.resourceVersion()));
  }

  @Test
  void view_hasTheOwnWritesBeforeIt_andNotThoseAfter() throws Exception {
    other.create(configMap("deleted", "1"));
    awaitCached("deleted");
    server.watches().forEach(OpenWatch::goSilent);
    cached.create(configMap("before", "1"));
    cached.delete("deleted");

    Context reconcile = reconcile();
    ResourceView<ConfigMap> view = reconcile.view(ConfigMap.TYPE).inNamespace("default");
    cached.create(configMap("after", "1"));
    cached.edit("before", c -> c.with(edit -> edit.data(Map.of("a", "2"))));

    assertThat(names(view.list())).containsExactly("before");
    assertThat(names(view.byIndex("field:data.a", "1"))).containsExactly("before");
    assertThat(view.byIndex("field:data.a", "2")).isEmpty();
    assertThat(names(reconcile.view(ConfigMap.TYPE).list())).containsExactly("before");
    assertThat(names(cached.view().list())).containsExactly("after", "before");
    assertThat(names(cached.view().byIndex("field:data.a", "2"))).containsExactly("before");
  }

  @Test
  void reads_selectAsThoseOfTheClientDo() throws Exception {
    cached.create(configMap("x", "1"));
    cached.create(configMap("y", "2"));
    ResourceView<ConfigMap> view = reconcile().view(ConfigMap.TYPE);
    ResourceView<ConfigMap> here = view.inNamespace("default");

    assertThat(names(here.list(Selector.parse("a=2")))).containsExactly("y");
    assertThat(names(here.list(ListOptions.builder().fieldSelector("data.a=1").build())))
        .containsExactly("x");
    assertThat(names(here.list(ListOptions.builder().fieldSelector("metadata.name=y").build())))
        .containsExactly("y");
    assertThat(here.list(ListOptions.builder().limit(1L).build())).hasSize(1);
    assertThat(view.inNamespace("other").list()).isEmpty();
    assertThatThrownBy(() -> here.byIndex("node", "n1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no index \"node\": add it by Manager.builder(client)");
    assertThatThrownBy(() -> here.get("z"))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
    assertThat(here).hasToString("view of configmaps in default at " + view.resourceVersion());
  }
}
