package dev.clientgo.envtest;

import org.junit.jupiter.api.Nested;

/** The contract of every API server. A subclass supplies the server under test. */
abstract class ApiServerContract {

  abstract ApiServer server();

  abstract TestClient api();

  @Nested
  final class Writing extends WritingContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Patching extends PatchContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class ValidatingFields extends FieldValidationContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Conversions extends ConversionContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class PodConnections extends PodConnectionContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Sizes extends SizeContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class StatusSubresource extends StatusContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Deleting extends DeletionContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Listing extends ListContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class ShardsThatAreOff extends ShardsOffContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Watching extends WatchContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Namespaces extends NamespaceContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Paths extends PathContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class CustomResourceKinds extends CustomResourceContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class RulesInCel extends CelContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Applying extends ApplyContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class StrategicPatching extends StrategicPatchContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Scaling extends ScaleContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class PodSubresources extends PodSubresourceContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class TokensOfAccounts extends TokenContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Accessing extends AccessContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Evicting extends EvictionContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class Tables extends TableContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class PrintedKinds extends PrintedKindsContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }
  }

  @Nested
  final class ReadingSomeFields extends ProjectionContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }

    @Override
    ApiServer server() {
      return ApiServerContract.this.server();
    }
  }

  @Nested
  final class OurClientAtLarge extends ClientContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }

    @Override
    ApiServer server() {
      return ApiServerContract.this.server();
    }
  }

  @Nested
  final class OurClientReading extends ClientReadingContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }

    @Override
    ApiServer server() {
      return ApiServerContract.this.server();
    }
  }

  @Nested
  final class OurClientWriting extends ClientWritingContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }

    @Override
    ApiServer server() {
      return ApiServerContract.this.server();
    }
  }

  @Nested
  final class OurClientDeleting extends ClientDeletingContract {
    @Override
    TestClient api() {
      return ApiServerContract.this.api();
    }

    @Override
    ApiServer server() {
      return ApiServerContract.this.server();
    }
  }
}
