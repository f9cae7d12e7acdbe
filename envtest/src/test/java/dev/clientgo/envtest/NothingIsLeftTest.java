package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A closed informer and a closed client leave no thread and no connection. */
@Timeout(300)
final class NothingIsLeftTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_informersAndClient_leaveNoThreadAndNoConnection(boolean tls) throws Exception {
    Set<String> before = threads();
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(tls).start();
        CuttingProxy proxy = CuttingProxy.to(server.url())) {
      String url = (tls ? "https" : "http") + "://127.0.0.1:" + proxy.port();
      RestConfig config = server.restConfig().toBuilder().server(url).build();
      Set<String> withServer = threads();
      for (int round = 0; round < 3; round++) {
        try (RESTClient client = RESTClient.create(config)) {
          followAndClose(client, "pods", "Pod");
          followAndClose(client, "configmaps", "ConfigMap");
        }
      }

      await("connections are closed", () -> proxy.openSockets() == 0);
      await("threads have ended", () -> withServer.containsAll(clientThreads()));
    }
    await("the server's threads have ended", () -> before.containsAll(threads()));
  }

  private static void followAndClose(RESTClient client, String resource, String kind)
      throws InterruptedException {
    ResourceClient<Unstructured> objects =
        client.resource(Unstructured.type(new GroupVersionKind("", "v1", kind), resource, true));
    try (SharedIndexInformer<Unstructured> informer =
        SharedIndexInformer.builder(ListWatch.of(objects::list, objects::watch)).build()) {
      informer.addEventHandler(new ResourceEventHandler<>() {});
      informer.start();
      assertThat(informer.awaitSynced(Duration.ofSeconds(30))).isTrue();
    }
  }

  /**
   * All threads except those of the proxy and the server, which are checked after they are closed.
   */
  private static Set<String> clientThreads() {
    return threads().stream()
        .filter(name -> !name.equals("cutting-proxy") && !name.startsWith("envtest-"))
        .filter(name -> !name.startsWith("MockWebServer")) // A thread gets its name when it runs.
        .collect(Collectors.toSet());
  }

  /**
   * All clients of a process share the threads of OkHttp and Okio. One of OkHttp's that waits for
   * its next task may bear the name of the last. The JVM's threads that waited for processes of
   * other tests end too, under changed names, and those that run virtual threads and tests.
   */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> thread.getKey().isAlive() && !waitsForTask(thread.getValue()))
        .map(thread -> thread.getKey().getName())
        .filter(name -> !name.endsWith(" TaskRunner") && !name.equals("Okio Watchdog"))
        .filter(name -> !name.startsWith("process reaper"))
        .filter(name -> !name.startsWith("ForkJoinPool") && !name.startsWith("VirtualThread-"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean waitsForTask(StackTraceElement[] stack) {
    return Arrays.stream(stack).anyMatch(frame -> frame.getMethodName().equals("awaitTaskToRun"));
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    Clock clock = Clock.system();
    long deadline = clock.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(clock.nanoTime() - deadline)
          .as("2 min passed before %s; threads: %s", what, stacks())
          .isNegative();
      clock.sleep(Duration.ofMillis(20));
    }
  }

  /** Returns what the threads are doing, without those of the JVM. */
  private static String stacks() {
    Set<String> names = threads();
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(thread -> names.contains(thread.getKey().getName()))
        .filter(thread -> thread.getValue().length > 0)
        .map(thread -> thread.getKey().getName() + " at " + Arrays.toString(thread.getValue()))
        .collect(Collectors.joining("\n"));
  }
}
