package dev.clientgo.benchmarks.informer;

import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.config.RestConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * One informer on all pods of a server, with and without threads that list its cache all the time:
 * what they take from its events per second, and add to their latency.
 *
 * <p>{@code ./benchmarks/run snapshot-readers URL READERS LOOKS PAUSE_MICROS RATE SECONDS}; {@code
 * docs/benchmarks/snapshots.md} says what the arguments and the figures are.
 */
public final class SnapshotReaders {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** How many events stand for a second, if they come as fast as they can. */
  private static final int UNPACED = 10_000;

  /** How often each phase is repeated, in turn. */
  private static final int ROUNDS = 3;

  private final RESTClient client;

  /** How many objects of a list a reader looks at. */
  private final int looks;

  private final SharedIndexInformer<Pod> informer;
  private final EventRecorder<Pod> recorder = new EventRecorder<>();
  private final LongAdder lists = new LongAdder();
  private volatile boolean reading;

  private SnapshotReaders(RESTClient client, int looks) {
    this.client = client;
    this.looks = looks;
    ResourceClient<Pod> pods = client.resource(Pod.TYPE);
    this.informer =
        SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch))
            .type(Pod.TYPE)
            .name("pods")
            .build();
  }

  /** Runs it once and prints one line for each phase. */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 6) {
      System.err.println("usage: snapshot-readers URL READERS LOOKS PAUSE_MICROS RATE SECONDS");
      System.exit(2);
    }
    int readers = Integer.parseInt(arguments[1]);
    int looks = Integer.parseInt(arguments[2]);
    int pause = Integer.parseInt(arguments[3]);
    int rate = Integer.parseInt(arguments[4]);
    int count = (rate == 0 ? UNPACED : rate) * Integer.parseInt(arguments[5]);
    try (RESTClient client = RESTClient.create(RestConfig.builder(arguments[0]).build())) {
      SnapshotReaders bench = new SnapshotReaders(client, looks);
      bench.sync();
      bench.measureHeap();
      StormRequest.send(client, bench.recorder, count, rate); // The JVM compiles meanwhile.
      for (int round = 0; round < ROUNDS; round++) {
        bench.measure(0, 0, count, rate);
        bench.measure(readers, pause, count, rate);
      }
      bench.informer.close();
    }
  }

  private void sync() throws InterruptedException {
    var registration = informer.addEventHandler(recorder);
    informer.start();
    if (!registration.hasSyncedChecker().await(PATIENCE)) {
      throw new IllegalStateException("not synced: " + informer.health());
    }
  }

  /** Measures what a second store of the same objects takes: its keys and one index included. */
  private void measureHeap() {
    List<Pod> pods = informer.indexer().list();
    long before = ProcessFigures.usedHeap();
    Indexer<Pod> store =
        Indexer.create(
            KeyFunction.metaNamespace(),
            Map.of(Indexer.NAMESPACE_INDEX, IndexFunction.metaNamespace()));
    store.replace(pods, "1");
    long bytes = ProcessFigures.usedHeap() - before;
    int count = store.list().size();
    System.out.printf(
        Locale.ROOT, "objects=%d store_bytes_per_obj=%d%n", count, bytes / Math.max(1, count));
  }

  private void measure(int readers, int pauseMicros, int count, int rate)
      throws InterruptedException {
    lists.reset();
    reading = true;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      Thread thread = new Thread(() -> read(pauseMicros), "reader-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    Duration cpuBefore = ProcessFigures.cpu();
    long start = System.nanoTime();
    EventRecorder.Storm storm = StormRequest.send(client, recorder, count, rate);
    double seconds = (System.nanoTime() - start) / 1e9;
    Duration cpu = ProcessFigures.cpu().minus(cpuBefore);
    reading = false;
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.printf(
        Locale.ROOT,
        "readers=%d looks=%d pause_us=%d rate=%d events_per_s=%d lat_p50_us=%d lat_p99_us=%d lat_max_us=%d"
            + " lists_per_s=%.0f cpu_cores=%.2f%n",
        readers,
        looks,
        pauseMicros,
        rate,
        storm.perSecond(),
        storm.latencyMicros(0.5),
        storm.latencyMicros(0.99),
        storm.latencyMicros(1),
        lists.sum() / seconds,
        cpu.toNanos() / 1e9 / seconds);
  }

  /** Lists all pods, and looks at some of them, until the phase ends. */
  private void read(int pauseMicros) {
    while (reading) {
      int left = looks;
      for (Pod pod : informer.lister().list()) {
        if (left-- == 0 || pod.metadata().labels().isEmpty()) {
          break;
        }
      }
      lists.increment();
      if (pauseMicros > 0) {
        // Not all at the same moment.
        long nanos = TimeUnit.MICROSECONDS.toNanos(pauseMicros);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(nanos / 2, 3 * nanos / 2));
      }
    }
  }
}
