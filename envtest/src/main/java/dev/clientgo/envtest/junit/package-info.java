/**
 * API servers for tests with JUnit 5.13 and later, and 6.
 *
 * <pre>{@code
 * @ApiServerTest(crds = "src/test/crds")
 * final class ControllerTest {
 *
 *   @Test
 *   void controller_createsADeployment(RESTClient client, @TestNamespace String namespace)
 *       throws Exception {
 *     client.resource(ConfigMap.TYPE).inNamespace(namespace).create(settings());
 *   }
 * }
 * }</pre>
 *
 * <p>The tests run against the embedded server, or with {@code -Dclientgo.apiserver=real} against
 * the real kube-apiserver.
 */
package dev.clientgo.envtest.junit;
