package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.runtime.ResourceType;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.RestConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Informers on pods, config maps and a custom resource, while several writers change objects at
 * random, connections are cut and the server is restarted. In the end all views are the same.
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
      List<Follower> followers =
          List.of(
              new Follower(reads, writes, PODS),
              new Follower(reads, writes, CONFIG_MAPS),
              new Follower(reads, writes, WIDGETS));
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
    await(
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

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    Clock clock = Clock.system();
    long deadline = clock.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(clock.nanoTime() - deadline).as("60 s passed before " + what).isNegative();
      clock.sleep(Duration.ofMillis(20));
    }
  }

  /** An informer with a handler that keeps a view of its own. */
  private static final class Follower implements ResourceEventHandler<Unstructured> {

    private final ResourceClient<Unstructured> direct;
    private final SharedIndexInformer<Unstructured> informer;
    private final String resource;
    private final Map<String, Unstructured> view = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> problems = new ConcurrentLinkedQueue<>();

    Follower(RESTClient reads, RESTClient direct, ResourceType<Unstructured> type) {
      this.direct = direct.resource(type);
      this.resource = type.resource().resource();
      ResourceClient<Unstructured> watched = reads.resource(type);
      informer =
          SharedIndexInformer.builder(ListWatch.of(watched::list, watched::watch))
              .name(resource)
              .watchErrorHandler((reflector, error) -> {})
              .build();
      informer.addEventHandler(this);
    }

    void start() {
      informer.start();
    }

    private static String key(Unstructured object) {
      return object.metadata().namespace() + "/" + object.metadata().name();
    }

    private static long version(Unstructured object) {
      return Long.parseLong(String.valueOf(object.metadata().resourceVersion()));
    }

    @Override
    public void onAdd(Unstructured object, boolean isInInitialList) {
      if (view.put(key(object), object) != null) {
        problems.add("added twice: " + key(object));
      }
    }

    @Override
    public void onUpdate(Unstructured before, Unstructured after) {
      Unstructured had = view.put(key(after), after);
      if (had == null || !had.equals(before)) {
        problems.add("updated from a state never seen: " + key(after));
      }
      if (version(after) < version(before)) {
        problems.add("went back in time: " + key(after));
      }
    }

    @Override
    public void onDelete(DeletedObject<Unstructured> deleted) {
      if (view.remove(deleted.key()) == null) {
        problems.add("deleted but never added: " + deleted.key());
      }
    }

    void assertAgrees() throws InterruptedException {
      var list = direct.list(ListOptions.NONE);
      Map<String, Unstructured> server = new ConcurrentHashMap<>();
      list.items().forEach(object -> server.put(key(object), object));

      await(resource + ": the store equals the list", () -> server.equals(stored()));
      await(resource + ": the view equals the store", () -> view.equals(stored()));
      assertThat(problems).isEmpty();
      assertThat(server).isNotEmpty();
    }

    private Map<String, Unstructured> stored() {
      Map<String, Unstructured> stored = new ConcurrentHashMap<>();
      informer.indexer().list().forEach(object -> stored.put(key(object), object));
      return stored;
    }

    void close() {
      informer.close();
    }
  }
}
