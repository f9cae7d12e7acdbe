package dev.clientgo.benchmarks.informer;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.TransformFunction;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.envtest.traffic.CuttingProxy;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the heap of one informer on pods, for whole pods and for partly read pods, in JSON and
 * in protobuf; beside it the bytes that the server sends.
 *
 * <p>{@code ./benchmarks/run footprint [PODS [ROUNDS]]}, 10,000 pods and two rounds by default, of
 * which the best counts. It prints a table in Markdown: first the bench server, which sends JSON;
 * then, if there is one, a kube-apiserver.
 */
public final class CacheFootprints {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String JSON = "application/json";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String[] KEPT = {
    "spec.nodeName", "spec.containers.image", "status.phase", "status.podIP"
  };
  private static final String[] DROPPED = {
    "metadata.managedFields", "metadata.annotations", "spec.volumes", "status.conditions"
  };

  private final RESTClient client;
  private final int pods;

  private CacheFootprints(RESTClient client, int pods) {
    this.client = client;
    this.pods = pods;
  }

  /** One way to read pods. */
  private record Way<T extends KubernetesObject>(
      ResourceType<T> type, TransformFunction<T> transform) {

    static <T extends KubernetesObject> Way<T> of(ResourceType<T> type) {
      return new Way<>(type, object -> object);
    }
  }

  /**
   * The figures of one informer.
   *
   * @param informer the bytes of the heap that it takes
   * @param cache those that are left when it is closed, and only the snapshot of its cache is held
   * @param millis the time to sync
   */
  private record Figures(long informer, long cache, long millis) {

    /** Returns the least of each. */
    Figures min(Figures other) {
      return new Figures(
          Math.min(informer, other.informer),
          Math.min(cache, other.cache),
          Math.min(millis, other.millis));
    }
  }

  /** An informer that is closed: its cache, and what was measured while it was synced. */
  private record Synced<T>(IndexSnapshot<T> cache, long usedHeap, long millis) {}

  /** Runs all ways and prints a row for each. */
  public static void main(String[] arguments) throws Exception {
    int pods = arguments.length < 1 ? 10_000 : Integer.parseInt(arguments[0]);
    int rounds = arguments.length < 2 ? 2 : Integer.parseInt(arguments[1]);
    System.out.println(
        "| server, encoding | pods are read | sent per pod | informer per pod | its cache per pod"
            + " | sync |");
    System.out.println("|---|---|--:|--:|--:|--:|");
    try (PodSource bench = PodSource.benchServer(pods)) {
      run("bench server, JSON", JSON, bench.config(), pods, rounds);
    }
    if (!KubeApiServer.isAvailable()) {
      System.err.println("There is no kube-apiserver, so its figures are missing.");
      return;
    }
    try (PodSource real = PodSource.kubeApiServer(pods)) {
      run("kube-apiserver, JSON", JSON, real.config(), pods, rounds);
      run("kube-apiserver, protobuf", PROTOBUF, real.config(), pods, rounds);
    }
  }

  private static Map<String, Way<?>> ways(String encoding) {
    Map<String, Way<?>> ways = new LinkedHashMap<>();
    ways.put("whole", Way.of(Pod.TYPE));
    ways.put("with a transform that removes managed fields", new Way<>(Pod.TYPE, TRANSFORM));
    ways.put("`dropManagedFields()`", Way.of(Pod.TYPE.dropManagedFields()));
    ways.put("`drop(…)` of 4 fields", Way.of(Pod.TYPE.drop(DROPPED)));
    ways.put("`keep(…)` of 4 fields", Way.of(Pod.TYPE.keep(KEPT)));
    ways.put("`metadataOnly()`", Way.of(Pod.TYPE.metadataOnly()));
    ways.put("`metadataOnly().dropManagedFields()`", Way.of(metadataWithoutManagedFields()));
    if (encoding.equals(JSON)) {
      ResourceType<Unstructured> trees = Unstructured.type(Pod.TYPE.kind(), "pods", true);
      ways.put("whole, `Unstructured`", Way.of(trees));
      ways.put("`keep(…)` of 4 fields, `Unstructured`", Way.of(trees.keep(KEPT)));
    }
    return ways;
  }

  private static final TransformFunction<Pod> TRANSFORM =
      pod -> pod.with(p -> p.editMetadata(m -> m.managedFields(null)));

  private static ResourceType<PartialObjectMetadata> metadataWithoutManagedFields() {
    return Pod.TYPE.metadataOnly().dropManagedFields();
  }

  private static void run(String server, String encoding, RestConfig config, int pods, int rounds)
      throws InterruptedException, IOException {
    RestConfig encoded = config.toBuilder().contentType(encoding).build();
    try (RESTClient client = RESTClient.create(encoded)) {
      CacheFootprints footprints = new CacheFootprints(client, pods);
      for (Map.Entry<String, Way<?>> way : ways(encoding).entrySet()) {
        long sent = sent(encoded, way.getValue(), pods);
        footprints.measure(way.getValue()); // Not counted: the code is cold.
        Figures figures = footprints.measure(way.getValue());
        for (int i = 1; i < rounds; i++) {
          figures = figures.min(footprints.measure(way.getValue()));
        }
        System.out.printf(
            Locale.ROOT,
            "| %s | %s | %,d | %,d | %,d | %,d ms |%n",
            server,
            way.getKey(),
            sent / pods,
            figures.informer() / pods,
            figures.cache() / pods,
            figures.millis());
      }
    }
  }

  /** Returns how many bytes a server sends until an informer is synced. */
  private static long sent(RestConfig config, Way<?> way, int pods)
      throws InterruptedException, IOException {
    try (CuttingProxy proxy = CuttingProxy.to(config.server());
        RESTClient client =
            RESTClient.create(config.toBuilder().server(proxy.url().toString()).build())) {
      new CacheFootprints(client, pods).measure(way);
      return proxy.receivedBytes();
    }
  }

  private <T extends KubernetesObject> SharedIndexInformer<T> informer(Way<T> way) {
    ResourceClient<T> resource = client.resource(way.type());
    return SharedIndexInformer.builder(ListWatch.of(resource::list, resource::watch))
        .name("pods")
        .type(way.type())
        .transform(way.transform())
        .build();
  }

  private <T extends KubernetesObject> Figures measure(Way<T> way) throws InterruptedException {
    long before = ProcessFigures.usedHeap();
    Synced<T> synced = sync(way);
    long cache = ProcessFigures.usedHeap() - before;
    Reference.reachabilityFence(synced.cache());
    return new Figures(synced.usedHeap() - before, cache, synced.millis());
  }

  /**
   * Syncs an informer and closes it. This is a separate method, because the JVM's interpreter keeps
   * the values of local variables until a method returns, even after their last use: the informer
   * with its reader would then count as cache.
   */
  private <T extends KubernetesObject> Synced<T> sync(Way<T> way) throws InterruptedException {
    long start = System.nanoTime();
    try (SharedIndexInformer<T> informer = informer(way)) {
      informer.start();
      if (!informer.awaitSynced(PATIENCE) || informer.indexer().snapshot().size() != pods) {
        throw new IllegalStateException("not synced: " + informer.health());
      }
      long millis = (System.nanoTime() - start) / 1_000_000;
      long usedHeap = ProcessFigures.usedHeap();
      return new Synced<>(informer.indexer().snapshot(), usedHeap, millis);
    }
  }
}
