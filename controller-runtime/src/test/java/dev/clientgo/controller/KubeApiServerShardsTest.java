package dev.clientgo.controller;

import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Replicas that share objects, on a real kube-apiserver that supports shards. */
final class KubeApiServerShardsTest {

  private static KubeApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    try {
      server = KubeApiServer.builder().flag("--feature-gates=ShardedListAndWatch=true").start();
    } catch (IllegalStateException e) {
      assumeFalse(("" + e.getMessage()).contains("unrecognized feature gate"), "before 1.36");
      throw e;
    }
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      client.close();
      server.close();
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

  @Nested
  final class ShardProcesses extends ShardProcessContract {
    @Override
    ApiServer server() {
      return server;
    }
  }
}
