package dev.clientgo.examples.podservice;

import dev.clientgo.envtest.junit.ApiServerTest;

/** The pod service on the real kube-apiserver. */
@ApiServerTest(server = ApiServerTest.Server.REAL)
final class KubeApiServerPodServiceTest extends PodServiceContract {}
