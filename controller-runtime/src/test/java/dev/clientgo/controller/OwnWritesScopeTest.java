package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Own writes seen through every Java type of a resource, and through informers that follow a part
 * of it, on a server whose watches are silent after the first read.
 */
final class OwnWritesScopeTest {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient rest = RESTClient.create(server.restConfig());
  private final ResourceClient<ConfigMap> other =
      rest.resource(ConfigMap.TYPE).inNamespace("default");
  private Manager manager;

  @AfterEach
  void stop() {
    manager.close();
    rest.close();
    server.close();
  }

  private void start(Consumer<SharedInformerFactory.Builder> informers) {
    manager = Manager.builder(rest).informers(informers).build();
    manager.start();
  }

  private void startWith(ListOptions selectors) {
    start(
        factory ->
            factory.tweakListOptions(
                options ->
                    options.toBuilder()
                        .labelSelector(selectors.labelSelector())
                        .fieldSelector(selectors.fieldSelector())
                        .build()));
  }

  private <T extends KubernetesObject> CachedResource<T> cached(ResourceType<T> type)
      throws InterruptedException {
    CachedResource<T> resource = manager.client().resource(type).inNamespace("default");
    resource.list();
    return resource;
  }

  private void silence(int watches) throws InterruptedException {
    server.awaitWatches(watches);
    server.watches().forEach(OpenWatch::goSilent);
  }

  private static ConfigMap map(String name, String a, Map<String, String> labels) {
    return ConfigMap.of(
        "default", name, c -> c.data(Map.of("a", a)).editMetadata(m -> m.labels(labels)));
  }

  @Test
  void writesOfAType_areVisibleThroughItsMetadataPartsAndTrees() throws Exception {
    start(factory -> {});
    CachedResource<ConfigMap> whole = cached(ConfigMap.TYPE);
    CachedResource<PartialObjectMetadata> metadata = cached(ConfigMap.TYPE.metadataOnly());
    CachedResource<ConfigMap> part = cached(ConfigMap.TYPE.keep("data.a"));
    CachedResource<Unstructured> tree =
        cached(Unstructured.type(ConfigMap.TYPE.kind(), "configmaps", true));
    silence(4);

    ConfigMap created = whole.create(map("x", "1", Map.of("l", "1")));

    String version = created.metadata().resourceVersion();
    assertThat(metadata.find("x").map(o -> o.metadata().resourceVersion())).contains(version);
    assertThat(metadata.list(Selector.parse("l=1"))).hasSize(1);
    assertThat(part.get("x").data()).isEqualTo(Map.of("a", "1"));
    assertThat(tree.get("x").content()).containsEntry("data", Map.of("a", "1"));

    whole.edit("x", c -> c.with(b -> b.data(Map.of("a", "2", "b", "3"))));
    assertThat(part.get("x").data()).isEqualTo(Map.of("a", "2"));
    assertThat(tree.get("x").content()).containsEntry("data", Map.of("a", "2", "b", "3"));

    whole.delete("x");
    assertThat(metadata.find("x")).isEmpty();
    assertThat(part.list()).isEmpty();
    assertThat(tree.find("x")).isEmpty();
  }

  /** The writer's type has less than the reader's, so only the server knows the rest. */
  @Test
  void writesOfANarrowerType_areVisibleWithAllTheirFields() throws Exception {
    start(factory -> {});
    CachedResource<ConfigMap> whole = cached(ConfigMap.TYPE);
    CachedResource<PartialObjectMetadata> metadata = cached(ConfigMap.TYPE.metadataOnly());
    other.create(map("x", "1", Map.of()));
    Eventually.await("the object", () -> isIn(whole, "x") && isIn(metadata, "x"));
    silence(2);

    metadata.patch("x", Patch.merge("{\"metadata\":{\"labels\":{\"l\":\"2\"}}}"));

    assertThat(whole.get("x").metadata().labels()).containsEntry("l", "2");
    assertThat(whole.get("x").data()).containsEntry("a", "1");
    assertThat(whole.list(Selector.parse("l=2"))).hasSize(1);

    metadata.delete("x");
    assertThat(whole.find("x")).isEmpty();
  }

  private static boolean isIn(CachedResource<?> resource, String name) {
    try {
      return resource.find(name).isPresent();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void updateThatLeavesTheLabelSelector_isNotReadAnyMore() throws Exception {
    startWith(ListOptions.builder().labelSelector("app=web").build());
    CachedResource<ConfigMap> maps = cached(ConfigMap.TYPE);
    ConfigMap created = maps.create(map("x", "1", Map.of("app", "web")));
    Eventually.await("the object", () -> isIn(maps, "x"));
    silence(1);

    ConfigMap left =
        maps.update(created.with(b -> b.editMetadata(m -> m.labels(Map.of("app", "db")))));
    assertThat(maps.find("x")).isEmpty();
    assertThat(maps.list()).isEmpty();

    maps.update(left.with(b -> b.editMetadata(m -> m.labels(Map.of("app", "web")))));
    assertThat(maps.find("x")).isPresent();
    assertThat(maps.list()).hasSize(1);
  }

  @Test
  void writesInAnInformerWithFieldSelectors_areThoseThatTheServerSelects() throws Exception {
    startWith(ListOptions.builder().fieldSelector("type=test/in").build());
    CachedResource<Secret> secrets = cached(Secret.TYPE);
    silence(1);

    secrets.create(Secret.of("default", "x", s -> s.type("test/in")));
    secrets.create(Secret.of("default", "y", s -> s.type("test/out")));

    assertThat(secrets.find("x")).isPresent();
    assertThat(secrets.find("y")).isEmpty();
    assertThat(secrets.list()).hasSize(1);

    secrets.delete("x");
    assertThat(secrets.list()).isEmpty();
  }

  @Test
  void readOutsideOfTheNamespace_isAnErrorThatNamesIt() throws Exception {
    start(factory -> factory.namespace("default"));
    CachedResource<ConfigMap> all = manager.client().resource(ConfigMap.TYPE);
    CachedResource<ConfigMap> elsewhere = all.inNamespace("elsewhere");
    rest.resource(Namespace.TYPE).create(Namespace.of("elsewhere", n -> {}));
    rest.resource(ConfigMap.TYPE)
        .inNamespace("elsewhere")
        .create(ConfigMap.of("elsewhere", "x", c -> {}));

    assertThatThrownBy(() -> elsewhere.find("x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the cache of configmaps has only the namespace default")
        .hasMessageContaining("elsewhere")
        .hasMessageContaining("uncached()");
    assertThatThrownBy(elsewhere::list).hasMessageContaining("uncached()");
    assertThatThrownBy(() -> elsewhere.list(Selector.everything()))
        .hasMessageContaining("uncached()");
    assertThatThrownBy(() -> all.find(new Request("elsewhere", "x")))
        .hasMessageContaining("uncached()");
    assertThatThrownBy(() -> all.view().inNamespace("elsewhere").list())
        .hasMessageContaining("uncached()");
    assertThat(all.list()).isEmpty();

    // Writes go to the server, wherever the object is.
    elsewhere.createOrUpdate(
        ConfigMap.of("elsewhere", "x", c -> {}), m -> m.with(c -> c.data(Map.of("a", "1"))));
    assertThat(elsewhere.uncached().get("x").data()).containsEntry("a", "1");
    elsewhere.delete("x");
    assertThat(elsewhere.deleteIfExists("x")).isFalse();
  }

  @Test
  void readThatTheSelectorOfTheCacheRulesOut_isAnError() throws Exception {
    startWith(ListOptions.builder().labelSelector("app=web").build());
    CachedResource<ConfigMap> maps = cached(ConfigMap.TYPE);

    assertThatThrownBy(() -> maps.list(Selector.parse("app=db")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("app=web")
        .hasMessageContaining("uncached()");
    assertThatThrownBy(() -> maps.list(ListOptions.builder().labelSelector("app=db,x=1").build()))
        .hasMessageContaining("uncached()");
    assertThat(maps.list(Selector.parse("app=web,tier=1"))).isEmpty();
    assertThat(maps.list(Selector.parse("tier=1"))).isEmpty();
  }
}
