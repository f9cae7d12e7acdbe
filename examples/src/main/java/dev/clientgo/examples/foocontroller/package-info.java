/**
 * A controller of a custom resource. Like every controller, it consists of informers that add names
 * to a work queue, and workers that move the object of a name towards its desired state.
 *
 * <pre>
 *   Foo informer ---------> name of the Foo --\
 *                                              work queue --> workers: reconcile(name)
 *   Deployment informer --> its owner, a Foo --/
 * </pre>
 *
 * <p>The first step, {@code FooController}, builds this by hand. The second step, {@code
 * FooReconciler}, leaves it to the controller runtime and has only the reconciler.
 *
 * <p>The build generates the types, clients and informers of Foo from {@code
 * src/main/crds/foo.yaml}. Corresponds to Kubernetes' {@code sample-controller}.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.foocontroller;
