package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.InformerHealth.Shard.FilteredBy;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The informers of {@code docs/shards.md}, on servers that support shards and that do not. */
@Timeout(300)
final class ShardsPageTest {

  private static final ResourceType<Unstructured> CONFIG_MAPS =
      Unstructured.type(new GroupVersionKind("", "v1", "ConfigMap"), "configmaps", true);

  private final Set<ObjectName> forgotten = ConcurrentHashMap.newKeySet();
  private final Set<ObjectName> tidiedUp = ConcurrentHashMap.newKeySet();

  private void forget(ObjectName name) {
    forgotten.add(name);
  }

  private void tidyUp(ObjectName name) {
    tidiedUp.add(name);
  }

  private static ResourceClient<Unstructured> createMaps(RESTClient client, int count, int size)
      throws InterruptedException {
    ResourceClient<Unstructured> maps = client.resource(CONFIG_MAPS).inNamespace("default");
    String text = "x".repeat(size);
    for (int i = 0; i < count; i++) {
      maps.create(
          Unstructured.of(Map.of("metadata", Map.of("name", "m" + i), "data", Map.of("k", text)))
              .withType("v1", "ConfigMap"));
    }
    return maps;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void page(boolean supported) throws InterruptedException {
    try (EmbeddedApiServer server =
            EmbeddedApiServer.builder().featureGate("ShardedListAndWatch", supported).start();
        RESTClient client = RESTClient.create(server.restConfig());
        SharedInformerFactory factory =
            SharedInformerFactory.builder(new DynamicInformerTest.Source(client))
                .namespace("default")
                .build()) {
      ResourceClient<Unstructured> maps = createMaps(client, 30, 1);
      int index = 1;

      List<ShardRange> thirds = ShardRange.split(3); // Of all hashes.
      ShardSelector mine = ShardSelector.of(ShardField.UID, thirds.get(index));
      SharedIndexInformer<Unstructured> pods = factory.of(CONFIG_MAPS).withShard(mine).informer();

      pods.addEventHandler(
          handler ->
              handler.onDelete(
                  deleted -> {
                    if (deleted.leftShard()) {
                      forget(deleted.objectName()); // Another replica has it.
                    } else {
                      tidyUp(deleted.objectName());
                    }
                  }));
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();
      ResourceList<Unstructured> all = maps.list();
      List<Unstructured> ours = all.items().stream().filter(mine::matches).toList();
      assertThat(pods.indexer().list()).containsExactlyInAnyOrderElementsOf(ours);
      Unstructured gone = ours.get(0);
      maps.delete(String.valueOf(gone.metadata().name()));
      Await.await(pods).untilDeleted("default/" + gone.metadata().name());

      pods.shard(ShardSelector.of(ShardField.UID, thirds.get(0), thirds.get(1)));
      if (!pods.awaitShard(Duration.ofMinutes(1))) {
        throw new IllegalStateException("no list of the new shard yet: " + pods.health());
      }
      assertThat(pods.indexer().list())
          .containsExactlyInAnyOrderElementsOf(
              maps.list().items().stream().filter(pods.shard()::matches).toList());

      List<String> before = List.copyOf(pods.indexer().listKeys());

      pods.shard(ShardSelector.of(ShardField.UID, thirds.get(2)));
      assertThat(pods.awaitShard(Duration.ofMinutes(1))).isTrue();
      Waiting.until("the handler has heard", () -> forgotten.size() == before.size());
      assertThat(tidiedUp).containsExactly(ObjectName.of(gone));
      assertThat(pods.health().shard().orElseThrow().filteredBy())
          .isIn(supported ? FilteredBy.SERVER : FilteredBy.CLIENT, FilteredBy.UNKNOWN);
    }
  }

  @Test
  void requests_ofAShard() throws InterruptedException {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Unstructured> maps = createMaps(client, 10, 1);
      ShardSelector mine = ShardSelector.of(ShardField.UID, ShardRange.split(3).get(0));

      ResourceList<Unstructured> list =
          maps.list(ListOptions.builder().shardSelector(mine).build());

      assertThat(list.metadata().shardInfo()).isNull();
      assertThat(list.items()).hasSize(10);
    }
  }

  /** With the server's help, a third of the objects is about a third of the bytes. */
  @Test
  void bytes_ofAShard_areItsShare() throws IOException, InterruptedException {
    long all = bytesOfAnInformer(ShardSelector.EVERYTHING);
    long third = bytesOfAnInformer(ShardSelector.of(ShardField.UID, ShardRange.split(3).get(0)));

    assertThat((double) third / all).isBetween(0.05, 0.75);
  }

  private static long bytesOfAnInformer(ShardSelector shard)
      throws IOException, InterruptedException {
    try (EmbeddedApiServer server =
            EmbeddedApiServer.builder().featureGate("ShardedListAndWatch", true).start();
        CuttingProxy proxy = CuttingProxy.to(server.url());
        RESTClient direct = RESTClient.create(server.restConfig());
        RESTClient client =
            RESTClient.create(
                server.restConfig().toBuilder().server(proxy.url().toString()).build());
        SharedInformerFactory factory =
            SharedInformerFactory.builder(new DynamicInformerTest.Source(client))
                .namespace("default")
                .build()) {
      createMaps(direct, 40, 2000);
      factory.of(CONFIG_MAPS).withShard(shard).informer();
      factory.start();
      factory.awaitSynced(Duration.ofSeconds(30)).orThrow();
      return proxy.receivedBytes();
    }
  }
}
