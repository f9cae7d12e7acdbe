package dev.clientgo.controller;

import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.rest.RESTClient;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contracts of controllers on the embedded server. */
final class EmbeddedControllersTest {

  private static final AtomicInteger NAMES = new AtomicInteger();

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
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
}
