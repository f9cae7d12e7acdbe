package dev.clientgo.benchmarks.cache;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.cache.Lister;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One thread reads and changes the cache of an informer. The yardsticks are a {@link
 * ConcurrentHashMap}, which knows no indices and no consistency between two of its entries, and a
 * loop over all objects.
 *
 * <p>{@code ./benchmarks/run jmh StoreBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StoreBenchmark {

  /** How many objects there are. */
  @Param("10000")
  public int objects;

  private final ConcurrentHashMap<String, Pod> map = new ConcurrentHashMap<>();
  private final Indexer<Pod> oneIndex = indexer(Map.of());
  private final Indexer<Pod> threeIndices =
      indexer(Map.of("node", Pods.BY_NODE, "app", Pods.BY_APP));
  private final Lister<Pod> lister = Lister.of(threeIndices, Pod.TYPE.resource().groupResource());
  private final Selector selector = Selector.parse("app=app-1");
  private Pod[][] versions;
  private String[] keys;
  private int next;

  private static Indexer<Pod> indexer(Map<String, IndexFunction<Pod>> more) {
    Indexer<Pod> indexer =
        Indexer.create(
            KeyFunction.metaNamespace(),
            Map.of(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace()));
    indexer.addIndexers(more);
    return indexer;
  }

  /** Fills the caches. */
  @Setup
  public void fill() {
    versions = new Pod[][] {Pods.create(objects, 1), Pods.create(objects, 2)};
    keys = new String[objects];
    for (int i = 0; i < objects; i++) {
      Pod pod = versions[0][i];
      keys[i] = Pods.key(pod);
      map.put(keys[i], pod);
    }
    oneIndex.replace(List.of(versions[0]), "1");
    threeIndices.replace(List.of(versions[0]), "1");
  }

  private int next() {
    next = next + 1 == 2 * objects ? 0 : next + 1;
    return next;
  }

  private String nextKey() {
    return keys[next() % objects];
  }

  private String nextNamespace() {
    return Pods.namespace(next() % objects / Pods.PER_NAMESPACE);
  }

  private Pod nextVersion() {
    int i = next();
    return versions[i / objects][i % objects];
  }

  /** The yardstick of {@link #get}. */
  @Benchmark
  public Pod getFromConcurrentHashMap() {
    return map.get(nextKey());
  }

  /** One object by its key. */
  @Benchmark
  public Optional<Pod> get() {
    return threeIndices.getByKey(nextKey());
  }

  /** The thirty objects of a node. */
  @Benchmark
  public List<Pod> indexLookup() {
    return threeIndices.byIndex("node", "node-" + next() % objects / 30);
  }

  /** The yardstick of {@link #listNamespace}: looks at all objects. */
  @Benchmark
  public List<Pod> listNamespaceByLoop() {
    String namespace = nextNamespace();
    List<Pod> found = new ArrayList<>();
    for (Pod pod : map.values()) {
      if (namespace.equals(pod.metadata().namespace())) {
        found.add(pod);
      }
    }
    return found;
  }

  /** The hundred objects of a namespace. */
  @Benchmark
  public List<Pod> listNamespace() {
    return lister.inNamespace(nextNamespace()).list();
  }

  /** The yardstick of {@link #listByLabels}: the same condition by hand. */
  @Benchmark
  public List<Pod> listByLabelsByLoop() {
    List<Pod> found = new ArrayList<>();
    for (Pod pod : threeIndices.list()) {
      if ("app-1".equals(pod.metadata().labels().get("app"))) {
        found.add(pod);
      }
    }
    return found;
  }

  /** The objects of all namespaces that a label selector selects, one in fifty. */
  @Benchmark
  public List<Pod> listByLabels() {
    return lister.list(selector);
  }

  /** The yardstick of the updates. */
  @Benchmark
  public Pod updateConcurrentHashMap() {
    Pod pod = nextVersion();
    return map.put(Pods.key(pod), pod);
  }

  /** A new version of an object, with an index by namespace. */
  @Benchmark
  public void updateWithOneIndex() {
    oneIndex.update(nextVersion());
  }

  /** A new version of an object, with indices by namespace, node and label. */
  @Benchmark
  public void updateWithThreeIndices() {
    threeIndices.update(nextVersion());
  }
}
