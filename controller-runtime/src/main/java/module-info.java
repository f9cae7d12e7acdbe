/**
 * Controllers: what stands on informers and work queues in every operator.
 *
 * <p>Corresponds to the Go module {@code sigs.k8s.io/controller-runtime}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.controller {
  requires static com.google.errorprone.annotations;
  requires static jdk.jfr;
  requires jdk.httpserver;
  requires transitive dev.clientgo.events;
  requires transitive dev.clientgo.kubernetes;
  requires transitive dev.clientgo.leaderelection;
  requires transitive dev.clientgo.workqueue;

  exports dev.clientgo.controller;
  exports dev.clientgo.controller.debug;
  exports dev.clientgo.controller.finalizer;
  exports dev.clientgo.controller.metrics;
  exports dev.clientgo.controller.predicate;
  exports dev.clientgo.controller.scope;
  exports dev.clientgo.controller.webhook;
}
