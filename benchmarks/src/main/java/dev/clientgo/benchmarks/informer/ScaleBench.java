package dev.clientgo.benchmarks.informer;

import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.ResourceEventHandlerRegistration;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.config.RestConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Informers on config maps of the server of these benchmarks, in a process of their own: one on
 * all, or many, each on a namespace.
 *
 * <p>{@code ./benchmarks/run scale-bench URL INFORMERS HANDLERS EVENTS}; docs/benchmarks/scale.md
 * says what the figures are.
 */
public final class ScaleBench {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** For how long the informers are watched while nothing happens. */
  private static final Duration IDLE = Duration.ofSeconds(3);

  private final RESTClient client;
  private final int handlers;
  private final SharedInformerFactory factory;
  private final List<SharedIndexInformer<ConfigMap>> informers = new ArrayList<>();
  private final List<ResourceEventHandlerRegistration> registrations = new ArrayList<>();
  private final AtomicLong adds = new AtomicLong();
  private final AtomicLong updatesLeft = new AtomicLong();
  private final CountDownLatch updated = new CountDownLatch(1);
  private final StringBuilder line = new StringBuilder("scale");

  private ScaleBench(RESTClient client, int count, int handlers) {
    this.client = client;
    this.handlers = handlers;
    factory = SharedInformerFactory.builder(Clientset.of(client)).build();
    for (int i = 0; i < count; i++) {
      informers.add(factory.informer(ConfigMap.TYPE, count == 1 ? "" : "team-" + i));
    }
  }

  /** Runs it once and prints one line. */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 4) {
      System.err.println("usage: scale-bench URL INFORMERS HANDLERS EVENTS");
      System.exit(2);
    }
    long heapBefore = ProcessFigures.usedHeap();
    int informers = Integer.parseInt(arguments[1]);
    int handlers = Integer.parseInt(arguments[2]);
    try (RESTClient client = RESTClient.create(RestConfig.builder(arguments[0]).build())) {
      ScaleBench bench = new ScaleBench(client, informers, handlers);
      bench.sync(heapBefore);
      bench.idle();
      bench.storm(Integer.parseInt(arguments[3]));
      System.out.println(bench.line);
      bench.close();
    }
  }

  private void sync(long heapBefore) throws InterruptedException {
    Duration cpuBefore = ProcessFigures.cpu();
    long start = System.nanoTime();
    for (SharedIndexInformer<ConfigMap> informer : informers) {
      for (int i = 0; i < handlers; i++) {
        registrations.add(informer.addEventHandler(new Counter()));
      }
      informer.start();
    }
    for (ResourceEventHandlerRegistration registration : registrations) {
      if (!registration.hasSyncedChecker().await(PATIENCE)) {
        throw new IllegalStateException("not synced: " + informers.get(0).health());
      }
    }
    long nanos = System.nanoTime() - start;
    Duration cpu = ProcessFigures.cpu().minus(cpuBefore);
    long heap = ProcessFigures.usedHeap() - heapBefore;
    long objects = adds.get() / handlers;
    append(
        "objects=%d informers=%d handlers=%d sync_ms=%d sync_cpu_us_per_obj=%.1f",
        objects,
        informers.size(),
        handlers,
        TimeUnit.NANOSECONDS.toMillis(nanos),
        cpu.toNanos() / 1e3 / objects);
    append(
        "heap_bytes_per_obj=%d heap_kb_per_informer=%d",
        heap / objects, heap / 1024 / informers.size());
  }

  private void idle() throws InterruptedException {
    Duration cpuBefore = ProcessFigures.cpu();
    TimeUnit.NANOSECONDS.sleep(IDLE.toNanos());
    Duration cpu = ProcessFigures.cpu().minus(cpuBefore);
    append(
        "threads=%d rss_mb=%d idle_cpu_ms_per_s=%.1f",
        ManagementFactory.getThreadMXBean().getThreadCount(),
        ProcessFigures.residentMegabytes(),
        cpu.toNanos() / 1e6 / IDLE.toSeconds());
  }

  private void storm(int events) throws InterruptedException {
    long expected = (long) events * informers.size();
    updatesLeft.set(expected * handlers);
    Duration cpuBefore = ProcessFigures.cpu();
    long start = System.nanoTime();
    try (InputStream answer =
        client
            .post()
            .absPath("control", "storm")
            .param("count", Integer.toString(events))
            .stream()) {
      answer.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!updated.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      System.err.println(updatesLeft + " events did not come");
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Duration cpu = ProcessFigures.cpu().minus(cpuBefore);
    append(
        "events_per_s=%.0f cpu_us_per_event=%.1f",
        expected / seconds, cpu.toNanos() / 1e3 / expected);
  }

  private void append(String format, Object... values) {
    line.append(' ').append(String.format(Locale.ROOT, format, values));
  }

  private void close() {
    factory.close();
  }

  private final class Counter implements ResourceEventHandler<ConfigMap> {

    @Override
    public void onAdd(ConfigMap object, boolean isInInitialList) {
      adds.incrementAndGet();
    }

    @Override
    public void onUpdate(ConfigMap oldObject, ConfigMap newObject) {
      if (updatesLeft.decrementAndGet() == 0) {
        updated.countDown();
      }
    }
  }
}
