package dev.clientgo.envtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Holds the contract of API servers to the real one: it says what is true. */
final class KubeApiServerContractTest {

  private static KubeApiServer server;
  private static TestClient api;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server = KubeApiServer.start();
    api = TestClient.of(server);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      api.close();
      server.close();
    }
  }

  @Nested
  final class Writing extends WritingContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class Patching extends PatchContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class StatusSubresource extends StatusContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class Deleting extends DeletionContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class Listing extends ListContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class Watching extends WatchContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class Namespaces extends NamespaceContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class Paths extends PathContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class CustomResourceKinds extends CustomResourceContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class Applying extends ApplyContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class StrategicPatching extends StrategicPatchContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class Subresources extends SubresourceContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class Tables extends TableContract {
    @Override
    TestClient api() {
      return api;
    }
  }

  @Nested
  final class OurClient extends ClientContract {
    @Override
    TestClient api() {
      return api;
    }

    @Override
    ApiServer server() {
      return server;
    }
  }
}
