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
import java.util.List;

/**
 * A controller that every cluster has, and that {@link EmbeddedControllers} can run.
 *
 * <p>Corresponds to the controllers that {@code kube-controller-manager --controllers} names.
 */
public enum BuiltInController {
  /** Deletes objects whose owners are gone, and acts on the finalizers of deletions. */
  GARBAGE_COLLECTOR(
      "garbage-collector-controller",
      setup -> List.of(GarbageCollector.create(setup::controller, setup.client()))),

  /** Ends namespaces that are being deleted, with all that is in them. */
  NAMESPACE(
      "namespace-controller",
      setup ->
          List.of(NamespaceController.create(setup::controller, setup.client(), setup.clock()))),

  /** Creates the service account {@code default} in each namespace. */
  SERVICE_ACCOUNT(
      "serviceaccount-controller",
      setup -> List.of(ServiceAccountsController.create(setup::controller))),

  /** Publishes the certificate of the cluster as {@code kube-root-ca.crt} in each namespace. */
  ROOT_CA_PUBLISHER(
      "root-ca-certificate-publisher-controller",
      setup -> List.of(RootCertificatePublisher.create(setup::controller, setup.client()))),

  /** Writes how much of each resource quota is used. */
  RESOURCE_QUOTA(
      "resourcequota-controller",
      setup ->
          List.of(
              ResourceQuotaController.create(setup::controller, setup.client(), setup.clock()))),

  /** Keeps the EndpointSlices of services. */
  ENDPOINT_SLICE(
      "endpointslice-controller",
      setup -> List.of(EndpointSliceController.create(setup::controller))),

  /** Keeps the Endpoints of services. */
  ENDPOINTS(
      "endpoints-controller", setup -> List.of(EndpointsController.create(setup::controller))),

  /** Keeps as many pods as a ReplicaSet wants. */
  REPLICA_SET(
      "replicaset-controller",
      setup -> List.of(ReplicaSetController.create(setup::controller, setup.alarm()))),

  /** Keeps a pod of each DaemonSet on each node that suits it. */
  DAEMON_SET(
      "daemonset-controller",
      setup -> List.of(DaemonSetController.create(setup::controller, setup.alarm()))),

  /** Keeps the pods of StatefulSets, each with its own name and volume claims. */
  STATEFUL_SET(
      "statefulset-controller",
      setup -> List.of(StatefulSetController.create(setup::controller, setup.alarm()))),

  /** Rolls out the templates of Deployments. */
  DEPLOYMENT(
      "deployment-controller",
      setup -> List.of(DeploymentController.create(setup::controller, setup.alarm()))),

  /** Runs pods until as many have succeeded as a Job wants. */
  JOB("job-controller", setup -> List.of(JobController.create(setup::controller, setup.alarm()))),

  /** Creates Jobs by the schedules of CronJobs. */
  CRON_JOB(
      "cronjob-controller",
      setup -> List.of(CronJobController.create(setup::controller, setup.alarm()))),

  /** Deletes Jobs some time after they have finished. */
  TTL_AFTER_FINISHED(
      "ttl-after-finished-controller",
      setup -> List.of(TtlAfterFinishedController.create(setup::controller, setup.alarm()))),

  /** Runs pods by a script, instead of a scheduler and of kubelets. */
  PODS("kubelet", setup -> List.of(Kubelet.create(setup::controller, setup.pods(), setup.alarm())));

  /** Makes the controllers that play a part; it may ask the server before. */
  @Immutable
  private interface Factory {
    List<Controller> create(ControllerSetup setup) throws InterruptedException;
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

  List<Controller> create(ControllerSetup setup) throws InterruptedException {
    return factory.create(setup.named(upstreamName));
  }
}
