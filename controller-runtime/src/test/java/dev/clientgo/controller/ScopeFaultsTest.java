package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.controller.scope.Scope;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers that go away, and managers that end, while mappings read and scopes change. */
final class ScopeFaultsTest {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient client = RESTClient.create(server.restConfig());

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private void create(String name) throws InterruptedException {
    client
        .resource(ConfigMap.TYPE)
        .create(
            ConfigMap.of("default", name, c -> c.editMetadata(m -> m.labels(Map.of("l", "a")))));
  }

  @Test
  void mapping_whoseServerIsAway_isCalledAgain() throws Exception {
    create("x");
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch away = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    RecordingReconciler reconciler = new RecordingReconciler();
    try (Manager manager = Manager.create(client)) {
      manager.add(
          Controller.builder(reconciler)
              .named("mapping")
              .watches(
                  ConfigMap.TYPE,
                  (map, reader) -> {
                    calls.incrementAndGet();
                    started.countDown();
                    assertThat(away.await(1, TimeUnit.MINUTES)).isTrue();
                    reader.uncached().resource(Namespace.TYPE).get("default");
                    return List.of(Request.of(map));
                  })
              .build());
      manager.start();
      assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
      server.stop();
      away.countDown();
      Eventually.await("another call", () -> calls.get() > 1);
      assertThat(reconciler.drain()).isEmpty();

      server.restart();

      reconciler.awaitCall(new Request("default", "x"));
    }
  }

  @Test
  void mapping_thatWrites_isRefused() throws Exception {
    create("x");
    try (Manager manager = Manager.create(client)) {
      Controller controller =
          Controller.builder(new RecordingReconciler())
              .named("mapping")
              .watches(
                  ConfigMap.TYPE,
                  (map, reader) -> {
                    reader.resource(Secret.TYPE).create(Secret.of("default", "s", s -> {}));
                    return List.of();
                  })
              .build();
      manager.add(controller);
      manager.start();
      for (int i = 0; i < 3; i++) {
        create("y" + i);
      }
      Eventually.await(
          "the failure",
          () ->
              controller
                  .problem(true)
                  .filter(text -> text.contains("a mapping only reads"))
                  .isPresent());
    }
    assertThat(client.resource(Secret.TYPE).inNamespace("default").list().items()).isEmpty();
  }

  @Test
  void managerThatEndsWhileNamespacesAreAdded_leavesNoWatch() throws Exception {
    Scope both = Scope.all().withLabels("l in (a,b)");
    for (int i = 0; i < 20; i++) {
      Manager manager =
          Manager.builder(client).inNamespaces("default").scope(ConfigMap.TYPE, both).build();
      manager.add(Controller.builder(new RecordingReconciler()).forKind(ConfigMap.TYPE).build());
      manager.start();
      Thread adder =
          new Thread(
              () -> {
                try {
                  for (int n = 0; n < 20; n++) {
                    manager.addNamespace("n" + n);
                    manager.removeNamespace("n" + (n - 1));
                  }
                } catch (InterruptedException | IllegalStateException e) {
                  // The manager is closed.
                }
              },
              "adder");
      adder.start();
      manager.close();
      adder.join();
    }
    Eventually.await("the end of the watches", () -> server.watches().isEmpty());
  }

  @Test
  void namespace_ofAManagerThatIsClosed_cannotBeAdded() throws Exception {
    Manager manager = Manager.builder(client).inNamespaces("default").build();
    manager.close();

    assertThatThrownBy(() -> manager.addNamespace("a"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThat(manager.namespaces()).containsExactly("default");
    assertThat(manager.removeNamespace("default")).isTrue();
  }

  @Test
  void namespaces_ofAManagerWithoutLimit_cannotBeAdded() {
    try (Manager manager = Manager.create(client)) {
      assertThatThrownBy(() -> manager.addNamespace("a"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inNamespaces");
      assertThat(manager.namespaces()).isEmpty();
    }
    Scope a = Scope.all().inNamespaces("a", "b").withLabels("l=a");
    assertThatThrownBy(() -> a.or(Scope.all().inNamespaces("b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("share a namespace");
    assertThatThrownBy(() -> a.or(Scope.all())).hasMessageContaining("app in (a,b)");
    assertThatThrownBy(() -> a.or(Scope.all().inNamespaces("c")).inNamespaces("d"))
        .hasMessageContaining("share a namespace");
    assertThatThrownBy(() -> Scope.all().inNamespaces())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
