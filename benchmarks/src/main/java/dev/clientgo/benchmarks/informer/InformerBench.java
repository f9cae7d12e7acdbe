package dev.clientgo.benchmarks.informer;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ResourceEventHandlerRegistration;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.TransformFunction;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * One informer on all pods of a server, from a cold start: how long until it is synced, what an
 * object takes in the heap, how many events a second it handles and with what latency.
 *
 * <p>{@code ./benchmarks/run informer-bench URL N STORM RATE SECONDS}; docs/benchmarks/informer.md
 * says what the arguments, the environment and the figures are.
 */
public final class InformerBench<T extends KubernetesObject> {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final RESTClient client;
  private final SharedIndexInformer<T> informer;
  private final EventRecorder<T> recorder = new EventRecorder<>();
  private final StringBuilder line = new StringBuilder("client-go-java");

  private InformerBench(RESTClient client, ResourceType<T> type, TransformFunction<T> transform) {
    this.client = client;
    ResourceClient<T> pods = client.resource(type);
    SharedIndexInformer.Builder<T> builder =
        SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch))
            .name("pods")
            .transform(transform);
    if (System.getenv("BENCH_OBSERVER") != null) {
      builder.observer(new CountingObserver<>());
    }
    this.informer = builder.build();
  }

  /** Runs it once and prints one line. */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 5) {
      System.err.println("usage: informer-bench URL N STORM RATE SECONDS");
      System.exit(2);
    }
    long heapBefore = ProcessFigures.usedHeap();
    long start = System.nanoTime();
    try (RESTClient client = RESTClient.create(config(arguments[0]))) {
      InformerBench<?> bench = create(client);
      bench.sync(Integer.parseInt(arguments[1]), start, heapBefore);
      int storm = Integer.parseInt(arguments[2]);
      if (storm > 0) {
        bench.storm(storm);
        bench.latency(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
      }
      System.out.println(bench.line);
      bench.informer.close();
    }
  }

  private static RestConfig config(String url) {
    String kubeconfig = System.getenv("BENCH_KUBECONFIG");
    RestConfig config =
        kubeconfig == null
            ? RestConfig.builder(url).build()
            : KubeConfigLoader.builder().file(Path.of(kubeconfig)).build().load();
    return config.toBuilder().contentType(System.getenv("BENCH_CONTENT_TYPE")).build();
  }

  private static InformerBench<?> create(RESTClient client) {
    boolean dropped = System.getenv("BENCH_DROP_MANAGED_FIELDS") != null;
    String objects = System.getenv().getOrDefault("BENCH_OBJECTS", "typed");
    return switch (objects) {
      case "typed" ->
          new InformerBench<>(
              client,
              Pod.TYPE,
              pod -> dropped ? pod.with(edit -> edit.metadata(withoutManagedFields(pod))) : pod);
      case "unstructured" ->
          new InformerBench<>(
              client,
              Unstructured.type(Pod.TYPE.kind(), "pods", true),
              pod -> dropped ? pod.withMetadata(withoutManagedFields(pod)) : pod);
      default -> throw new IllegalArgumentException("typed or unstructured, not " + objects);
    };
  }

  private static ObjectMeta withoutManagedFields(KubernetesObject object) {
    return object.metadata().toBuilder().managedFields(null).build();
  }

  private void sync(int expected, long start, long heapBefore) throws InterruptedException {
    ResourceEventHandlerRegistration registration = informer.addEventHandler(recorder);
    informer.start();
    if (!registration.hasSyncedChecker().await(PATIENCE)) {
      throw new IllegalStateException("not synced: " + informer.health());
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    double cpuSeconds = ProcessFigures.cpu().toMillis() / 1000.0;
    int count = recorder.adds();
    if (count != expected) {
      System.err.println("expected " + expected + " objects, the server has " + count);
    }
    ProcessFigures.print("at sync", recorder.firstAddAfterProcessStart());
    long heap = ProcessFigures.usedHeap() - heapBefore;
    append("n=%d sync_ms=%d heap_bytes_per_obj=%d", count, millis, heap / Math.max(1, count));
    append("cpu_s=%.2f", cpuSeconds);
  }

  private void storm(int count) throws InterruptedException {
    line.setLength(line.lastIndexOf(" "));
    long allocatedBefore = ProcessFigures.allocated();
    Duration cpuBefore = ProcessFigures.cpu();
    EventRecorder.Storm storm = StormRequest.send(client, recorder, count, 0);
    long cpuMicros = ProcessFigures.cpu().minus(cpuBefore).toNanos() / 1000;
    int got = Math.max(1, storm.count());
    append("storm_events_per_s=%d storm_got=%d", storm.perSecond(), storm.count());
    append("cpu_us_per_event=%d", cpuMicros / got);
    ProcessFigures.print(
        "in the storm", "bytes_per_event=" + (ProcessFigures.allocated() - allocatedBefore) / got);
  }

  private void latency(int rate, int seconds) throws InterruptedException {
    EventRecorder.Storm storm = StormRequest.send(client, recorder, rate * seconds, rate);
    append(
        "lat_p50_us=%d lat_p99_us=%d lat_max_us=%d lat_n=%d",
        storm.latencyMicros(0.5), storm.latencyMicros(0.99), storm.latencyMicros(1), storm.count());
  }

  private void append(String format, Object... values) {
    line.append(' ').append(String.format(Locale.ROOT, format, values));
  }
}
