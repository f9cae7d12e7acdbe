package dev.clientgo.envtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.runtime.ResourceType;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.RestConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Informers on pods, config maps and a custom resource, with streaming lists and without, while
 * several writers change objects at random, connections are cut and the server is restarted. In the
 * end all views are the same.
 */
@Timeout(240)
final class InformerConvergenceTest {

  private static final int WRITERS = 4;
  private static final int WRITES = Integer.getInteger("convergence.writes", 5000);
  private static final int NAMES = 60;
  private static final int WRITES_BETWEEN_CUTS = 400;

  private static final ResourceType<Unstructured> PODS =
      Unstructured.type(new GroupVersionKind("", "v1", "Pod"), "pods", true);
  private static final ResourceType<Unstructured> CONFIG_MAPS =
      Unstructured.type(new GroupVersionKind("", "v1", "ConfigMap"), "configmaps", true);
  private static final ResourceType<Unstructured> WIDGETS =
      Unstructured.type(new GroupVersionKind("example.com", "v1", "Widget"), "widgets", true);
  private static final ResourceType<Unstructured> CRDS =
      Unstructured.type(
          new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition"),
          "customresourcedefinitions",
          false);

  private final long seed = Long.getLong("convergence.seed", 20260103);
  private final AtomicInteger written = new AtomicInteger();

  @Test
  void embedded_randomWritesAndCuts_allViewsAgree() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(true).start()) {
      run(server, () -> {});
    }
  }

  @Test
  void real_randomWritesCutsAndRestart_allViewsAgree() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    try (KubeApiServer server = KubeApiServer.start()) {
      run(server, server::restart);
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private void run(ApiServer server, Step restart) throws Exception {
    System.out.printf("convergence: seed %d, %d writes%n", seed, WRITES);
    RestConfig direct = server.restConfig();
    try (CuttingProxy proxy = CuttingProxy.to(server.url());
        RESTClient writes = RESTClient.create(direct);
        RESTClient reads =
            RESTClient.create(
                direct.toBuilder().server("https://127.0.0.1:" + proxy.port()).build())) {
      createCustomResource(writes);
      List<Follower> followers = new ArrayList<>();
      for (ResourceType<Unstructured> type : List.of(PODS, CONFIG_MAPS, WIDGETS)) {
        for (boolean streaming : List.of(true, false)) {
          followers.add(
              new Follower(
                  reads, writes, type, ReflectorOptions.builder().useWatchList(streaming)));
        }
      }
      followers.forEach(Follower::start);

      List<FutureTask<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Random random = new Random(seed + i);
        writers.add(start("writer-" + i, () -> write(writes, random)));
      }
      int nextCut = WRITES_BETWEEN_CUTS;
      boolean restarted = false;
      int cuts = 0;
      while (writers.stream().anyMatch(writer -> !writer.isDone())) {
        Clock.system().sleep(Duration.ofMillis(5));
        if (written.get() >= nextCut) {
          proxy.cut();
          cuts++;
          nextCut += WRITES_BETWEEN_CUTS;
        }
        if (!restarted && written.get() >= WRITES / 2) {
          restarted = true;
          restart.run();
        }
      }
      for (FutureTask<?> writer : writers) {
        writer.get(1, TimeUnit.SECONDS);
      }
      System.out.printf("convergence: %d writes, %d cuts%n", written.get(), cuts);
      for (Follower follower : followers) {
        follower.assertAgrees();
      }
      followers.forEach(Follower::close);
    }
  }

  /**
   * Creates, updates and deletes at random, until the server has taken as many writes as wanted.
   */
  private void write(RESTClient client, Random random) throws InterruptedException {
    List<ResourceType<Unstructured>> types = List.of(PODS, CONFIG_MAPS, WIDGETS);
    while (written.get() < WRITES) {
      ResourceType<Unstructured> type = types.get(random.nextInt(types.size()));
      ResourceClient<Unstructured> objects = client.resource(type).inNamespace("default");
      String name = "object-" + random.nextInt(NAMES);
      try {
        Unstructured current = objects.get(name);
        if (random.nextInt(3) == 0) {
          objects.delete(name);
        } else {
          objects.update(
              current.with("v" + random.nextInt(), "metadata", "annotations", "changed"));
        }
        written.incrementAndGet();
      } catch (ApiStatusException e) {
        if (e.isNotFound()) {
          create(objects, newObject(type, name, random.nextInt()));
        } else if (!e.isConflict() && e.status().code() < 500) {
          throw e; // Neither was somebody else faster nor does the server go down.
        }
      } catch (TransportException e) {
        Clock.system().sleep(Duration.ofMillis(50)); // The server restarts.
      }
    }
  }

  private void create(ResourceClient<Unstructured> objects, Unstructured object)
      throws InterruptedException {
    try {
      objects.create(object);
      written.incrementAndGet();
    } catch (ApiStatusException e) {
      if (!e.isAlreadyExists() && e.status().code() < 500) {
        throw e;
      }
    } catch (TransportException e) {
      Clock.system().sleep(Duration.ofMillis(50)); // The server restarts.
    }
  }

  private static Unstructured newObject(ResourceType<Unstructured> type, String name, int value) {
    Unstructured object =
        Unstructured.of(
            Map.of(
                "apiVersion", type.kind().apiVersion(),
                "kind", type.kind().kind(),
                "metadata", Map.of("name", name, "labels", Map.of("value", "v" + value))));
    if (type == PODS) {
      // Without a grace period a pod that no node runs goes at once, as the other objects do.
      return object
          .with(List.of(Map.of("name", "c", "image", "image:" + value)), "spec", "containers")
          .with(0L, "spec", "terminationGracePeriodSeconds");
    }
    return type == CONFIG_MAPS
        ? object.with("é" + value, "data", "text")
        : object.with((long) value, "spec", "size");
  }

  private static void createCustomResource(RESTClient client) throws InterruptedException {
    client
        .resource(CRDS)
        .create(
            Unstructured.parse(
                """
                {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                 "metadata": {"name": "widgets.example.com"},
                 "spec": {"group": "example.com", "scope": "Namespaced",
                  "names": {"plural": "widgets", "singular": "widget", "kind": "Widget"},
                  "versions": [{"name": "v1", "served": true, "storage": true,
                   "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                     "spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}}}}]}}
                """));
    Waiting.until(
        "the custom resource is served",
        () -> {
          try {
            client.resource(WIDGETS).list(ListOptions.NONE);
            return true;
          } catch (ApiStatusException e) {
            return false;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static FutureTask<?> start(String name, Step step) {
    FutureTask<?> future =
        new FutureTask<>(
            () -> {
              step.run();
              return null;
            });
    Thread thread = new Thread(future, name);
    thread.setDaemon(true);
    thread.start();
    return future;
  }
}
