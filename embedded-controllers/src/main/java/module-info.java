/**
 * The built-in controllers of a cluster, in process, for tests against an API server that runs
 * alone.
 *
 * <p>Corresponds to parts of {@code kube-controller-manager}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.envtest.controllers {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.envtest;
  requires transitive dev.clientgo.kubernetes;
  requires dev.clientgo.controller;

  exports dev.clientgo.envtest.controllers;
  exports dev.clientgo.envtest.controllers.pods;
}
