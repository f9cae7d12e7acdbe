package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.controller.scope.Scope;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Namespace;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.Eventually;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Caches of one replica's objects in some namespaces, with some labels. */
final class ScopeShardsTest {

  private static ConfigMap map(String namespace, String name, String label) {
    return ConfigMap.of(namespace, name, c -> c.editMetadata(m -> m.labels(Map.of("l", label))));
  }

  private static Manager replica(RESTClient client, Set<Request> reconciled) {
    Manager manager =
        Manager.builder(client)
            .reportFieldFights(false)
            .inNamespaces("n1", "n2")
            .scope(ConfigMap.TYPE, Scope.all().withLabels("l in (a,b)"))
            .shards(LeaseLock.of("default", "group"))
            .build();
    manager.add(
        Controller.builder(
                (request, context) -> {
                  if (context.client().resource(ConfigMap.TYPE).find(request).isPresent()) {
                    reconciled.add(request);
                  }
                  return Result.done();
                })
            .forKind(ConfigMap.TYPE)
            .shardedCache(true)
            .build());
    manager.start();
    return manager;
  }

  @Test
  void twoReplicas_shareTheObjectsOfTheScope() throws Exception {
    Set<Request> first = ConcurrentHashMap.newKeySet();
    Set<Request> second = ConcurrentHashMap.newKeySet();
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        RESTClient client = RESTClient.create(server.restConfig())) {
      for (String namespace : List.of("n1", "n2", "n3")) {
        client.resource(Namespace.TYPE).create(Namespace.of(namespace, n -> {}));
        for (int i = 0; i < 10; i++) {
          client.resource(ConfigMap.TYPE).create(map(namespace, "m" + i, i % 2 == 0 ? "a" : "b"));
        }
        client.resource(ConfigMap.TYPE).create(map(namespace, "other", "c"));
      }
      try (Manager one = replica(client, first)) {
        Eventually.await("all objects", () -> first.size() == 20);
        try (Manager two = replica(client, second)) {
          Eventually.await("a share", () -> !second.isEmpty());
          one.addNamespace("n3");
          two.addNamespace("n3");
          Eventually.await(
              "the objects of the namespace",
              () -> {
                Set<Request> both = ConcurrentHashMap.newKeySet();
                both.addAll(first);
                both.addAll(second);
                return both.size() == 30;
              });
        }
      }
      assertThat(first).noneMatch(request -> request.name().equals("other"));
      assertThat(second).noneMatch(request -> request.name().equals("other"));
    }
  }
}
