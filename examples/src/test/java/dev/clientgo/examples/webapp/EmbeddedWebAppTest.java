package dev.clientgo.examples.webapp;

import dev.clientgo.envtest.junit.ApiServerTest;

/** The operator on the embedded server. */
@ApiServerTest(crds = "src/main/crds/webapp.yaml", server = ApiServerTest.Server.EMBEDDED)
final class EmbeddedWebAppTest extends WebAppContract {}
