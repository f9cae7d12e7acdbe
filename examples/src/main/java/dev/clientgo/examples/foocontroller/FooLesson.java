package dev.clientgo.examples.foocontroller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.LessonException;
import dev.clientgo.examples.lesson.LessonOptions;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.kubectl.Apply;
import dev.clientgo.kubectl.Manifests;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The second lesson: a controller that creates a Deployment for each Foo. */
@Command(
    name = "foo-controller",
    description =
        "Creates a Deployment for each Foo, with a generated informer and lister and a work queue."
            + " If it starts its own server, it also creates, scales and deletes Foos there.")
public final class FooLesson implements Callable<Integer> {

  private static final String CRD = "/foo.yaml";

  /** Leaves time for the other steps within the 10 s that Main waits after Ctrl-C. */
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

  private static final Backoff NOT_FOUND_BACKOFF =
      Backoff.builder(Duration.ofMillis(100)).steps(300).build();

  @Spec private CommandSpec spec;

  @Mixin private LessonOptions options;

  /** The command line parser calls this. */
  public FooLesson() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = options.connect();
        RESTClient client = RESTClient.create(cluster.config())) {
      if (cluster.isOwn()) {
        install(client);
      }
      requireFoos(client);
      try (FooController controller = new FooController(client, DRAIN_TIMEOUT, out);
          WorkloadThread workload = new WorkloadThread(new Workload(client, out), out)) {
        controller.start();
        out.println("Controlling the Foos of " + cluster);
        if (cluster.isOwn()) {
          workload.start();
        }
        options.awaitEnd();
      }
    }
    return 0;
  }

  /**
   * Creates the CustomResourceDefinition of Foo, from the file that the types were generated from.
   * The server serves Foos a moment after the definition is established.
   */
  static void install(RESTClient client) throws InterruptedException {
    try (InputStream in = requireNonNull(FooLesson.class.getResourceAsStream(CRD), CRD)) {
      Apply.with(client, "examples").run(Manifests.read(in, CRD)).orThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Retry.onError(FooLesson::isNotFound).withBackoff(NOT_FOUND_BACKOFF).run(() -> anyFoo(client));
  }

  /**
   * An informer would retry for ever. One list first reports a wrong address or missing
   * permissions.
   */
  private static void requireFoos(RESTClient client) throws InterruptedException {
    try {
      anyFoo(client);
    } catch (ApiStatusException e) {
      if (e.isNotFound()) {
        throw new LessonException(
            "the cluster does not know Foos: kubectl apply -f examples/src/main/crds/foo.yaml");
      }
      throw e;
    }
  }

  private static void anyFoo(RESTClient client) throws InterruptedException {
    client.resource(Foo.TYPE).list(ListOptions.builder().limit(1).build());
  }

  private static boolean isNotFound(RuntimeException error) {
    return error instanceof ApiStatusException status && status.isNotFound();
  }
}
