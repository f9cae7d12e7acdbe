package dev.clientgo.envtest.controllers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.KubeCluster;
import dev.clientgo.rest.RESTClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contracts of the controllers, on a real cluster with the real controllers. */
final class KubeClusterContractTest extends AllContracts {

  private static KubeCluster cluster;
  private static RESTClient client;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(KubeCluster.isAvailable(), "build it with envtest/kube-apiserver/build");
    cluster =
        KubeCluster.builder()
            .nodes(3)
            .image(JobContract.SUCCEEDS, "true")
            .image(JobContract.FAILS, "sh", "-c", "exit 3")
            .start();
    client = RESTClient.create(cluster.restConfig());
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      client.close();
      cluster.close();
    }
  }

  @Override
  ApiServer server() {
    return cluster;
  }

  @Override
  RESTClient client() {
    return client;
  }
}
