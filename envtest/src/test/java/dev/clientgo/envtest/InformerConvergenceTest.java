package dev.clientgo.envtest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
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
 * Informers of pods, ConfigMaps and a custom resource, with and without streaming lists. Several
 * writers change objects at random while connections are cut, the history is compacted and the
 * server restarts. In the end all views are equal. {@code -Dchurn.writes=30000} runs a day's worth
 * of writes and faults in a few minutes.
 */
@Timeout(1200)
final class InformerConvergenceTest {

  private static final int WRITERS = 4;
  private static final int WRITES = Integer.getInteger("churn.writes", 1300);
  private static final int NAMES = 60;
  private static final int WRITES_BETWEEN_CUTS = 400;
  private static final int WRITES_BETWEEN_COMPACTIONS = 600;
  private static final int WRITES_BETWEEN_RESTARTS = 1000;

  private static final Backoff QUICK =
      Backoff.builder(Duration.ofMillis(20)).factor(2).steps(10).cap(Duration.ofSeconds(1)).build();

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

  private final long seed = Long.getLong("churn.seed", 20260103);
  private final AtomicInteger written = new AtomicInteger();

  @Test
  void embedded_randomWritesAndFaults_allViewsAgree() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().tls(true).start()) {
      run(
          server,
          version -> server.faults().expireResourceVersions(),
          () -> {
            server.stop();
            server.restart();
          });
    }
  }

  @Test
  void real_randomWritesAndFaults_allViewsAgree() throws Exception {
    assumeTrue(KubeApiServer.isAvailable(), "build it with envtest/kube-apiserver/build");
    try (KubeApiServer server = KubeApiServer.start()) {
      run(server, version -> EtcdCompaction.compact(server, version), server::restart);
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private interface Compaction {
    void before(String version) throws Exception;
  }

  /** Reports when a fault is due, once per number of writes. */
  private final class Every {
    private final int writes;
    private int next;
    private int count;

    Every(int writes) {
      this.writes = writes;
      this.next = writes;
    }

    boolean isDue() {
      if (written.get() < next) {
        return false;
      }
      next += writes;
      count++;
      return true;
    }
  }

  private void run(ApiServer server, Compaction compaction, Step restart) throws Exception {
    System.out.printf("churn: seed %d, %d writes%n", seed, WRITES);
    long begin = Clock.system().nanoTime();
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
                  reads,
                  writes,
                  type,
                  ReflectorOptions.builder().backoff(QUICK).useWatchList(streaming)));
        }
      }
      followers.forEach(Follower::start);

      List<FutureTask<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Random random = new Random(seed + i);
        writers.add(start("writer-" + i, () -> write(writes, random)));
      }
      Every cuts = new Every(WRITES_BETWEEN_CUTS);
      Every compactions = new Every(WRITES_BETWEEN_COMPACTIONS);
      Every restarts = new Every(WRITES_BETWEEN_RESTARTS);
      while (writers.stream().anyMatch(writer -> !writer.isDone())) {
        Clock.system().sleep(Duration.ofMillis(5));
        if (cuts.isDue()) {
          proxy.cut();
        }
        if (compactions.isDue()) {
          compactWhileAway(writes, proxy, compaction);
        }
        if (restarts.isDue()) {
          // After the restart, no server remembers the versions of the informers.
          compactWhileAway(
              writes,
              proxy,
              version -> {
                restart.run();
                compaction.before(version);
              });
        }
      }
      for (FutureTask<?> writer : writers) {
        writer.get(1, TimeUnit.SECONDS);
      }
      for (Follower follower : followers) {
        follower.assertAgrees();
      }
      System.out.printf(
          "churn: %d writes, %d cuts, %d compactions, %d restarts, versions expired %d times, "
              + "%d s; no difference in %d views%n",
          written.get(),
          cuts.count,
          compactions.count + restarts.count,
          restarts.count,
          followers.stream().mapToLong(Follower::expired).sum(),
          Duration.ofNanos(Clock.system().nanoTime() - begin).toSeconds(),
          followers.size());
      followers.forEach(Follower::close);
    }
  }

  /** Compacts away the versions of the informers while the writers continue. */
  private void compactWhileAway(RESTClient client, CuttingProxy proxy, Compaction compaction)
      throws Exception {
    proxy.refuse();
    try {
      int before = written.get();
      Waiting.until("some writes", () -> written.get() > before + NAMES || written.get() >= WRITES);
      compaction.before(
          client.resource(CONFIG_MAPS).list(ListOptions.NONE).metadata().resourceVersion());
    } finally {
      proxy.accept();
    }
  }

  /** Creates, updates and deletes at random until the server has accepted enough writes. */
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
          throw e; // Neither a conflict nor a restart of the server.
        }
      } catch (TransportException e) {
        Clock.system().sleep(Duration.ofMillis(50)); // The server is restarting.
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
      Clock.system().sleep(Duration.ofMillis(50)); // The server is restarting.
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
      // Without a grace period, a pod without a node is removed at once, like other objects.
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
