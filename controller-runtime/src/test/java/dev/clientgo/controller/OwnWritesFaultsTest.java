package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.json.JsonCodec;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.json.JsonWriter;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Own writes with codecs and indices that fail, and writers that are in each other's way. */
final class OwnWritesFaultsTest {

  /** Throws for an object that has the data {@code bad}, an Error as a careless codec may. */
  private static final JsonCodec<ConfigMap> HOSTILE =
      new JsonCodec<>() {
        @Override
        public ConfigMap read(JsonReader in) {
          ConfigMap read = ConfigMap.CODEC.read(in);
          if (read.data().containsKey("bad")) {
            throw new StackOverflowError("hostile");
          }
          return read;
        }

        @Override
        public void write(JsonWriter out, ConfigMap value) {
          ConfigMap.CODEC.write(out, value);
        }
      };

  private static final ResourceType<ConfigMap> HOSTILE_TYPE =
      ResourceType.namespaced(ConfigMap.TYPE.kind(), "configmaps", HOSTILE);

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final RESTClient rest = RESTClient.create(server.restConfig());
  private final ResourceClient<ConfigMap> other =
      rest.resource(ConfigMap.TYPE).inNamespace("default");
  private Manager manager;
  private CachedResource<ConfigMap> maps;
  private CachedResource<PartialObjectMetadata> metadata;

  @BeforeEach
  void start() throws InterruptedException {
    manager =
        Manager.builder(rest)
            .informers(
                factory ->
                    factory.configure(
                        ConfigMap.TYPE,
                        informer ->
                            informer.indexer(
                                "strict",
                                (IndexFunction<ConfigMap>)
                                    map -> {
                                      if (map.data().containsKey("bad")) {
                                        throw new AssertionError("hostile");
                                      }
                                      return List.copyOf(map.data().values());
                                    })))
            .build();
    manager.start();
    maps = manager.client().resource(ConfigMap.TYPE).inNamespace("default");
    metadata = manager.client().resource(ConfigMap.TYPE.metadataOnly()).inNamespace("default");
    maps.list();
    metadata.list();
    server.awaitWatches(2);
  }

  @AfterEach
  void stop() {
    manager.close();
    rest.close();
    server.close();
  }

  private void silence() {
    server.watches().forEach(OpenWatch::goSilent);
  }

  private static ConfigMap map(String name, String key) {
    return ConfigMap.of("default", name, c -> c.data(Map.of(key, "1")));
  }

  @Test
  void codecOfAnotherType_thatFails_harmsNoWrite_andItsReadersAreTold() throws Exception {
    CachedResource<ConfigMap> hostile =
        manager.client().resource(HOSTILE_TYPE).inNamespace("default");
    hostile.list();
    server.awaitWatches(3);
    silence();

    ConfigMap created = maps.create(map("x", "bad"));

    assertThat(maps.find("x")).contains(created);
    assertThat(metadata.find("x")).isPresent();
    assertThatThrownBy(() -> hostile.find("x")).hasStackTraceContaining("hostile");
    maps.delete("x");
    assertThat(hostile.find("x")).isEmpty();
  }

  @Test
  void indexThatFails_hidesNoWrite() throws Exception {
    maps.create(map("y", "good"));
    silence();

    maps.create(map("x", "bad"));

    assertThat(maps.find("x")).isPresent();
    assertThat(maps.list()).hasSize(2);
    assertThat(maps.byIndex("strict", "1")).hasSize(1);
  }

  /** The event does not come while the answer is lost: then the write is not known, as told. */
  @Test
  void writeWhoseAnswerIsLost_isKnownBySecondTry() throws Exception {
    silence();
    other.create(map("x", "lost")); // As the server did, before the connection broke.

    assertThat(maps.find("x")).isEmpty();
    assertThatThrownBy(() -> maps.create(map("x", "lost")))
        .isInstanceOfSatisfying(
            ApiStatusException.class, e -> assertThat(e.isAlreadyExists()).isTrue());
    maps.createOrUpdate(map("x", "lost"), m -> m.with(c -> c.data(Map.of("a", "2"))));
    assertThat(maps.get("x").data()).containsEntry("a", "2");
    assertThat(metadata.find("x")).isPresent();
  }

  @Test
  void conflict_leavesTheReadsAsTheyWere() throws Exception {
    ConfigMap created = maps.create(map("x", "a"));
    silence();
    other.edit("x", c -> c.with(b -> b.data(Map.of("a", "theirs"))));

    assertThatThrownBy(() -> maps.update(created.with(b -> b.data(Map.of("a", "ours")))))
        .isInstanceOfSatisfying(ApiStatusException.class, e -> assertThat(e.isConflict()).isTrue());
    assertThat(maps.find("x")).contains(created);
  }

  @Test
  void deletionByAFinalizer_isSeenThroughBothTypes() throws Exception {
    maps.create(map("x", "a").with(b -> b.editMetadata(m -> m.finalizers(List.of("test/hold")))));
    silence();

    metadata.delete("x");
    assertThat(maps.get("x").metadata().deletionTimestamp()).isNotNull();
    assertThat(maps.get("x").data()).containsEntry("a", "1");

    metadata.patch("x", Patch.merge("{\"metadata\":{\"finalizers\":null}}"));
    assertThat(maps.find("x")).isEmpty();
    assertThat(metadata.list()).isEmpty();
  }

  @Test
  void objectThatAnotherHasCreatedAgain_isNotHiddenByADeletion() throws Exception {
    maps.create(map("x", "a"));
    silence();
    other.delete("x");
    ConfigMap theirs = other.create(map("x", "theirs"));

    metadata.patch("x", Patch.merge("{\"metadata\":{\"labels\":{\"l\":\"1\"}}}"));

    assertThat(maps.get("x").metadata().uid()).isEqualTo(theirs.metadata().uid());
    assertThat(maps.get("x").data()).containsKey("theirs");
    server.watches().forEach(OpenWatch::resume);
    other.delete("x");
    Eventually.await("the deletion by another", () -> isGone(maps) && isGone(metadata));
  }

  private static boolean isGone(CachedResource<?> resource) {
    try {
      return resource.find("x").isEmpty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Writers and readers of both types, while the watches are delayed again and again. */
  @Test
  void concurrentWritersOfBothTypes_neverReadWhatIsOlderThanTheirWrites() throws Exception {
    long seed = Clock.system().nanoTime();
    Map<String, String> last = new ConcurrentHashMap<>();
    for (int i = 0; i < 3; i++) {
      last.put("k" + i, maps.create(map("k" + i, "a")).metadata().resourceVersion());
    }
    AtomicBoolean ended = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Callable<Void>> work = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random random = new Random(seed + thread);
        work.add(() -> writeAndRead(random, last, seed));
      }
      Future<?> delays =
          threads.submit(
              () -> {
                while (!ended.get()) {
                  silence();
                  Clock.system().sleep(Duration.ofMillis(20));
                  server.watches().forEach(OpenWatch::resume);
                  Clock.system().sleep(Duration.ofMillis(2));
                }
                return null;
              });
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

  private Void writeAndRead(Random random, Map<String, String> last, long seed) throws Exception {
    for (int i = 0; i < 60; i++) {
      String key = "k" + random.nextInt(3);
      boolean whole = random.nextBoolean();
      CachedResource<?> type = whole ? maps : metadata;
      if (random.nextInt(3) == 0) {
        Patch patch =
            Patch.merge("{\"metadata\":{\"labels\":{\"l\":\"" + random.nextInt(1000) + "\"}}}");
        String written = type.patch(key, patch).metadata().resourceVersion();
        last.merge(key, written, (a, b) -> ResourceVersion.compare(a, b) >= 0 ? a : b);
      } else {
        String before = last.get(key);
        String read = type.get(key).metadata().resourceVersion();
        assertThat(ResourceVersion.compare(read, before))
            .as("seed %s: read %s after %s", seed, read, before)
            .isNotNegative();
        if (whole) {
          assertThat(maps.get(key).data()).containsEntry("a", "1");
        }
      }
    }
    return null;
  }
}
