package dev.clientgo.examples.lesson;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.examples.generated.k8s.samplecontroller.v1alpha1.Foo;
import dev.clientgo.kubectl.Apply;
import dev.clientgo.kubectl.Manifests;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;

/** The CustomResourceDefinition of Foo, from the file that the types were generated from. */
public final class FooDefinition {

  private static final String FILE = "/foo.yaml";

  private static final Backoff NOT_FOUND_BACKOFF =
      Backoff.builder(Duration.ofMillis(100)).steps(300).build();

  private FooDefinition() {}

  /**
   * Creates the definition if the lesson has started the server, and waits until Foos are served,
   * which is a moment after the definition is established. On another cluster, Foos must be there.
   *
   * @throws LessonException if the cluster does not know Foos
   */
  public static void require(Cluster cluster, RESTClient client) throws InterruptedException {
    if (cluster.isOwn()) {
      install(client);
    }
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

  /** Creates the definition, and waits until Foos are served. */
  public static void install(RESTClient client) throws InterruptedException {
    try (InputStream in = requireNonNull(FooDefinition.class.getResourceAsStream(FILE), FILE)) {
      Apply.with(client, "examples").run(Manifests.read(in, FILE)).orThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Retry.onError(FooDefinition::isNotFound)
        .withBackoff(NOT_FOUND_BACKOFF)
        .run(() -> anyFoo(client));
  }

  private static void anyFoo(RESTClient client) throws InterruptedException {
    client.resource(Foo.TYPE).list(ListOptions.builder().limit(1).build());
  }

  private static boolean isNotFound(RuntimeException error) {
    return error instanceof ApiStatusException status && status.isNotFound();
  }
}
