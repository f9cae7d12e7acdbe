/**
 * The client of an API server.
 *
 * <p>A {@link dev.clientgo.rest.config.RestConfig} has the URL of the server, the certificates to
 * trust and the credentials. A {@link dev.clientgo.rest.RESTClient} made from it holds the
 * connections. A {@link dev.clientgo.rest.ResourceClient} gets, lists, watches and changes objects
 * of one type; a {@link dev.clientgo.rest.Request} reaches every other path of a server.
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
 * <p>{@link dev.clientgo.rest.RESTClient#dynamic} reads a resource without a type, {@link
 * dev.clientgo.rest.RESTClient#metadata} only metadata, {@link dev.clientgo.rest.RESTClient#table}
 * the table that the server prints. {@link dev.clientgo.rest.ResourceClient#await} waits for an
 * object to meet a condition, {@link dev.clientgo.rest.RetryWatcher} survives the end of its
 * connection, and {@link dev.clientgo.rest.Retry} repeats a write after a conflict.
 *
 * <h2>Threads</h2>
 *
 * <p>There is no event loop and no thread pool: a call blocks the thread of the caller, which
 * decodes the response while it reads it from the socket. So a list of any length needs little
 * memory, a slow reader slows the server down, and a stack trace shows what each thread waits for.
 * A blocking call ends at once when its thread is interrupted, and throws {@link
 * java.lang.InterruptedException}.
 *
 * <h2>Failures</h2>
 *
 * <p>An error from the server is an {@link dev.clientgo.apimachinery.status.ApiStatusException}, a
 * missing response a {@link dev.clientgo.apimachinery.errors.TransportException}, and a response
 * that does not fit the type a {@link dev.clientgo.apimachinery.errors.CodecException}. A request
 * is sent again if the server is busy and asks for that, or if the connection broke and the request
 * only reads.
 */
package dev.clientgo.rest;
