package dev.clientgo.examples.foocontroller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceList;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.examples.Cluster;
import dev.clientgo.examples.LessonException;
import dev.clientgo.examples.LessonOptions;
import dev.clientgo.examples.WorkloadThread;
import dev.clientgo.examples.generated.Clientset;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
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

/** Runs a controller that makes a Deployment for each Foo. */
@Command(
    name = "foo-controller",
    description =
        "Makes a Deployment for each Foo, with a generated informer and lister and a work queue."
            + " On a server of its own, somebody keeps creating, scaling and deleting Foos.")
public final class FooController implements Callable<Integer> {

  private static final String CRD = "/foo.yaml";
  private static final String CRD_NAME = "foos.samplecontroller.k8s.io";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** With the other ends, less than the ten seconds that the program has on Ctrl-C. */
  private static final Duration DRAIN = Duration.ofSeconds(5);

  private static final Backoff SETTLING =
      Backoff.builder(Duration.ofMillis(100)).steps(300).build();

  @Spec private CommandSpec spec;

  @Mixin private LessonOptions options;

  /** Made by the command line parser. */
  public FooController() {}

  @Override
  public Integer call() throws InterruptedException, TimeoutException {
    PrintWriter out = spec.commandLine().getOut();
    try (Cluster cluster = options.connect();
        RESTClient client = RESTClient.create(cluster.config())) {
      if (cluster.isOurs()) {
        install(client);
      }
      requireFoos(client);
      try (Controller controller = new Controller(client, DRAIN, out);
          WorkloadThread workload = new WorkloadThread(new Workload(client, out), out)) {
        controller.start();
        out.println("Controlling the Foos of " + cluster);
        if (cluster.isOurs()) {
          workload.start();
        }
        options.awaitEnd();
      }
    }
    return 0;
  }

  /**
   * Teaches the server what a Foo is, with the file that the types were generated from. It serves
   * Foos a moment after it has said that their definition is established.
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
        .await(CRD_NAME, FooController::isEstablished, PATIENCE);
    Retry.onError(FooController::isNotFound).withBackoff(SETTLING).run(() -> anyFoo(client));
  }

  private static byte[] definition() {
    try (InputStream in = requireNonNull(FooController.class.getResourceAsStream(CRD), CRD)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isEstablished(Optional<CustomResourceDefinition> definition) {
    return definition
        .map(CustomResourceDefinition::status)
        .map(status -> status.conditions())
        .map(
            conditions ->
                conditions.stream()
                    .anyMatch(c -> "Established".equals(c.type()) && "True".equals(c.status())))
        .orElse(false);
  }

  /** An informer would try for ever. Ask once, so that a wrong address or a refusal is told now. */
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
