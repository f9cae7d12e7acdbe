package dev.clientgo.envtest.controllers;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.Nested;

/** The contracts of all controllers, each against the same server, which has three nodes. */
abstract class AllContracts {

  /** Returns the server. */
  abstract ApiServer server();

  /** Returns an administrator's client of the server. */
  abstract RESTClient client();

  @Nested
  final class ServiceAccounts extends ServiceAccountContract {
    @Override
    ApiServer server() {
      return AllContracts.this.server();
    }

    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }

  @Nested
  final class Garbage extends GarbageCollectorContract {
    @Override
    ApiServer server() {
      return AllContracts.this.server();
    }

    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }

  @Nested
  final class Namespaces extends NamespaceContract {
    @Override
    ApiServer server() {
      return AllContracts.this.server();
    }

    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }

  @Nested
  final class ReplicaSets extends ReplicaSetContract {
    @Override
    ApiServer server() {
      return AllContracts.this.server();
    }

    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }

  @Nested
  final class DaemonSets extends DaemonSetContract {
    @Override
    ApiServer server() {
      return AllContracts.this.server();
    }

    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }

  @Nested
  final class ServiceEndpoints extends EndpointsContract {
    @Override
    ApiServer server() {
      return AllContracts.this.server();
    }

    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }

  @Nested
  final class Deployments extends DeploymentContract {
    @Override
    ApiServer server() {
      return AllContracts.this.server();
    }

    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }

  @Nested
  final class ResourceQuotas extends ResourceQuotaContract {
    @Override
    ApiServer server() {
      return AllContracts.this.server();
    }

    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }

  @Nested
  final class Jobs extends JobContract {
    @Override
    ApiServer server() {
      return AllContracts.this.server();
    }

    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }
}
