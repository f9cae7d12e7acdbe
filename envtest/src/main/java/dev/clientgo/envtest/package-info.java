/**
 * API servers for tests and first steps.
 *
 * <p>{@link dev.clientgo.envtest.EmbeddedApiServer} runs in this process and starts in
 * milliseconds. It serves built-in and custom kinds with paged lists, watches, conflicts,
 * finalizers, server-side apply, scale, tables and discovery. {@link
 * dev.clientgo.envtest.KubeApiServer} runs the real server; one suite of tests holds both to the
 * same behaviour. Neither runs controllers: nothing schedules pods or collects garbage.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start();
 *     RESTClient client = RESTClient.create(server.restConfig())) {
 *   ResourceClient<Unstructured> configMaps =
 *       client.dynamic(new GroupVersionResource("", "v1", "configmaps")).inNamespace("default");
 *   configMaps.create(Unstructured.parse(
 *       "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"));
 *
 *   server.faults().on(request -> request.matches("get", "configmaps")).times(1).answer(500);
 *   assertThatThrownBy(() -> configMaps.get("a")).isInstanceOf(ApiStatusException.class);
 *   assertThat(configMaps.get("a").metadata().name()).isEqualTo("a");
 * }
 * }</pre>
 *
 * <p>A test of a controller sets up objects with {@link dev.clientgo.envtest.EmbeddedApiServer#put}
 * and {@link dev.clientgo.envtest.EmbeddedApiServer#objects}, checks the requests of clients with
 * {@link dev.clientgo.envtest.EmbeddedApiServer#sent}, answers some itself with {@link
 * dev.clientgo.envtest.EmbeddedApiServer#reactors}, and makes the server fail as real servers do
 * with {@link dev.clientgo.envtest.EmbeddedApiServer#faults} and {@link
 * dev.clientgo.envtest.traffic.OpenWatch}.
 *
 * <p>Corresponds to controller-runtime's {@code envtest}; tests use it like client-go's fakes.
 */
package dev.clientgo.envtest;
