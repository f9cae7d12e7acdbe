package dev.clientgo.controller;

import dev.clientgo.envtest.junit.ApiServerTest;

/** Controllers and managers on the embedded server. */
@ApiServerTest(server = ApiServerTest.Server.EMBEDDED)
final class EmbeddedControllerTest extends ManagerContract {}
