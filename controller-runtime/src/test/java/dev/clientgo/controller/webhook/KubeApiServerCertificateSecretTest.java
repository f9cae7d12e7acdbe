package dev.clientgo.controller.webhook;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.envtest.ApiServer;
import dev.clientgo.envtest.KubeApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract of certificates in a Secret against the real server. */
final class KubeApiServerCertificateSecretTest extends CertificateSecretContract {

  private static KubeApiServer server;

  @BeforeAll
  static void start() throws InterruptedException {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    server = KubeApiServer.start();
    server.installCrds(AdmissionContract.DEFINITIONS);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  ApiServer server() {
    return server;
  }
}
