package dev.clientgo.envtest.controllers;

import com.google.errorprone.annotations.Immutable;
import dev.clientgo.controller.Controller;
import dev.clientgo.envtest.controllers.internal.batch.CronJobController;
import dev.clientgo.envtest.controllers.internal.batch.JobController;
import dev.clientgo.envtest.controllers.internal.batch.TtlAfterFinishedController;
import dev.clientgo.envtest.controllers.internal.daemons.DaemonSetController;
import dev.clientgo.envtest.controllers.internal.garbage.GarbageCollector;
import dev.clientgo.envtest.controllers.internal.namespaces.NamespaceController;
import dev.clientgo.envtest.controllers.internal.namespaces.RootCertificatePublisher;
import dev.clientgo.envtest.controllers.internal.namespaces.ServiceAccountsController;
import dev.clientgo.envtest.controllers.internal.nodes.Kubelet;
import dev.clientgo.envtest.controllers.internal.quota.ResourceQuotaController;
import dev.clientgo.envtest.controllers.internal.services.EndpointSliceController;
import dev.clientgo.envtest.controllers.internal.services.EndpointsController;
import dev.clientgo.envtest.controllers.internal.statefulsets.StatefulSetController;
import dev.clientgo.envtest.controllers.internal.workloads.DeploymentController;
import dev.clientgo.envtest.controllers.internal.workloads.ReplicaSetController;

/**
 * A controller that every cluster has, and that {@link EmbeddedControllers} can run.
 *
 * <p>Corresponds to the controllers that {@code kube-controller-manager --controllers} names.
 */
public enum BuiltInController {
  /** Deletes objects whose owners are gone, and acts on the finalizers of deletions. */
  GARBAGE_COLLECTOR(
      "garbage-collector-controller",
      setup -> GarbageCollector.create(setup::controller, setup.client())),

  /** Ends namespaces that are being deleted, with all that is in them. */
  NAMESPACE(
      "namespace-controller",
      setup -> NamespaceController.create(setup::controller, setup.client(), setup.clock())),

  /** Creates the service account {@code default} in each namespace. */
  SERVICE_ACCOUNT(
      "serviceaccount-controller", setup -> ServiceAccountsController.create(setup::controller)),

  /** Publishes the certificate of the cluster as {@code kube-root-ca.crt} in each namespace. */
  ROOT_CA_PUBLISHER(
      "root-ca-certificate-publisher-controller",
      setup -> RootCertificatePublisher.create(setup::controller, setup.client())),

  /** Writes how much of each resource quota is used. */
  RESOURCE_QUOTA(
      "resourcequota-controller",
      setup -> ResourceQuotaController.create(setup::controller, setup.client(), setup.clock())),

  /** Keeps the EndpointSlices of services. */
  ENDPOINT_SLICE(
      "endpointslice-controller", setup -> EndpointSliceController.create(setup::controller)),

  /** Keeps the Endpoints of services. */
  ENDPOINTS("endpoints-controller", setup -> EndpointsController.create(setup::controller)),

  /** Keeps as many pods as a ReplicaSet wants. */
  REPLICA_SET(
      "replicaset-controller",
      setup -> ReplicaSetController.create(setup::controller, setup.alarm())),

  /** Keeps a pod of each DaemonSet on each node that suits it. */
  DAEMON_SET(
      "daemonset-controller",
      setup -> DaemonSetController.create(setup::controller, setup.alarm())),

  /** Keeps the pods of StatefulSets, each with its own name and volume claims. */
  STATEFUL_SET(
      "statefulset-controller",
      setup -> StatefulSetController.create(setup::controller, setup.alarm())),

  /** Rolls out the templates of Deployments. */
  DEPLOYMENT(
      "deployment-controller",
      setup -> DeploymentController.create(setup::controller, setup.alarm())),

  /** Runs pods until as many have succeeded as a Job wants. */
  JOB("job-controller", setup -> JobController.create(setup::controller, setup.alarm())),

  /** Creates Jobs by the schedules of CronJobs. */
  CRON_JOB(
      "cronjob-controller", setup -> CronJobController.create(setup::controller, setup.alarm())),

  /** Deletes Jobs some time after they have finished. */
  TTL_AFTER_FINISHED(
      "ttl-after-finished-controller",
      setup -> TtlAfterFinishedController.create(setup::controller, setup.alarm())),

  /** Runs pods by a script, instead of a scheduler and of kubelets. */
  PODS("kubelet", setup -> Kubelet.create(setup::controller, setup.pods(), setup.alarm()));

  /** Makes the controller; it may ask the server before. */
  @Immutable
  private interface Factory {
    Controller create(ControllerSetup setup) throws InterruptedException;
  }

  private final String upstreamName;
  private final Factory factory;

  BuiltInController(String upstreamName, Factory factory) {
    this.upstreamName = upstreamName;
    this.factory = factory;
  }

  /** Returns the name in Kubernetes, such as {@code deployment-controller}. */
  public String upstreamName() {
    return upstreamName;
  }

  Controller create(ControllerSetup setup) throws InterruptedException {
    return factory.create(setup.named(upstreamName));
  }
}
