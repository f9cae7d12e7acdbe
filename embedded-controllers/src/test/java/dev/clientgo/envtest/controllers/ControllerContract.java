package dev.clientgo.envtest.controllers;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.envtest.ApiServer;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestInstances;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests that both the embedded controllers and the real ones pass. Each test has a namespace of its
 * own.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
abstract class ControllerContract {

  /** For what takes time on a busy machine. */
  static final Duration WAIT = Duration.ofSeconds(60);

  private static final AtomicInteger NAMES = new AtomicInteger();

  /** Gives a contract the server of the class around it. */
  @RegisterExtension
  static final BeforeEachCallback ENCLOSING =
      context -> {
        TestInstances instances = context.getRequiredTestInstances();
        instances.findInstance(ControllerContract.class).orElseThrow().servers =
            instances.findInstance(AllContracts.class).orElseThrow();
      };

  private AllContracts servers;

  /** Returns the server. */
  final ApiServer server() {
    return servers.server();
  }

  /** Returns an administrator's client of the server. */
  final RESTClient client() {
    return servers.client();
  }

  /** Creates a namespace and returns its name. */
  final String namespace() throws InterruptedException {
    String name = "contract-" + NAMES.incrementAndGet();
    client().resource(Namespace.TYPE).create(Namespace.of(name, namespace -> {}));
    return name;
  }

  /** Waits for an object and returns it. */
  static <T extends KubernetesObject> T awaitPresent(ResourceClient<T> objects, String name)
      throws InterruptedException, TimeoutException {
    return await(objects, name, Optional::isPresent).orElseThrow();
  }

  /** Waits until an object is gone. */
  static void awaitGone(ResourceClient<?> objects, String name)
      throws InterruptedException, TimeoutException {
    await(objects, name, Optional::isEmpty);
  }

  /** Waits for a state of an object and returns it. */
  static <T extends KubernetesObject> Optional<T> await(
      ResourceClient<T> objects, String name, Predicate<Optional<T>> condition)
      throws InterruptedException, TimeoutException {
    return objects.await(name, condition, WAIT);
  }
}
