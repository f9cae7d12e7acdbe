package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Replicas that share objects, on an embedded server that supports shards. */
final class EmbeddedShardsTest {

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.builder().featureGate("ShardedListAndWatch", true).start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  /** A cache that waits for the slots of its replica tells what it waits for. */
  @Test
  void groupThatCannotBeJoined_failsTheController() {
    try (RESTClient cutOff =
            RESTClient.builder(server.restConfig())
                .addInterceptor(
                    (request, next) -> {
                      if (request.url().getPath().contains("/leases")) {
                        throw new TransportException(
                            TransportException.Kind.CONNECTION_LOST, "no leases today", null);
                      }
                      return next.send(request);
                    })
                .build();
        Manager manager =
            Manager.builder(cutOff).shards(LeaseLock.of("default", "unreachable")).build()) {
      manager.add(
          Controller.builder((request, context) -> Result.done())
              .forKind(ConfigMap.TYPE)
              .shardedCache(true)
              .cacheSyncTimeout(Duration.ofMillis(500))
              .build());
      manager.start();

      assertThatThrownBy(manager::awaitEnd)
          .isInstanceOf(CacheSyncException.class)
          .hasMessageContaining("which objects to cache")
          .hasMessageContaining("default/unreachable");
    }
  }

  @Nested
  final class ShardedCaches extends ShardedCacheContract {
    @Override
    RESTClient client() {
      return client;
    }

    @Override
    boolean serverHasShards() {
      return true;
    }
  }
}
