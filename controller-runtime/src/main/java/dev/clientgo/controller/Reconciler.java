package dev.clientgo.controller;

/**
 * Makes the actual state of one object like its desired state.
 *
 * <p>A reconciler looks at the state as it is, and does not depend on the event that caused the
 * call. It must be idempotent: the controller calls it after a restart, after a failure, and
 * sometimes without a change.
 *
 * <pre>{@code
 * Reconciler reconciler = (request, context) -> {
 *   Optional<Foo> foo = context.client().resource(Foo.TYPE).find(request);
 *   if (foo.isEmpty()) {
 *     return Result.done(); // It is gone, and its objects with it.
 *   }
 *   ...
 *   return Result.done();
 * };
 * }</pre>
 *
 * <p>The workers of a controller call it on their threads, never two at the same time for the same
 * request. It may block. If it throws, whatever it throws, the controller calls it again after a
 * delay that grows with each failure; a {@link TerminalException} says that another attempt is
 * useless.
 *
 * <p>Corresponds to controller-runtime's {@code reconcile.Reconciler}.
 */
@FunctionalInterface
public interface Reconciler {

  /**
   * Reconciles one object.
   *
   * @return what to do next
   * @throws InterruptedException if the thread is interrupted: the controller is being closed, or
   *     the {@linkplain ControllerBuilder#reconcileTimeout timeout} has expired
   * @throws Exception if it fails; the controller tries again
   */
  Result reconcile(Request request, Context context) throws Exception;
}
