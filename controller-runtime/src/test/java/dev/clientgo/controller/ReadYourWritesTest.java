package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.apply.AppliedConfigurations;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.internal.cache.Scopes;
import dev.clientgo.controller.internal.cache.UnionUse;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.kubernetes.core.v1.Secret;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Own writes on a server whose watches are silent for a while. */
final class ReadYourWritesTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private EmbeddedApiServer server;
  private RESTClient rest;
  private Manager manager;
  private CachedResource<ConfigMap> cached;
  private ResourceClient<ConfigMap> other;

  @BeforeEach
  void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    rest = RESTClient.create(server.restConfig());
    manager =
        Manager.builder(rest)
            .informers(
                factory ->
                    factory
                        .configure(
                            ConfigMap.TYPE,
                            informer ->
                                informer.indexer(
                                    "field:data.a",
                                    IndexFunction.ofNullable(object -> object.data().get("a"))))
                        .configure(
                            Secret.TYPE,
                            informer ->
                                informer.indexer(
                                    "of", IndexFunction.ofNullable(ReadYourWritesTest::ownerOf))))
            .build();
    manager.start();
    cached = manager.client().resource(ConfigMap.TYPE).inNamespace("default");
    other = rest.resource(ConfigMap.TYPE).inNamespace("default");
    cached.list(); // The first read begins to watch.
    server.awaitWatches(1);
  }

  @AfterEach
  void stop() {
    manager.close();
    rest.close();
    server.close();
  }

  private static ConfigMap configMap(String name, String a) {
    return ConfigMap.of("default", name, c -> c.data(Map.of("a", a)));
  }

  /** Null if the object has no such label. */
  private static String ownerOf(Secret secret) {
    Map<String, String> labels = secret.metadata().labels();
    return labels == null ? null : labels.get("of");
  }

  private void silence() {
    server.watches().forEach(OpenWatch::goSilent);
  }

  private void resume() {
    server.watches().forEach(OpenWatch::resume);
  }

  @Test
  void everyWrite_isInTheNextRead() throws Exception {
    silence();

    ConfigMap created = cached.create(configMap("x", "1"));
    assertThat(cached.find("x")).contains(created);
    assertThat(cached.get("x")).isEqualTo(created);
    assertThat(cached.list()).containsExactly(created);
    assertThat(cached.byIndex("field:data.a", "1")).containsExactly(created);

    ConfigMap edited = cached.edit("x", c -> c.with(b -> b.data(Map.of("a", "2"))));
    assertThat(cached.find(new Request("default", "x"))).contains(edited);
    assertThat(cached.byIndex("field:data.a", "1")).isEmpty();
    assertThat(cached.byIndex("field:data.a", "2")).containsExactly(edited);

    ConfigMap updated =
        cached.update(edited.with(b -> b.editMetadata(m -> m.labels(Map.of("l", "1")))));
    assertThat(cached.list(Selector.parse("l=1"))).containsExactly(updated);

    cached.delete("x");
    assertThat(cached.find("x")).isEmpty();
    assertThat(cached.list()).isEmpty();
    assertThat(cached.byIndex("field:data.a", "2")).isEmpty();

    ConfigMap again = cached.create(configMap("x", "3"));
    assertThat(cached.list()).containsExactly(again);

    resume();
    Eventually.await("the watch", () -> informerShows(again.metadata().resourceVersion()));
    assertThat(cached.list()).containsExactly(again);
    other.delete("x");
    Eventually.await("the deletion by another", () -> isGone("x"));
  }

  /** Then the informer reads less of each object than the type of the client. */
  @Test
  void everyWrite_ofAManagerWithoutManagedFields_isInTheNextRead() throws Exception {
    try (Manager lean =
        Manager.builder(rest).informers(factory -> factory.dropManagedFields(true)).build()) {
      lean.start();
      CachedResource<ConfigMap> maps =
          lean.client().resource(ConfigMap.TYPE).inNamespace("default");
      CachedResource<ConfigMap> cut =
          lean.client().resource(ConfigMap.TYPE.keep("data.a")).inNamespace("default");
      assertThat(maps.list()).isEmpty();
      assertThat(cut.list()).isEmpty();
      server.awaitWatches(3);
      silence();

      ConfigMap created = maps.create(configMap("x", "1"));
      assertThat(maps.find("x")).contains(created);
      ConfigMap edited = maps.edit("x", c -> c.with(b -> b.data(Map.of("a", "2"))));
      assertThat(maps.list()).containsExactly(edited);
      maps.delete("x");
      assertThat(maps.find("x")).isEmpty();
      maps.create(configMap("y", "1"));
      cut.edit("y", c -> c.with(b -> b.data(Map.of("a", "2", "b", "3"))));
      assertThat(cut.get("y").data()).isEqualTo(Map.of("a", "2"));
    }
  }

  private boolean informerShows(String version) {
    String reached = manager.informerHealth().values().iterator().next().storeResourceVersion();
    return ResourceVersion.compare(reached, version) >= 0;
  }

  private boolean isGone(String name) {
    try {
      return cached.find(name).isEmpty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void deletionThatWaitsForAFinalizer_showsTheObjectAsItIs() throws Exception {
    cached.create(
        configMap("x", "1").with(b -> b.editMetadata(m -> m.finalizers(List.of("test/hold")))));
    silence();

    cached.delete("x");

    assertThat(cached.get("x").metadata().deletionTimestamp()).isNotNull();
    cached.edit("x", c -> c.with(b -> b.editMetadata(m -> m.finalizers(List.of()))));
    assertThat(cached.find("x")).isEmpty();
    resume();
    Eventually.await("the watch", () -> informerShows(server.resourceVersion()));
    assertThat(cached.find("x")).isEmpty();
  }

  @Test
  void deletionOfWhatAnotherHasCreated_findsIt() throws Exception {
    silence();
    other.create(configMap("x", "1"));
    assertThat(cached.find("x")).isEmpty();

    cached.delete("x");
    assertThat(cached.deleteIfExists("x")).isFalse();
    assertThatThrownBy(() -> cached.delete("x"))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isNotFound()).isTrue());
    resume();
    ConfigMap last = other.create(configMap("last", "1"));
    Eventually.await("the watch", () -> informerShows(last.metadata().resourceVersion()));
    assertThat(other.find("x")).isEmpty();
    assertThat(cached.find("x")).isEmpty();
  }

  @Test
  void deletionOfAnObjectThatWasCreatedAgain_deletesTheNewOne() throws Exception {
    cached.create(configMap("x", "1"));
    silence();
    other.delete("x");
    other.create(configMap("x", "2"));

    cached.delete("x");

    assertThat(other.find("x")).isEmpty();
    assertThat(cached.find("x")).isEmpty();
  }

  @Test
  void deletionOfAKnownObjectThatWasCreatedAgain_isAConflict() throws Exception {
    ConfigMap known = cached.create(configMap("x", "1"));
    silence();
    other.delete("x");
    other.create(configMap("x", "2"));

    assertThatThrownBy(() -> cached.delete(known))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isConflict()).isTrue());

    assertThat(other.find("x")).isPresent();
  }

  @Test
  void deletionOfAKnownObject_isSeenAtOnce() throws Exception {
    ConfigMap known = cached.create(configMap("x", "1"));
    silence();

    cached.delete(known);

    assertThat(other.find("x")).isEmpty();
    assertThat(cached.find("x")).isEmpty();
  }

  @Test
  void listOptions_areThoseOfACache() throws Exception {
    cached.create(configMap("x", "1"));
    cached.create(configMap("y", "1"));
    cached.create(configMap("z", "2"));

    assertThat(cached.list(ListOptions.builder().fieldSelector("data.a=1").build())).hasSize(2);
    assertThat(cached.list(ListOptions.builder().fieldSelector("data.a=1,metadata.name=y").build()))
        .hasSize(1);
    assertThat(cached.list(ListOptions.builder().limit(2L).build())).hasSize(2);
    assertThatThrownBy(() -> cached.list(ListOptions.builder().continueToken("t").build()))
        .hasMessageContaining("no pages to continue");
    assertThatThrownBy(() -> cached.list(ListOptions.builder().fieldSelector("data.a!=1").build()))
        .hasMessageContaining("by equality only");
    assertThatThrownBy(() -> cached.list(ListOptions.builder().fieldSelector("data.b=1").build()))
        .hasMessageContaining("has no index \"field:data.b\": add it by");
  }

  @Test
  void confirmed_readsEachObjectOnce_unlessItWasWritten() throws Exception {
    ConfigMap kept = other.create(configMap("kept", "1"));
    ConfigMap gone = other.create(configMap("gone", "1"));
    other.delete("gone");
    other.create(configMap("gone", "of another uid"));

    assertThat(cached.confirmed(kept)).contains(kept);
    assertThat(cached.confirmed(gone)).isEmpty();
    server.clearRequests();
    assertThat(cached.confirmed(kept)).contains(kept);
    ConfigMap own = cached.create(configMap("own", "1"));
    assertThat(cached.confirmed(own)).contains(own);

    assertThat(server.requests()).noneMatch(request -> request.verb().equals("get"));
  }

  private Informers informers() {
    return new Informers(
        Clientset.of(rest),
        factory -> {},
        MetricsRegistry.none(),
        Clock.system(),
        new Scopes(null, Map.of(), true));
  }

  private static ClientScope scope(Informers informers) {
    return new ClientScope(
        informers,
        type -> Scope.all(),
        null,
        Duration.ofMillis(1500),
        new AppliedConfigurations(() -> {}, () -> {}),
        new ControllerRecording<>(null, "test", Request::objectName),
        new FightDetector(Clock.system(), (fight, object) -> {}));
  }

  /** The workers of a controller may start while it is being closed. */
  @Test
  void listenerOfAClosedScope_isNotKept() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch progress = new CountDownLatch(1);
    try (Informers informers = informers()) {
      ClientScope scope = scope(informers);
      scope.close();
      scope.onProgress(calls::incrementAndGet);
      informers.addListener(progress::countDown);

      UnionUse.acquire(
          informers, ConfigMap.TYPE, Scope.all(), /* ofShard= */ false, /* byRead= */ false);

      assertThat(progress.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(calls).hasValue(0);
    }
  }

  /** With a DeltaFIFO, a newer event of one object overtakes an older one of another. */
  @Test
  void deltaFIFO_isRefused() throws Exception {
    try (Manager refused =
        Manager.builder(rest)
            .informers(factory -> factory.configureAll(informer -> informer.useDeltaFIFO(true)))
            .build()) {
      refused.start();

      assertThatThrownBy(() -> refused.client().resource(ConfigMap.TYPE).list())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("DeltaFIFO");
    }
  }

  @Test
  void readOfAKindThatCannotBeListed_failsInsteadOfAnsweringEmpty() throws Exception {
    server.faults().on(request -> request.resource().equals("secrets")).always().answer(403);
    try (ClientScope scope = scope(informers())) {
      CachedResource<Secret> secrets =
          new Client(scope, rest, null, null, null).resource(Secret.TYPE);

      assertThatThrownBy(() -> secrets.list())
          .isInstanceOf(CacheSyncException.class)
          .hasMessageContaining("grant the verbs list and watch on secrets");
    }
  }

  /** A write before the first read of a kind, whose first list may come from an older cache. */
  @Test
  void writeBeforeTheFirstRead_isInIt() throws Exception {
    CachedResource<Secret> secrets = manager.client().resource(Secret.TYPE).inNamespace("default");

    Secret created = secrets.create(Secret.of("default", "s", s -> s.type("Opaque")));

    assertThat(secrets.list()).containsExactly(created);
  }

  /**
   * Many threads write and read a few objects while the watch is delayed again and again. A read
   * that begins after a write has ended returns that version or a later one.
   */
  @Test
  void concurrentReadsAndWrites_areLinearizableForEachKey() throws Exception {
    long seed = 20260;
    int keys = 3;
    Map<String, String> lastVersions = new ConcurrentHashMap<>();
    for (int i = 0; i < keys; i++) {
      ConfigMap created = cached.create(configMap("k" + i, "0"));
      lastVersions.put("k" + i, created.metadata().resourceVersion());
    }
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<?> delays = threads.submit(() -> delayWatches(new Random(seed), 30, ended));
      List<Callable<Void>> work = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        Random random = new Random(seed + thread);
        work.add(
            () -> {
              for (int i = 0; i < 100; i++) {
                String key = "k" + random.nextInt(keys);
                if (random.nextInt(4) == 0) {
                  String value = Integer.toString(random.nextInt(1000));
                  ConfigMap written =
                      cached.patch(key, Patch.merge("{\"data\":{\"a\":\"" + value + "\"}}"));
                  lastVersions.merge(
                      key, written.metadata().resourceVersion(), ReadYourWritesTest::newer);
                } else {
                  String before = lastVersions.get(key);
                  String read =
                      random.nextBoolean()
                          ? cached.get(key).metadata().resourceVersion()
                          : fromList(cached.list(), key);
                  assertThat(ResourceVersion.compare(read, before))
                      .as("seed %s: read %s after %s", seed, read, before)
                      .isNotNegative();
                }
              }
              return null;
            });
      }
      for (Future<Void> each : threads.invokeAll(work)) {
        each.get();
      }
      ended.set(true);
      delays.get();
    } finally {
      ended.set(true);
      threads.shutdownNow();
      threads.awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  private static String newer(String a, String b) {
    return ResourceVersion.compare(a, b) >= 0 ? a : b;
  }

  private static String fromList(List<ConfigMap> list, String name) {
    return list.stream()
        .filter(object -> name.equals(object.metadata().name()))
        .findFirst()
        .orElseThrow()
        .metadata()
        .resourceVersion();
  }

  private void delayWatches(Random random, int longestMillis, AtomicBoolean ended) {
    try {
      while (!ended.get()) {
        silence();
        Clock.system().sleep(Duration.ofMillis(random.nextInt(longestMillis)));
        resume();
        Clock.system().sleep(Duration.ofMillis(random.nextInt(5)));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      resume();
    }
  }

  /** The bug that every operator has had once: two objects where one was wanted. */
  @Test
  void createIfAbsent_neverCreatesTwice() throws Exception {
    int keys = 200;
    int rounds = 50;
    AtomicInteger reconciles = new AtomicInteger();
    Controller controller =
        Controller.builder(
                (request, context) -> {
                  reconciles.incrementAndGet();
                  CachedResource<Secret> secrets =
                      context.client().resource(Secret.TYPE).inNamespace("default");
                  if (secrets.byIndex("of", request.name()).isEmpty()) {
                    secrets.create(
                        Secret.builder()
                            .editMetadata(
                                m ->
                                    m.namespace("default")
                                        .generateName("s-")
                                        .labels(Map.of("of", request.name())))
                            .build());
                  }
                  return Result.done();
                })
            .named("create-if-absent")
            .watches(Secret.TYPE, secret -> List.of(), Predicate.everything())
            .workers(16)
            .build();
    manager.add(controller);
    assertThat(manager.awaitReady(LIMIT)).isTrue();
    AtomicBoolean ended = new AtomicBoolean();
    Thread delays = new Thread(() -> delayWatches(new Random(7), 1000, ended));
    delays.start();
    try {
      for (int round = 1; round <= rounds; round++) {
        for (int i = 0; i < keys; i++) {
          controller.enqueue(new Request("default", "key" + i));
        }
        int wanted = round * keys;
        Eventually.await(wanted + " reconciles", () -> reconciles.get() >= wanted);
      }
    } finally {
      ended.set(true);
      delays.join();
    }

    List<Secret> all = rest.resource(Secret.TYPE).list().items();
    assertThat(all).hasSize(keys);
    assertThat(all.stream().map(ReadYourWritesTest::ownerOf).distinct()).hasSize(keys);
  }

  @Test
  void gate_holdsARequestBackUntilTheCacheShowsItsLastWrites() throws Exception {
    RecordingReconciler reconciler =
        new RecordingReconciler(
            (request, context) -> {
              CachedResource<ConfigMap> maps =
                  context.client().resource(ConfigMap.TYPE).inNamespace("default");
              if (maps.find(request.name()).isEmpty()) {
                maps.create(configMap(request.name(), "1"));
              }
              return Result.done();
            });
    Controller controller =
        Controller.builder(reconciler)
            .named("gated")
            .watches(ConfigMap.TYPE, object -> List.of())
            .waitForOwnWrites(true)
            .build();
    manager.add(controller);
    assertThat(manager.awaitReady(LIMIT)).isTrue();
    silence();
    controller.enqueue(new Request("default", "x"));
    reconciler.next();

    controller.enqueue(new Request("default", "x"));
    controller.enqueue(new Request("default", "y"));
    assertThat(reconciler.next().request().name()).as("the other goes before").isEqualTo("y");
    assertThat(reconciler.drain()).isEmpty();

    resume();
    assertThat(reconciler.next().request().name()).isEqualTo("x");
  }
}
