package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An object that is deleted and created again while the watch is down, so that a list shows it. */
final class RecreatedObjectTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static Predicate<ConfigMap> predicate(String name) {
    return switch (name) {
      case "generation" -> Predicate.generationChanged();
      case "labels" -> Predicate.labelsChanged();
      case "annotations" -> Predicate.annotationsChanged();
      case "both" -> Predicate.<ConfigMap>generationChanged().and(Predicate.labelsChanged());
      default -> throw new AssertionError(name);
    };
  }

  private static ConfigMap map(String value) {
    return ConfigMap.of("default", "x", c -> c.data(Map.of("a", value)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"generation", "labels", "annotations", "both"})
  void anotherObjectOfTheName_isReconciled_whateverThePredicateLooksAt(String name)
      throws Exception {
    RecordingReconciler reconciler = new RecordingReconciler();
    List<String> deleted = new CopyOnWriteArrayList<>();
    Predicate<ConfigMap> deletions =
        new Predicate<>() {
          @Override
          public boolean onDelete(ConfigMap last) {
            deleted.add(last.metadata().uid());
            return true;
          }
        };
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient rest = RESTClient.create(server.restConfig());
        Manager manager = Manager.create(rest)) {
      ResourceClient<ConfigMap> maps = rest.resource(ConfigMap.TYPE).inNamespace("default");
      ConfigMap first = maps.create(map("1"));
      manager.add(
          Controller.builder(reconciler)
              .forKind(ConfigMap.TYPE, deletions.and(predicate(name)))
              .build());
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      reconciler.awaitCall(new Request("default", "x"));
      server.awaitWatches(1);

      server.watches().forEach(OpenWatch::goSilent);
      maps.delete("x");
      ConfigMap second = maps.create(map("2"));
      server.faults().expireResourceVersions();
      server.watches().forEach(OpenWatch::end);

      reconciler.awaitCall(new Request("default", "x"));
      assertThat(second.metadata().uid()).isNotEqualTo(first.metadata().uid());
      assertThat(deleted).containsExactly(first.metadata().uid());
    }
  }

  /** Nothing else than the new object may wake the reconciler, so this shows the test is right. */
  @Test
  void anUpdateThatThePredicateKeepsOut_isNotReconciled() throws Exception {
    RecordingReconciler reconciler = new RecordingReconciler();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient rest = RESTClient.create(server.restConfig());
        Manager manager = Manager.create(rest)) {
      ResourceClient<ConfigMap> maps = rest.resource(ConfigMap.TYPE).inNamespace("default");
      maps.create(map("1"));
      manager.add(
          Controller.builder(reconciler)
              .forKind(ConfigMap.TYPE, Predicate.generationChanged())
              .build());
      manager.start();
      assertThat(manager.awaitReady(LIMIT)).isTrue();
      reconciler.awaitCall(new Request("default", "x"));

      ConfigMap updated = maps.update(maps.get("x").with(c -> c.data(Map.of("a", "2"))));
      String version = updated.metadata().resourceVersion();
      Eventually.await(
          "the update",
          () ->
              manager.informerHealth().values().stream()
                  .anyMatch(health -> version.equals(health.storeResourceVersion())));
      maps.create(ConfigMap.of("default", "last", c -> {}));
      reconciler.awaitCall(new Request("default", "last"));

      assertThat(reconciler.drain()).isEmpty();
    }
  }
}
