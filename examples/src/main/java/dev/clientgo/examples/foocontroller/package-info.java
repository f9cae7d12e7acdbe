/**
 * A controller of a custom resource, as every controller is built: informers feed a work queue with
 * names, and workers bring the world closer to what the object of that name asks for.
 *
 * <pre>
 *   Foo informer ---------> name of the Foo --\
 *                                              work queue --> workers: reconcile(name)
 *   Deployment informer --> its owner, a Foo --/
 * </pre>
 *
 * <p>The types of Foo, its clients and its informers are generated in the build, from {@code
 * src/main/crds/foo.yaml}. It does what Kubernetes' {@code sample-controller} does.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.foocontroller;
