package dev.clientgo.controller;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

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
