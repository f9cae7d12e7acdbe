package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * etcd is compacted while the informer is disconnected, and between the pages of its list. A server
 * without a watch cache then no longer has the informer's version. The informer must notice, list
 * again, and report the objects that were deleted meanwhile.
 */
@Timeout(300)
final class EtcdCompactionTest {

  private static final ResourceType<Unstructured> CONFIG_MAPS =
      Unstructured.type(new GroupVersionKind("", "v1", "ConfigMap"), "configmaps", true);

  private static final Duration SOON = Duration.ofSeconds(60);

  private static final int ROUNDS = Integer.getInteger("compaction.rounds", 5);
  private static final int NAMES = 30;
  private static final int PAGE_SIZE = 7;

  private final Random random = new Random(Long.getLong("compaction.seed", 20261121));

  @ParameterizedTest(name = "streaming={0}")
  @ValueSource(booleans = {true, false})
  void compaction_informerRelists_andAgrees(boolean streaming) throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    try (KubeApiServer server = KubeApiServer.builder().flag("--watch-cache=false").start();
        CuttingProxy proxy = CuttingProxy.to(server.url());
        RESTClient writes = RESTClient.create(server.restConfig());
        RESTClient reads =
            RESTClient.create(
                server.restConfig().toBuilder()
                    .server("https://127.0.0.1:" + proxy.port())
                    .build());
        Follower follower =
            new Follower(
                reads,
                writes,
                CONFIG_MAPS,
                ReflectorOptions.builder()
                    .backoff(Backoff.builder(Duration.ofMillis(20)).build())
                    .useWatchList(streaming)
                    .watchListPageSize(PAGE_SIZE))) {
      ResourceClient<Unstructured> objects = writes.resource(CONFIG_MAPS).inNamespace("default");
      follower.informer().start();
      assertThat(follower.informer().awaitSynced(SOON)).isTrue();

      for (int round = 0; round < ROUNDS; round++) {
        change(objects, 30);
        proxy.refuse();
        change(objects, 30);
        compact(server, objects);
        proxy.accept();
        // The list may have expired between two pages.
        change(objects, 5);
        compact(server, objects);
        String reached = objects.list(ListOptions.NONE).metadata().resourceVersion();
        objects.create(configMap("round-" + round));
        assertThat(follower.informer().awaitResourceVersion(reached, SOON))
            .as("round %d: %s, %s", round, follower.informer().health(), follower.errors())
            .isTrue();
      }

      follower.assertAgrees();
      long expired = follower.expired();
      System.out.printf("compaction: %d rounds, %d times expired%n", ROUNDS, expired);
      assertThat(expired).isPositive(); // Not in each round: it may be listing when it is cut off.
    }
  }

  private void change(ResourceClient<Unstructured> objects, int writes)
      throws InterruptedException {
    for (int i = 0; i < writes; i++) {
      String name = "object-" + random.nextInt(NAMES);
      try {
        if (random.nextInt(3) == 0) {
          objects.delete(name);
        } else {
          objects.update(objects.get(name).with("v" + i, "data", "text"));
        }
      } catch (ApiStatusException e) {
        if (!e.isNotFound()) {
          throw e;
        }
        objects.create(configMap(name));
      }
    }
  }

  private static Unstructured configMap(String name) {
    return Unstructured.of(
        Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", name)));
  }

  private static void compact(KubeApiServer server, ResourceClient<Unstructured> objects)
      throws IOException, InterruptedException {
    EtcdCompaction.compact(server, objects.list(ListOptions.NONE).metadata().resourceVersion());
  }
}
