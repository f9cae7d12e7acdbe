package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.options.DeleteOptions;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.meta.options.Preconditions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Threads of one process, and a client of another, create, change, delete and finalize a few
 * objects on a server whose watches lag behind by up to a second. The reads of the process, by
 * name, in lists, by label and through an index, are checked for each key. The same check must find
 * fault with reads without own writes, and with reads that give them up too early.
 *
 * <p>{@code -Dclientgo.seconds=600} takes longer, {@code -Dclientgo.seed=…} repeats the choices.
 */
final class LinearizabilityTest {

  private static final int SECONDS = Integer.getInteger("clientgo.seconds", 4);
  private static final long SEED = Long.getLong("clientgo.seed", Clock.system().nanoTime());
  private static final int THREADS = 4;
  private static final int KEYS = 5;
  private static final int LABELS = 2;
  private static final int LONGEST_DELAY_MILLIS = 1000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final LinearizabilityHistory history = new LinearizabilityHistory();
  private EmbeddedApiServer server;
  private RESTClient rest;
  private Manager manager;
  private CachedResource<ConfigMap> cached;
  private ResourceClient<ConfigMap> other;
  private SharedIndexInformer<ConfigMap> plain;

  /** The ways to read that are compared. */
  private interface Reads {
    Optional<ConfigMap> find(String name) throws InterruptedException;

    List<ConfigMap> list() throws InterruptedException;

    List<ConfigMap> byLabel(String value) throws InterruptedException;

    List<ConfigMap> byIndex(String value) throws InterruptedException;
  }

  @BeforeEach
  void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    rest = RESTClient.create(server.restConfig());
    other = rest.resource(ConfigMap.TYPE).inNamespace("default");
    manager =
        Manager.builder(rest)
            .informers(
                factory ->
                    factory.configure(ConfigMap.TYPE, informer -> informer.indexer("l", index())))
            .build();
    manager.start();
    cached = manager.client().resource(ConfigMap.TYPE).inNamespace("default");
    cached.list();
    plain =
        SharedIndexInformer.builder(ListWatch.of(other::list, other::watch))
            .indexer("l", index())
            .build();
    plain.start();
    assertThat(plain.awaitSynced(LIMIT)).isTrue();
    server.awaitWatches(2);
  }

  @AfterEach
  void stop() {
    plain.close();
    manager.close();
    rest.close();
    server.close();
  }

  private static IndexFunction<ConfigMap> index() {
    return IndexFunction.ofNullable(LinearizabilityHistory::labelOf);
  }

  private final class WithOwnWrites implements Reads {
    @Override
    public Optional<ConfigMap> find(String name) throws InterruptedException {
      return cached.find(name);
    }

    @Override
    public List<ConfigMap> list() throws InterruptedException {
      return cached.list();
    }

    @Override
    public List<ConfigMap> byLabel(String value) throws InterruptedException {
      return cached.list(Selector.parse("l=" + value));
    }

    @Override
    public List<ConfigMap> byIndex(String value) throws InterruptedException {
      return cached.byIndex("l", value);
    }
  }

  /** An informer on the same server, which lags behind like the other. */
  private final class WithoutOwnWrites implements Reads {
    @Override
    public Optional<ConfigMap> find(String name) {
      return plain.indexer().getByKey("default/" + name);
    }

    @Override
    public List<ConfigMap> list() {
      return plain.indexer().list();
    }

    @Override
    public List<ConfigMap> byLabel(String value) {
      return list().stream()
          .filter(object -> value.equals(LinearizabilityHistory.labelOf(object)))
          .toList();
    }

    @Override
    public List<ConfigMap> byIndex(String value) {
      return plain.indexer().byIndex("l", value);
    }
  }

  @Test
  void reads_areLinearizableForEachKey() throws Exception {
    run(new WithOwnWrites(), SECONDS);

    assertThat(history.violations()).as("seed %s", SEED).isEmpty();
    assertThat(history.size()).isGreaterThan(100);
  }

  @Test
  void readsWithoutOwnWrites_areFoundWrong() throws Exception {
    run(new WithoutOwnWrites(), 2);

    assertThat(history.violations()).as("seed %s", SEED).isNotEmpty();
  }

  /** As if the overlay gave a write up before the watch has delivered it: now and then. */
  @Test
  void readsThatGiveUpOwnWritesTooEarly_areFoundWrong() throws Exception {
    Random random = new Random(SEED);
    Reads early = new WithoutOwnWrites();
    Reads right = new WithOwnWrites();
    run(
        new Reads() {
          private Reads any() {
            return random.nextInt(10) == 0 ? early : right;
          }

          @Override
          public Optional<ConfigMap> find(String name) throws InterruptedException {
            return any().find(name);
          }

          @Override
          public List<ConfigMap> list() throws InterruptedException {
            return any().list();
          }

          @Override
          public List<ConfigMap> byLabel(String value) throws InterruptedException {
            return any().byLabel(value);
          }

          @Override
          public List<ConfigMap> byIndex(String value) throws InterruptedException {
            return any().byIndex(value);
          }
        },
        2);

    assertThat(history.violations()).as("seed %s", SEED).isNotEmpty();
  }

  // ---- a run

  private void run(Reads reads, int seconds) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Watch<ConfigMap> watch =
        other.watch(ListOptions.builder().resourceVersion(server.resourceVersion()).build())) {
      List<Future<?>> running = new ArrayList<>();
      Future<?> delays = threads.submit(() -> delayWatches(new Random(SEED), ended));
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        Random random = new Random(SEED + 1 + i);
        running.add(
            threads.submit(
                until(
                    ended,
                    () -> {
                      write(random, new OwnWriter());
                      read(thread, reads, random);
                    })));
      }
      Random random = new Random(SEED + 1 + THREADS);
      running.add(threads.submit(until(ended, () -> write(random, new OtherWriter()))));
      Clock.system().sleep(Duration.ofSeconds(seconds));
      ended.set(true);
      for (Future<?> each : running) {
        each.get(60, TimeUnit.SECONDS);
      }
      delays.get(60, TimeUnit.SECONDS);
      other.create(configMap("last", "0", List.of()));
      readHistory(watch);
    } finally {
      ended.set(true);
      threads.shutdownNow();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private static Callable<Void> until(AtomicBoolean ended, Step step) {
    return () -> {
      while (!ended.get()) {
        step.run();
      }
      return null;
    };
  }

  /** Lets the watches lag behind by up to a second; then they deliver all at once. */
  private Void delayWatches(Random random, AtomicBoolean ended) throws InterruptedException {
    try {
      while (!ended.get()) {
        server.watches().forEach(OpenWatch::goSilent);
        Clock.system().sleep(Duration.ofMillis(random.nextInt(LONGEST_DELAY_MILLIS)));
        server.watches().forEach(OpenWatch::resume);
        Clock.system().sleep(Duration.ofMillis(random.nextInt(5)));
      }
    } finally {
      server.watches().forEach(OpenWatch::resume);
    }
    return null;
  }

  private void readHistory(Watch<ConfigMap> watch) throws InterruptedException {
    Optional<WatchEvent<ConfigMap>> event = watch.next();
    while (event.isPresent()) {
      history.happened(event.get());
      if (event.get() instanceof WatchEvent.Added<ConfigMap> added
          && "last".equals(added.value().metadata().name())) {
        return;
      }
      event = watch.next();
    }
    throw new AssertionError("the watch has ended");
  }

  // ---- reading

  private void read(int thread, Reads reads, Random random) throws InterruptedException {
    String label = Integer.toString(random.nextInt(LABELS));
    int way = random.nextInt(4);
    long start = history.now();
    if (way == 0) {
      String name = key(random);
      Optional<ConfigMap> found = reads.find(name);
      note(thread, name, start, null, found.stream().toList(), ceiling());
      return;
    }
    List<ConfigMap> found =
        switch (way) {
          case 1 -> reads.list();
          case 2 -> reads.byLabel(label);
          default -> reads.byIndex(label);
        };
    long ceiling = ceiling();
    for (int i = 0; i < KEYS; i++) {
      note(thread, "k" + i, start, way == 1 ? null : label, found, ceiling);
    }
  }

  private long ceiling() {
    return Long.parseLong(server.resourceVersion());
  }

  private void note(
      int thread,
      String key,
      long start,
      @Nullable String label,
      List<ConfigMap> found,
      long ceiling) {
    long version =
        found.stream()
            .filter(object -> key.equals(object.metadata().name()))
            .mapToLong(LinearizabilityHistory::versionOf)
            .findFirst()
            .orElse(0);
    history.read(thread, key, start, label, version, ceiling);
  }

  // ---- writing

  private interface Writer {
    void create(ConfigMap object) throws InterruptedException;

    void patch(String name, Patch patch) throws InterruptedException;

    void delete(String name) throws InterruptedException;
  }

  private final class OtherWriter implements Writer {
    @Override
    public void create(ConfigMap object) throws InterruptedException {
      other.create(object);
    }

    @Override
    public void patch(String name, Patch patch) throws InterruptedException {
      other.patch(name, patch);
    }

    @Override
    public void delete(String name) throws InterruptedException {
      other.delete(name);
    }
  }

  private final class OwnWriter implements Writer {
    @Override
    public void create(ConfigMap object) throws InterruptedException {
      history.written(cached.create(object));
    }

    @Override
    public void patch(String name, Patch patch) throws InterruptedException {
      history.written(cached.patch(name, patch));
    }

    /** With the uid, because the history must know what was deleted. */
    @Override
    public void delete(String name) throws InterruptedException {
      ConfigMap known = cached.find(name).orElse(null);
      if (known == null) {
        cached.delete(name);
        return;
      }
      String uid = String.valueOf(known.metadata().uid());
      cached.delete(name, DeleteOptions.builder().preconditions(Preconditions.ofUid(uid)).build());
      history.deleted(name, uid);
    }
  }

  private static String key(Random random) {
    return "k" + random.nextInt(KEYS);
  }

  private static ConfigMap configMap(String name, String label, List<String> finalizers) {
    return ConfigMap.of(
        "default",
        name,
        c -> c.editMetadata(m -> m.labels(Map.of("l", label)).finalizers(finalizers)));
  }

  private static void write(Random random, Writer writer) throws InterruptedException {
    String name = key(random);
    String label = Integer.toString(random.nextInt(LABELS));
    try {
      switch (random.nextInt(6)) {
        case 0 -> writer.create(configMap(name, label, List.of()));
        case 1 -> writer.create(configMap(name, label, List.of("test/hold")));
        case 2 -> writer.delete(name);
        case 3 -> writer.patch(name, Patch.merge("{\"metadata\":{\"finalizers\":null}}"));
        case 4 ->
            writer.patch(name, Patch.merge("{\"data\":{\"a\":\"" + random.nextInt() + "\"}}"));
        default ->
            writer.patch(
                name, Patch.merge("{\"metadata\":{\"labels\":{\"l\":\"" + label + "\"}}}"));
      }
    } catch (ApiStatusException e) {
      if (!e.isNotFound() && !e.isAlreadyExists() && !e.isConflict()) {
        throw e;
      }
    }
  }
}
