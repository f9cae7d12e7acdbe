/**
 * The typed API of the alpha and beta versions of Kubernetes, and of {@code metrics.k8s.io}: a
 * package for each group and version, clients and informers over all.
 *
 * <p>A server serves them only if it is configured to; {@code metrics.k8s.io} is served by an
 * extension such as metrics-server.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.kubernetes.alpha {
  requires static transitive java.compiler;
  requires transitive dev.clientgo.apimachinery;
  requires transitive dev.clientgo.cache;
  requires transitive dev.clientgo.kubernetes;
  requires transitive dev.clientgo.rest;

  exports dev.clientgo.kubernetes.alpha.admissionregistration.v1alpha1;
  exports dev.clientgo.kubernetes.alpha.admissionregistration.v1beta1;
  exports dev.clientgo.kubernetes.alpha.apiserverinternal.v1alpha1;
  exports dev.clientgo.kubernetes.alpha.certificates.v1beta1;
  exports dev.clientgo.kubernetes.alpha.coordination.v1alpha2;
  exports dev.clientgo.kubernetes.alpha.coordination.v1beta1;
  exports dev.clientgo.kubernetes.alpha.lifecycle.v1alpha1;
  exports dev.clientgo.kubernetes.alpha.metrics.v1beta1;
  exports dev.clientgo.kubernetes.alpha.resource.v1alpha3;
  exports dev.clientgo.kubernetes.alpha.resource.v1beta1;
  exports dev.clientgo.kubernetes.alpha.resource.v1beta2;
  exports dev.clientgo.kubernetes.alpha.scheduling.v1alpha3;
  exports dev.clientgo.kubernetes.alpha.scheduling.v1beta1;
  exports dev.clientgo.kubernetes.alpha.storagemigration.v1beta1;
  exports dev.clientgo.kubernetes.alpha;
}
