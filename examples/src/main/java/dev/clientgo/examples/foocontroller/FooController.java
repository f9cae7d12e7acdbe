package dev.clientgo.examples.foocontroller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.examples.generated.Clientset;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.LessonException;
import dev.clientgo.examples.lesson.LessonOptions;
import dev.clientgo.examples.lesson.WorkloadThread;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
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
public final class FooController implements Callable<Integer> {

  private static final String CRD = "/foo.yaml";
  private static final String CRD_NAME = "foos.samplecontroller.k8s.io";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Leaves time for the other steps within the 10 s that Main waits after Ctrl-C. */
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

  private static final Backoff NOT_FOUND_BACKOFF =
      Backoff.builder(Duration.ofMillis(100)).steps(300).build();

  @Spec private CommandSpec spec;

  @Mixin private LessonOptions options;

  /** The command line parser calls this. */
  public FooController() {}

  @Override
  public Integer call() throws InterruptedException, TimeoutException {
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = options.connect();
        RESTClient client = RESTClient.create(cluster.config())) {
      if (cluster.isOwn()) {
        install(client);
      }
      requireFoos(client);
      try (Controller controller = new Controller(client, DRAIN_TIMEOUT, out);
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
  static void install(RESTClient client) throws InterruptedException, TimeoutException {
    client
        .post()
        .absPath("apis", "apiextensions.k8s.io", "v1", "customresourcedefinitions")
        .body(definition(), "application/yaml")
        .execute();
    dev.clientgo.kubernetes.Clientset.of(client)
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .await(CRD_NAME, FooController::isEstablished, TIMEOUT);
    Retry.onError(FooController::isNotFound)
        .withBackoff(NOT_FOUND_BACKOFF)
        .run(() -> anyFoo(client));
  }

  private static byte[] definition() {
    try (InputStream in = requireNonNull(FooController.class.getResourceAsStream(CRD), CRD)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isEstablished(Optional<CustomResourceDefinition> definition) {
    return definition.stream()
        .flatMap(each -> each.status().conditions().stream())
        .anyMatch(c -> "Established".equals(c.type()) && "True".equals(c.status()));
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

  private static ResourceList<Foo> anyFoo(RESTClient client) throws InterruptedException {
    return Clientset.of(client)
        .samplecontrollerK8s()
        .v1alpha1()
        .foos()
        .list(ListOptions.builder().limit(1L).build());
  }

  private static boolean isNotFound(RuntimeException error) {
    return error instanceof ApiStatusException status && status.isNotFound();
  }
}
