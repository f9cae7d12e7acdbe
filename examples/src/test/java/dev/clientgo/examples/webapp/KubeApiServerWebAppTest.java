package dev.clientgo.examples.webapp;

import dev.clientgo.envtest.junit.ApiServerTest;

/** The operator on the real kube-apiserver. */
@ApiServerTest(crds = "src/main/crds/webapp.yaml", server = ApiServerTest.Server.REAL)
final class KubeApiServerWebAppTest extends WebAppContract {}
