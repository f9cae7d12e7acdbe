package dev.clientgo.examples.foocontroller;

import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.FooDefinition;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.time.Duration;
import picocli.CommandLine.Command;

/** The lesson of a controller that creates a Deployment for each Foo. */
@Command(
    name = "foo-controller",
    description =
        "Creates a Deployment for each Foo, with informers, listers and a work queue. If it starts"
            + " its own server, it also creates, scales and deletes Foos there.")
public final class FooLesson extends Lesson {

  /** Leaves time for the other steps within the 10 s that Main waits after Ctrl-C. */
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

  /** The command line parser calls this. */
  public FooLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    // An informer would retry for ever. This reports a wrong address or missing permissions.
    FooDefinition.require(cluster, client);
    try (FooController controller = new FooController(client, DRAIN_TIMEOUT, out);
        WorkloadThread workload = new WorkloadThread(new Workload(client, out), out)) {
      controller.start();
      out.println("Controlling the Foos of " + cluster);
      if (cluster.isOwn()) {
        workload.start();
      }
      awaitEnd();
    }
  }
}
