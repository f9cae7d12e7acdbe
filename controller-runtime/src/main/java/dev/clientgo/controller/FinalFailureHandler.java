package dev.clientgo.controller;

/**
 * Handles the failure of a request that the controller does not try again: after a {@link
 * TerminalException}, or after the last of the {@linkplain ControllerBuilder#maxRetries retries}.
 * It can write the error into the status of the object:
 *
 * <pre>{@code
 * .maxRetries(10)
 * .onFinalFailure(
 *     (request, error, context) ->
 *         context
 *             .client()
 *             .resource(Foo.TYPE)
 *             .inNamespace(request.namespace())
 *             .editStatus(request.name(), foo -> foo.withStatus(s -> s.message(error.getMessage()))))
 * }</pre>
 *
 * <p>A worker calls it after the reconcile, with a context like that of the reconcile. The {@link
 * ControllerBuilder#reconcileTimeout} is for both together; after a reconcile that has used it up,
 * the handler has no limit. Its own writes cause an event as all writes do: a predicate such as
 * {@code generationChanged} keeps that from a new round of retries.
 *
 * <p>Corresponds to {@code ErrorStatusHandler} of the Java Operator SDK.
 */
@FunctionalInterface
public interface FinalFailureHandler {

  /**
   * Handles the failure. If it throws, the controller tries the request again with the usual delay,
   * so that the failure is not lost.
   *
   * @param error what the reconciler threw at last
   * @throws InterruptedException if the thread is interrupted
   */
  void failed(Request request, Throwable error, Context context) throws InterruptedException;
}
