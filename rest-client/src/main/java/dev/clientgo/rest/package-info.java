/**
 * Talking to an API server.
 *
 * <p>A {@link dev.clientgo.rest.RestConfig} says where the server is, how it is trusted and who we
 * are. A {@link dev.clientgo.rest.RESTClient} made from it holds the connections. A {@link
 * dev.clientgo.rest.ResourceClient} gets, lists, watches and changes objects of one type; a {@link
 * dev.clientgo.rest.Request} does everything else, piece by piece.
 *
 * <pre>{@code
 * RestConfig config = KubeConfigLoader.standard().load();
 * try (RESTClient client = RESTClient.create(config)) {
 *   ResourceClient<Unstructured> pods = client.resource(POD).inNamespace("default");
 *   String version = pods.list(ListOptions.NONE).metadata().resourceVersion();
 *   ListOptions since = ListOptions.builder().resourceVersion(version).build();
 *   try (Watch<Unstructured> watch = pods.watch(since)) {
 *     for (var event = watch.next(); event.isPresent(); event = watch.next()) {
 *       System.out.println(event.get());
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>A resource that has no type is reached by {@link dev.clientgo.rest.RESTClient#dynamic}, its
 * metadata alone by {@link dev.clientgo.rest.RESTClient#metadata}, and what the server would print
 * of it by {@link dev.clientgo.rest.RESTClient#table}. {@link
 * dev.clientgo.rest.ResourceClient#await} waits for an object to become as it should be, {@link
 * dev.clientgo.rest.RetryWatcher} is a watch that goes on, and {@link dev.clientgo.rest.Retry} does
 * again what another writer has spoiled.
 *
 * <h2>Threads</h2>
 *
 * <p>There is no event loop and no pool: a call blocks the thread that makes it, and that thread
 * reads the answer from the socket while it decodes it. So a list of any length takes little
 * memory, a slow reader slows the server down, and a stack trace shows who waits for what. Whatever
 * blocks ends at once when its thread is interrupted, and throws {@link
 * java.lang.InterruptedException}.
 *
 * <h2>Failures</h2>
 *
 * <p>What the server says is an {@link dev.clientgo.apimachinery.status.ApiStatusException}; that
 * it says nothing, a {@link dev.clientgo.apimachinery.errors.TransportException}; that it says
 * something else than the type allows, a {@link dev.clientgo.apimachinery.errors.CodecException}. A
 * server that is busy and says so is asked again, and so is one whose connection broke, if nothing
 * but reading was asked for.
 */
package dev.clientgo.rest;
