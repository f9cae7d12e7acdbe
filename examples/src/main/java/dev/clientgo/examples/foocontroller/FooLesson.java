package dev.clientgo.examples.foocontroller;

import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.ManagerBuilder;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.kubernetes.apps.v1.Deployment;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The lesson of a controller that creates a Deployment for each Foo, in two steps. */
@Command(
    name = "foo-controller",
    description =
        "Creates a Deployment for each Foo. The first step does it by hand, with informers,"
            + " listers and a work queue; the second step, --runtime, with the controller runtime"
            + " in a third of the lines. If the lesson starts its own server, it also creates,"
            + " scales and deletes Foos there.")
public final class FooLesson extends Lesson {

  /** Leaves time for the other steps within the 10 s that Main waits after Ctrl-C. */
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

  @Option(
      names = "--runtime",
      description = "The second step: the same controller with the controller runtime.")
  private boolean runtime;

  /** The command line parser calls this. */
  public FooLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    // An informer would retry without limit. This reports a wrong address or missing permissions.
    FooDefinition.require(cluster, client);
    if (runtime) {
      try (Manager manager = manager(Manager.builder(client))) {
        manager.start();
        show(cluster, client, out);
      }
    } else {
      try (FooController controller = new FooController(client, DRAIN_TIMEOUT, out)) {
        controller.start();
        show(cluster, client, out);
      }
    }
  }

  /** Returns a manager with the controller of the second step. */
  static Manager manager(ManagerBuilder builder) {
    Manager manager = builder.gracefulShutdownTimeout(DRAIN_TIMEOUT).build();
    manager.add(
        Controller.builder(new FooReconciler())
            .forKind(Foo.TYPE)
            .owns(Deployment.TYPE)
            .workers(2)
            .build());
    return manager;
  }

  private void show(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    try (ChangePrinter changes = new ChangePrinter(client, out);
        WorkloadThread workload =
            new WorkloadThread(new Workload(client, cluster.runsPods(), out), out)) {
      out.println("Controlling the Foos of " + cluster);
      out.println(
          runtime
              ? "This is the second step, FooReconciler, with the controller runtime."
              : "This is the first step, FooController, by hand; --runtime shows the second.");
      changes.start();
      if (cluster.isOwn()) {
        workload.start();
      }
      awaitEnd();
    }
  }
}
