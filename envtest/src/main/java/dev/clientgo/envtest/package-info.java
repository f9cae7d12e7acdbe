/**
 * API servers for tests and first steps.
 *
 * <p>{@link dev.clientgo.envtest.EmbeddedApiServer} runs in process and starts in milliseconds. It
 * has built-in kinds and custom ones, lists with pages, watches, conflicts, finalizers, server-side
 * apply, scale, tables and discovery; what it does is held to what {@link
 * dev.clientgo.envtest.KubeApiServer}, the real one, does, by one suite of tests. There are no
 * controllers behind either: nothing schedules a pod, and nothing collects garbage.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start();
 *     RESTClient client = RESTClient.create(server.restConfig())) {
 *   ResourceClient<Unstructured> configMaps =
 *       client.dynamic(new GroupVersionResource("", "v1", "configmaps")).inNamespace("default");
 *   configMaps.create(Unstructured.parse(
 *       "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"));
 *
 *   server.faults().when(request -> request.is("get", "configmaps")).times(1).answer(500);
 *   assertThatThrownBy(() -> configMaps.get("a")).isInstanceOf(ApiStatusException.class);
 *   assertThat(configMaps.get("a").metadata().name()).isEqualTo("a");
 * }
 * }</pre>
 *
 * <p>A test of a controller sets the scene by {@link
 * dev.clientgo.envtest.EmbeddedApiServer#objects}, looks at what was asked of the server by {@link
 * dev.clientgo.envtest.EmbeddedApiServer#requests}, and makes the server fail in every way that
 * real ones do by {@link dev.clientgo.envtest.EmbeddedApiServer#faults} and {@link
 * dev.clientgo.envtest.traffic.OpenWatch}.
 *
 * <p>Corresponds to controller-runtime's {@code envtest}, and in its use to client-go's fakes.
 */
package dev.clientgo.envtest;
