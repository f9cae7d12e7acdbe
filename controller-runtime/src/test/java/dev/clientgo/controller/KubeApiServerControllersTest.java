package dev.clientgo.controller;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.rest.RESTClient;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contracts of controllers on the real kube-apiserver. */
final class KubeApiServerControllersTest {

  private static final AtomicInteger NAMES = new AtomicInteger();

  private static KubeApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server = KubeApiServer.start();
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
  final class Finalizing extends FinalizerContract {
    @Override
    RESTClient client() {
      return client;
    }

    @Override
    String name() {
      return "finalizing-" + NAMES.incrementAndGet();
    }
  }

  @Nested
  final class CreatingOrUpdating extends CreateOrUpdateContract {
    @Override
    RESTClient client() {
      return client;
    }

    @Override
    String name() {
      return "written-" + NAMES.incrementAndGet();
    }
  }

  @Nested
  final class Applying extends ApplyContract {
    @Override
    RESTClient client() {
      return client;
    }

    @Override
    String name() {
      return "applied-" + NAMES.incrementAndGet();
    }
  }

  @Nested
  final class OfAnOwner extends ChildrenContract {
    @Override
    RESTClient client() {
      return client;
    }

    @Override
    String name() {
      return "children-" + NAMES.incrementAndGet();
    }
  }

  @Nested
  final class Fighting extends FightContract {
    @Override
    RESTClient client() {
      return client;
    }

    @Override
    String name() {
      return "fought-" + NAMES.incrementAndGet();
    }
  }

  @Nested
  final class Sharing extends ShardsContract {
    @Override
    RESTClient client() {
      return client;
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
      return false;
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
