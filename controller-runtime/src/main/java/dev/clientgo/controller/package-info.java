/**
 * Controllers: a function that makes the actual state of an object like its desired state, and what
 * calls it.
 *
 * <pre>{@code
 * Controller foos =
 *     Controller.builder(new FooReconciler())
 *         .forKind(Foo.TYPE)
 *         .owns(Deployment.TYPE)
 *         .build();
 * try (Manager manager = Manager.create(client)) {
 *   manager.add(foos);
 *   manager.run(); // Until SIGTERM.
 * }
 * }</pre>
 *
 * <p>An event of an object takes this way:
 *
 * <pre>
 * informer ──▶ Predicate ──▶ MapFunction ──▶ queue of Requests ──▶ worker ──▶ Reconciler ──▶ Result
 * </pre>
 *
 * <p>Corresponds to controller-runtime's {@code pkg/controller}, {@code pkg/builder}, {@code
 * pkg/manager}, {@code pkg/reconcile}, {@code pkg/predicate} and {@code pkg/handler}.
 */
package dev.clientgo.controller;
