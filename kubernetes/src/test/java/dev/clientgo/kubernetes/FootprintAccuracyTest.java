package dev.clientgo.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.CacheFootprint;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the footprint of a cache with the bytes that the JVM counts. */
@Timeout(300)
final class FootprintAccuracyTest {

  /** The estimates were up to 3 % too low; docs/memory.md has the figures. */
  private static final double TOLERANCE = 0.1;

  private static final int OBJECTS = 1500;
  private static final String[] FIELDS = {
    "spec.nodeName", "spec.containers.image", "status.phase", "status.podIP"
  };

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
    for (int i = 0; i < OBJECTS; i++) {
      server.put(Unstructured.parse(FootprintTest.pod(i)));
      server.put(Unstructured.parse(configMap(i)));
    }
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  /** Returns a map of up to 150 keys, some of whose values need two bytes for a character. */
  private static String configMap(int i) {
    StringBuilder data = new StringBuilder("{\"first\":\"v\"");
    for (int k = 0; k < i % 150; k++) {
      String value = (k % 3 == 0 ? "€" : "v") + i;
      data.append(",\"key-").append(k).append("\":\"").append(value).append('"');
    }
    return """
    {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"map-%d","namespace":"shop"},
     "data":%s}}\
    """
        .formatted(i, data);
  }

  private static Map<String, IndexFunction<? super KubernetesObject>> indexers() {
    Map<String, IndexFunction<? super KubernetesObject>> indexers = new TreeMap<>();
    indexers.put(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace());
    indexers.put("uid", pod -> List.of(pod.metadata().uid()));
    indexers.put("group", pod -> List.of("g" + pod.metadata().name().hashCode() % 100));
    return indexers;
  }

  static Stream<Arguments> ways() {
    ResourceType<Unstructured> pods = Unstructured.type(Pod.TYPE.kind(), "pods", true);
    ResourceType<Unstructured> maps = Unstructured.type(ConfigMap.TYPE.kind(), "configmaps", true);
    return Stream.of(
        Arguments.of("pods", Pod.TYPE, Map.of()),
        Arguments.of("pods, dropManagedFields", Pod.TYPE.dropManagedFields(), Map.of()),
        Arguments.of("pods, keep", Pod.TYPE.keep(FIELDS), Map.of()),
        Arguments.of("pods, metadataOnly", Pod.TYPE.metadataOnly(), Map.of()),
        Arguments.of("pods, Unstructured", pods, Map.of()),
        Arguments.of("pods, Unstructured, keep", pods.keep(FIELDS), Map.of()),
        Arguments.of("maps", ConfigMap.TYPE, Map.of()),
        Arguments.of("maps, Unstructured", maps, Map.of()),
        Arguments.of("pods, keep, three indices", Pod.TYPE.keep("status.phase"), indexers()));
  }

  /** The content of the cache of an informer that is closed. */
  private record Cache<T>(CacheFootprint footprint, IndexSnapshot<T> content) {}

  private static <T extends KubernetesObject> Cache<T> read(
      ResourceType<T> type, Map<String, IndexFunction<? super KubernetesObject>> indexers)
      throws InterruptedException {
    ResourceClient<T> resource = client.resource(type);
    SharedIndexInformer.Builder<T> builder =
        SharedIndexInformer.builder(ListWatch.of(resource::list, resource::watch)).type(type);
    indexers.forEach(builder::indexer);
    try (SharedIndexInformer<T> informer = builder.build()) {
      informer.start();
      assertThat(informer.awaitSynced(Duration.ofSeconds(60))).isTrue();
      return new Cache<>(informer.footprint(), informer.indexer().snapshot());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ways")
  <T extends KubernetesObject> void footprint_isWhatTheJvmCounts(
      String way,
      ResourceType<T> type,
      Map<String, IndexFunction<? super KubernetesObject>> indexers)
      throws InterruptedException {
    // The first reads load classes, and make the server keep the text of each object.
    read(type, indexers);
    read(type, indexers);
    // Each count sees the table of one earlier count.
    LiveObjects[] before = {LiveObjects.count()};
    before[0] = LiveObjects.count();

    Cache<T> cache = read(type, indexers);

    LiveObjects after;
    try {
      after = LiveObjects.count();
    } finally {
      Reference.reachabilityFence(cache);
    }
    long counted = after.bytesSince(before[0]);
    assertThat(cache.content().size()).isEqualTo(OBJECTS);
    assertThat((double) cache.footprint().bytes() / counted)
        .as("estimated %s, counted %,d: %s", cache.footprint(), counted, after.since(before[0]))
        .isCloseTo(1, within(TOLERANCE));
  }
}
