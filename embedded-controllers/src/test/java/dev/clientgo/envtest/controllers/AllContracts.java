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
  final class ServiceAccounts extends ServiceAccountContract {}

  @Nested
  final class Garbage extends GarbageCollectorContract {}

  @Nested
  final class Namespaces extends NamespaceContract {}

  @Nested
  final class ReplicaSets extends ReplicaSetContract {}

  @Nested
  final class DaemonSets extends DaemonSetContract {}

  @Nested
  final class StatefulSets extends StatefulSetContract {}

  @Nested
  final class ServiceEndpoints extends EndpointsContract {}

  @Nested
  final class Deployments extends DeploymentContract {}

  @Nested
  final class ResourceQuotas extends ResourceQuotaContract {}

  @Nested
  final class Jobs extends JobContract {}
}
