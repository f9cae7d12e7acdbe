/**
 * The typed API of Kubernetes: a package for each group and version, clients and informers over
 * all.
 *
 * <p>Corresponds to the Go modules {@code k8s.io/api} and the generated parts of {@code
 * k8s.io/client-go}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.kubernetes {
  requires static transitive java.compiler;
  requires transitive dev.clientgo.apimachinery;
  requires transitive dev.clientgo.cache;
  requires transitive dev.clientgo.rest;

  exports dev.clientgo.kubernetes.admissionregistration.v1;
  exports dev.clientgo.kubernetes.apiextensions.v1;
  exports dev.clientgo.kubernetes.apiregistration.v1;
  exports dev.clientgo.kubernetes.apps.v1;
  exports dev.clientgo.kubernetes.authentication.v1;
  exports dev.clientgo.kubernetes.authorization.v1;
  exports dev.clientgo.kubernetes.autoscaling.v1;
  exports dev.clientgo.kubernetes.autoscaling.v2;
  exports dev.clientgo.kubernetes.batch.v1;
  exports dev.clientgo.kubernetes.certificates.v1;
  exports dev.clientgo.kubernetes.coordination.v1;
  exports dev.clientgo.kubernetes.core.v1;
  exports dev.clientgo.kubernetes.discovery.v1;
  exports dev.clientgo.kubernetes.events.v1;
  exports dev.clientgo.kubernetes.flowcontrol.v1;
  exports dev.clientgo.kubernetes.meta.v1;
  exports dev.clientgo.kubernetes.networking.v1;
  exports dev.clientgo.kubernetes.node.v1;
  exports dev.clientgo.kubernetes.policy.v1;
  exports dev.clientgo.kubernetes.rbac.v1;
  exports dev.clientgo.kubernetes.resource.v1;
  exports dev.clientgo.kubernetes.scheduling.v1;
  exports dev.clientgo.kubernetes.scheduling.v1alpha3;
  exports dev.clientgo.kubernetes.storage.v1;
  exports dev.clientgo.kubernetes.storagemigration.v1;
  exports dev.clientgo.kubernetes;
}
