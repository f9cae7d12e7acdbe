/**
 * The verbs of kubectl, for programs: apply manifests, wait, roll out, scale, drain.
 *
 * <p>Corresponds to the Go module {@code k8s.io/kubectl}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.kubectl {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.rest;

  exports dev.clientgo.kubectl;
}
