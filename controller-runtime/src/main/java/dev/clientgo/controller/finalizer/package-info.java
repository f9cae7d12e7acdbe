/**
 * Finalizers: what a controller tidies up outside the cluster before an object is deleted.
 *
 * <pre>{@code
 * FinalizerSet<Foo> finalizers =
 *     FinalizerSet.of(Foo.TYPE, "example.com/tables", (foo, context) -> dropTables(foo));
 *
 * Reconciler reconciler =
 *     (request, context) -> finalizers.reconcile(request, context, this::createTables);
 * }</pre>
 *
 * <p>Corresponds to controller-runtime's {@code pkg/finalizer}.
 */
package dev.clientgo.controller.finalizer;
