package dev.clientgo.examples.foocontroller;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.examples.generated.Clientset;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * A workload for the controller. A user creates, scales and deletes Foos. If the lesson's server
 * runs no pods, the workload also reports the pods of Deployments as running.
 */
final class Workload implements WorkloadThread.Task {

  private static final Duration PAUSE = Duration.ofMillis(300);

  /** The garbage collector of a cluster looks for new kinds each 30 s only. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final ResourceClient<Foo> foos;
  private final ResourceClient<Deployment> deployments;
  private final boolean podsRun;
  private final PrintWriter out;

  /**
   * @param podsRun whether the controllers of a cluster report the pods and collect Deployments;
   *     else the workload does
   */
  Workload(RESTClient client, boolean podsRun, PrintWriter out) {
    this.foos = Clientset.of(client).samplecontrollerK8s().v1alpha1().foos("default");
    this.deployments =
        dev.clientgo.kubernetes.Clientset.of(client).apps().v1().deployments("default");
    this.podsRun = podsRun;
    this.out = out;
  }

  @Override
  public void run() throws InterruptedException, TimeoutException {
    for (int number = 1; ; number++) {
      createScaleAndDelete("example-" + number);
    }
  }

  void createScaleAndDelete(String name) throws InterruptedException, TimeoutException {
    out.println("user: creates Foo default/" + name + " of 1");
    foos.create(
        Foo.of(
            foo ->
                foo.editMetadata(m -> m.name(name))
                    .editSpec(s -> s.deploymentName(name).replicas(1))));
    runPods(name, 1);
    out.println("user: scales Foo default/" + name + " to 3");
    foos.edit(name, foo -> foo.with(f -> f.editSpec(s -> s.replicas(3))));
    runPods(name, 3);
    out.println("user: deletes Deployment default/" + name + " by mistake");
    deployments.delete(name);
    runPods(name, 3);
    out.println("user: deletes Foo default/" + name);
    foos.delete(name);
    if (!podsRun) {
      collect(name);
    }
    deployments.await(name, Optional::isEmpty, TIMEOUT);
    pause();
  }

  /**
   * Waits until the Deployment has that many replicas and the Foo knows that they are available.
   */
  private void runPods(String name, int replicas) throws InterruptedException, TimeoutException {
    deployments.await(name, deployment -> hasReplicas(deployment, replicas), TIMEOUT);
    pause();
    if (!podsRun) {
      reportAvailable(name, replicas);
    }
    foos.await(
        name,
        foo -> foo.map(f -> f.status().availableReplicas()).equals(Optional.of(replicas)),
        TIMEOUT);
    pause();
  }

  /** Writes the status, as the controller of Deployments does. */
  private void reportAvailable(String name, int replicas) throws InterruptedException {
    deployments.editStatus(
        name,
        deployment ->
            deployment.with(
                d ->
                    d.editStatus(
                        s ->
                            s.replicas(replicas)
                                .readyReplicas(replicas)
                                .availableReplicas(replicas))));
  }

  private static boolean hasReplicas(Optional<Deployment> deployment, int replicas) {
    return deployment.map(d -> d.spec().replicas()).equals(Optional.of(replicas));
  }

  /** Deletes the Deployment, as the garbage collector of a cluster does. */
  private void collect(String name) throws InterruptedException {
    try {
      deployments.delete(name);
    } catch (ApiStatusException e) {
      if (!e.isNotFound()) {
        throw e;
      }
    }
  }

  private static void pause() throws InterruptedException {
    Clock.system().sleep(PAUSE);
  }
}
