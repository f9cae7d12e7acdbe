package dev.clientgo.envtest.controllers;

import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.Nested;

/** The contracts of all controllers, each against the same server. */
abstract class AllContracts {

  /** Returns an administrator's client of the server. */
  abstract RESTClient client();

  @Nested
  final class ServiceAccounts extends ServiceAccountContract {
    @Override
    RESTClient client() {
      return AllContracts.this.client();
    }
  }
}
