package dev.clientgo.envtest.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.Finalizers;
import dev.clientgo.apimachinery.wait.Poll;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.ServiceAccount;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of the controllers: which run, by which clock, and their end. */
@Timeout(300)
final class EmbeddedControllersTest {

  private static final Duration WAIT = Duration.ofSeconds(60);

  @Test
  void only_runsTheChosenOnes() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        EmbeddedControllers controllers =
            EmbeddedControllers.builder(server).only(BuiltInController.SERVICE_ACCOUNT).start()) {
      assertThat(controllers.running()).containsExactly(BuiltInController.SERVICE_ACCOUNT);
      assertThat(server.requests())
          .extracting(request -> request.resource())
          .containsOnly("namespaces", "serviceaccounts");
    }
  }

  @Test
  void without_leavesControllersOut() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        EmbeddedControllers controllers =
            EmbeddedControllers.builder(server)
                .without(BuiltInController.GARBAGE_COLLECTOR)
                .start()) {
      assertThat(controllers.running())
          .contains(BuiltInController.NAMESPACE)
          .doesNotContain(BuiltInController.GARBAGE_COLLECTOR);
    }
  }

  @Test
  @SuppressWarnings("try") // The controllers only run.
  void fakeClock_namespaceEndsWithoutTimePassing() throws Exception {
    FakeClock clock = FakeClock.create();
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).start();
        EmbeddedControllers controllers = EmbeddedControllers.builder(server).clock(clock).start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      ResourceClient<Namespace> namespaces = client.resource(Namespace.TYPE);
      ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("shop");
      namespaces.create(Namespace.of("shop", n -> {}));
      maps.create(Finalizers.add(ConfigMap.of("shop", "held", m -> {}), "example.com/hold"));

      namespaces.delete("shop");
      maps.await("held", found -> found.orElseThrow().metadata().isBeingDeleted(), WAIT);
      maps.edit("held", map -> Finalizers.remove(map, "example.com/hold"));

      namespaces.await("shop", Optional::isEmpty, WAIT);
    }
  }

  @Test
  @SuppressWarnings("try") // The controllers only run.
  void fakeClock_connectionsAreMadeAgainWithoutTimePassing() throws Exception {
    FakeClock clock = FakeClock.create();
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().clock(clock).start();
        EmbeddedControllers controllers = EmbeddedControllers.builder(server).clock(clock).start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      server.stop();
      server.restart();

      client.resource(Namespace.TYPE).create(Namespace.of("shop", n -> {}));

      client
          .resource(ServiceAccount.TYPE)
          .inNamespace("shop")
          .await("default", Optional::isPresent, WAIT);
    }
  }

  @Test
  void close_leavesNoThread() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      Set<Thread> before = Thread.getAllStackTraces().keySet();

      EmbeddedControllers controllers = EmbeddedControllers.start(server);
      controllers.close();
      controllers.close();

      Poll.every(Duration.ofMillis(10))
          .immediately()
          .atMost(WAIT)
          .until(() -> newThreads(before).isEmpty());
      assertThat(newThreads(before)).isEmpty();
    }
  }

  /** Returns the threads of controllers and informers; the server and the JDK have others. */
  private static List<String> newThreads(Set<Thread> before) {
    Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
    now.removeAll(before);
    return now.stream()
        .map(Thread::getName)
        .filter(
            name ->
                name.startsWith("controller")
                    || name.startsWith("informer")
                    || name.startsWith("workqueue"))
        .toList();
  }
}
