package dev.clientgo.examples.foocontroller;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.controller.Manager;
import dev.clientgo.examples.generated.InformerFactory;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lessons 10 and 11 of the guide: what a controller does about changes, deletions and absences. */
@Command(
    name = "controller",
    description =
        "Changes a Foo and its Deployment, prints what the controller of foo-controller does,"
            + " and ends. It starts its own server.")
public final class ControllerLesson extends Lesson {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Option(names = "--runtime", description = "The controller with the controller runtime.")
  private boolean runtime;

  /** The command line parser calls this. */
  public ControllerLesson() {}

  @Override
  public void run(Cluster cluster, RESTClient client, PrintWriter out) throws InterruptedException {
    cluster.requireOwn();
    FooDefinition.require(cluster, client);
    ResourceClient<Foo> foos = client.resource(Foo.TYPE).inNamespace("default");
    ResourceClient<Deployment> deployments =
        client.resource(Deployment.TYPE).inNamespace("default");

    if (runtime) {
      try (Manager manager = FooLesson.manager(Manager.builder(client))) {
        manager.start();
        change(foos, deployments, out);
      }
    } else {
      try (SharedInformerFactory informers = InformerFactory.create(client).shared();
          FooController controller = controller(client, informers, out)) {
        controller.start();
        change(foos, deployments, out);
        out.println("== Reconcile again: the Foo is as it should be");
        Deployment before = deployments.get("web");
        informers
            .informer(Deployment.TYPE)
            .awaitResourceVersion(version(before), Duration.ofSeconds(30));
        controller.reconcile(new ObjectName("default", "example"));
        controller.reconcile(new ObjectName("default", "example"));
        out.println("the Deployment is unchanged: " + before.equals(deployments.get("web")));
      }
    }

    out.println("== The controller is away, the Foo changes, the controller comes back");
    scale(foos, 2);
    try (FooController controller = new FooController(client, TIMEOUT, out)) {
      controller.start();
      print(2, null, deployments, out);
    }
  }

  private static FooController controller(
      RESTClient client, SharedInformerFactory informers, PrintWriter out) {
    var queue = RateLimitingQueue.<ObjectName>create(RateLimiter.defaultController());
    return new FooController(client, informers, queue, TIMEOUT, out);
  }

  private static void change(
      ResourceClient<Foo> foos, ResourceClient<Deployment> deployments, PrintWriter out)
      throws InterruptedException {
    out.println("== A Foo is created");
    foos.create(
        Foo.of("default", "example", f -> f.editSpec(s -> s.deploymentName("web").replicas(1))));
    print(1, null, deployments, out);

    out.println("== Ten changes");
    for (int replicas = 1; replicas <= 10; replicas++) {
      scale(foos, replicas);
    }
    print(10, null, deployments, out);

    out.println("== The Deployment is deleted");
    Deployment before = deployments.get("web");
    deployments.delete("web");
    print(10, before, deployments, out);
  }

  private static void scale(ResourceClient<Foo> foos, int replicas) throws InterruptedException {
    foos.edit("example", old -> old.with(foo -> foo.editSpec(s -> s.replicas(replicas))));
  }

  /** Waits until the Deployment has the replicas, and prints what there is. */
  private static void print(
      int replicas,
      @Nullable Deployment before,
      ResourceClient<Deployment> deployments,
      PrintWriter out)
      throws InterruptedException {
    try {
      deployments.await(
          "web",
          now -> now.isPresent() && Objects.equals(now.get().spec().replicas(), replicas),
          TIMEOUT);
    } catch (TimeoutException e) {
      out.println("after " + TIMEOUT.toSeconds() + " s:");
    }
    Optional<Deployment> now = deployments.find("web");
    out.println(
        "Deployment web: "
            + now.map(deployment -> deployment.spec().replicas() + " replicas").orElse("none")
            + (before == null || now.isEmpty()
                ? ""
                : ", the same object: " + Objects.equals(uid(before), uid(now.get()))));
  }

  private static @Nullable String uid(Deployment deployment) {
    return deployment.metadata().uid();
  }

  private static String version(Deployment deployment) {
    return Objects.requireNonNull(deployment.metadata().resourceVersion());
  }
}
