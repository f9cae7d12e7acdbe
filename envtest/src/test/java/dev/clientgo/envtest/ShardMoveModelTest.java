package dev.clientgo.envtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.schema.GroupVersionKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.ResourceEventHandler;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shard of an informer moves while objects change and watches end, break and are late. Its
 * cache and the events of its handler are those of an informer that lists the whole shard each
 * time.
 *
 * <p>{@code -Dclientgo.seed=…} repeats the choices of a history, {@code -Dclientgo.histories=100}
 * runs more of them.
 */
@Timeout(600)
final class ShardMoveModelTest {

  private static final ResourceType<Unstructured> MAPS =
      Unstructured.type(new GroupVersionKind("", "v1", "ConfigMap"), "configmaps", true);

  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int RUNS = Integer.getInteger("clientgo.histories", 3);
  private static final long SEED = Long.getLong("clientgo.seed", Clock.system().nanoTime());
  private static final List<ShardRange> SLOTS = ShardRange.split(8);

  private static ShardSelector slots(List<Integer> numbers) {
    return new ShardSelector(ShardField.UID, numbers.stream().map(SLOTS::get).toList());
  }

  private static Unstructured map(String name, int value) {
    return Unstructured.of(
            Map.of(
                "metadata",
                Map.of("name", name, "namespace", "default"),
                "data",
                Map.of("v", Integer.toString(value))))
        .withType("v1", "ConfigMap");
  }

  private static long version(Unstructured object) {
    return Long.parseLong(Objects.requireNonNull(object.metadata().resourceVersion()));
  }

  // ---- the requests

  @Test
  void shardThatMoves_listsOnlyWhatIsNew() throws Exception {
    try (EmbeddedApiServer server =
            EmbeddedApiServer.builder().featureGate("ShardedListAndWatch", true).start();
        RESTClient client = RESTClient.create(server.restConfig());
        SharedInformerFactory factory =
            SharedInformerFactory.builder(new DynamicInformerTest.Source(client)).build()) {
      ResourceClient<Unstructured> maps = client.resource(MAPS).inNamespace("default");
      // So many that those of the first shard prove, in a stream, that the server filters.
      for (int i = 0; i < 200; i++) {
        maps.create(map("m" + i, i));
      }
      SharedIndexInformer<Unstructured> informer =
          factory.of(MAPS).withShard(slots(List.of(0, 1, 2))).informer();
      factory.start();
      factory.awaitSynced(LIMIT).orThrow();
      int before = server.requests().size();

      move(informer, 0, 1, 2, 5);
      assertThat(informer.indexer().list()).hasSameElementsAs(selected(maps, 0, 1, 2, 5));
      move(informer, 1, 5);
      assertThat(informer.indexer().list()).hasSameElementsAs(selected(maps, 1, 5));
      move(informer);
      assertThat(informer.indexer().list()).isEmpty();

      List<ApiRequest> reads =
          server.requests().subList(before, server.requests().size()).stream()
              .filter(request -> request.resource().equals("configmaps"))
              .filter(request -> !request.query("shardSelector").isEmpty())
              .toList();
      assertThat(reads)
          .filteredOn(request -> request.verb().equals("list"))
          .extracting(request -> request.query("shardSelector"))
          .containsExactly(slots(List.of(5)).toString());
      assertThat(reads).noneMatch(request -> "true".equals(request.query("sendInitialEvents")));
    }
  }

  private static void move(SharedIndexInformer<?> informer, Integer... slots)
      throws InterruptedException {
    informer.shard(slots(List.of(slots)));
    assertThat(informer.awaitShard(LIMIT)).isTrue();
  }

  private static List<Unstructured> selected(ResourceClient<Unstructured> maps, Integer... slots)
      throws InterruptedException {
    ShardSelector selector = slots(List.of(slots));
    return maps.list().items().stream().filter(selector::matches).toList();
  }

  // ---- the model

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anyHistory_looksLikeOneOfWholeLists(boolean supported) throws Exception {
    for (int run = 0; run < RUNS; run++) {
      long seed = SEED + run;
      try (EmbeddedApiServer server =
              EmbeddedApiServer.builder()
                  .featureGate("ShardedListAndWatch", supported)
                  .bookmarkInterval(Duration.ofMillis(50))
                  .start();
          RESTClient client = RESTClient.create(server.restConfig())) {
        new History(seed, server, client).run();
      } catch (Throwable e) {
        throw new AssertionError("-Dclientgo.seed=" + seed, e);
      }
    }
  }

  private static final class History implements ResourceEventHandler<Unstructured> {

    private final Random random;
    private final EmbeddedApiServer server;
    private final ResourceClient<Unstructured> maps;
    private final SharedInformerFactory factory;
    private final SharedIndexInformer<Unstructured> informer;
    private final Map<String, Long> told = new ConcurrentHashMap<>();
    private final Queue<String> mistakes = new ConcurrentLinkedQueue<>();

    History(long seed, EmbeddedApiServer server, RESTClient client) {
      this.random = new Random(seed);
      this.server = server;
      maps = client.resource(MAPS).inNamespace("default");
      factory = SharedInformerFactory.builder(new DynamicInformerTest.Source(client)).build();
      informer = factory.of(MAPS).withShard(slots(List.of(0, 1, 2, 3))).informer();
      informer.addEventHandler(this);
    }

    @Override
    public void onAdd(Unstructured object, boolean isInInitialList) {
      if (told.put(object.metadata().name(), version(object)) != null) {
        mistakes.add("added twice: " + object.metadata().name());
      }
    }

    @Override
    public void onUpdate(Unstructured before, Unstructured after) {
      Long last = told.put(after.metadata().name(), version(after));
      if (last == null || last != version(before) || last > version(after)) {
        mistakes.add(
            "updated from another state: %s was %s, from %d to %d"
                .formatted(after.metadata().name(), last, version(before), version(after)));
      }
    }

    @Override
    public void onDelete(DeletedObject<Unstructured> deleted) {
      if (told.remove(deleted.objectName().name()) == null) {
        mistakes.add("deleted twice: " + deleted.objectName());
      }
    }

    void run() throws Exception {
      AtomicBoolean ends = new AtomicBoolean();
      // Either writes fall between any two requests, or each cache can be compared.
      boolean concurrent = random.nextBoolean();
      Random writes = new Random(random.nextLong());
      Thread writer = new Thread(() -> writeUntil(ends, writes), "writer");
      if (concurrent) {
        writer.start();
      }
      try {
        factory.start();
        factory.awaitSynced(LIMIT).orThrow();
        for (int step = 0; step < 60; step++) {
          step(step);
          if (!concurrent) {
            for (int i = 0; i < 4; i++) {
              write(writes);
            }
          }
          if (!concurrent && step % 3 == 0) {
            awaitEquality();
          }
        }
        ends.set(true);
        writer.join();
        awaitEquality();
      } finally {
        ends.set(true);
        writer.join();
        factory.close();
      }
      assertThat(mistakes).isEmpty();
    }

    private void awaitEquality() throws InterruptedException {
      assertThat(informer.awaitShard(LIMIT)).as("%s", informer.health()).isTrue();
      Waiting.until(
          "the same objects",
          () -> {
            server.watches().forEach(OpenWatch::resume);
            Map<String, Long> expected = expected();
            return expected.equals(cached()) && expected.equals(Map.copyOf(told));
          });
    }

    private void step(int step) throws InterruptedException {
      List<OpenWatch> watches = new ArrayList<>(server.watches());
      int choice = random.nextInt(12);
      if (choice == 0 && !watches.isEmpty()) {
        watches.get(random.nextInt(watches.size())).cut();
      } else if (choice == 1 && !watches.isEmpty()) {
        watches.get(random.nextInt(watches.size())).end();
      } else if (choice == 2 && !watches.isEmpty()) {
        watches.get(random.nextInt(watches.size())).goSilent();
      } else if (choice == 3) {
        server.faults().expireResourceVersions();
      } else if (choice == 4) {
        server.faults().on(ApiRequest::isRead).times(1).answer(random.nextBoolean() ? 500 : 429);
      } else if (choice < 8) {
        informer.shard(slots(anySlots())); // Perhaps before the last one is read.
      } else {
        watches.forEach(OpenWatch::resume);
        informer.shard(slots(anySlots()));
        if (!informer.awaitShard(LIMIT)) {
          server.watches().forEach(OpenWatch::resume);
          assertThat(informer.awaitShard(LIMIT)).as("%s", informer.health()).isTrue();
        }
        writeAndLook(step);
      }
    }

    private List<Integer> anySlots() {
      return random
          .ints(random.nextInt(9), 0, SLOTS.size())
          .boxed()
          .distinct()
          .collect(Collectors.toList());
    }

    /** The cache never claims a version that it does not show. */
    private void writeAndLook(int step) throws InterruptedException {
      String name = "own" + random.nextInt(20);
      Unstructured written;
      try {
        written =
            maps.find(name).isPresent()
                ? maps.update(map(name, step))
                : maps.create(map(name, step));
      } catch (KubernetesException e) {
        return; // A fault.
      }
      server.watches().forEach(OpenWatch::resume);
      assertThat(
              informer.awaitResourceVersion(
                  Objects.requireNonNull(written.metadata().resourceVersion()), LIMIT))
          .as("%s", informer.health())
          .isTrue();
      if (informer.shard().matches(written)) {
        assertThat(informer.indexer().getByKey("default/" + name).map(ShardMoveModelTest::version))
            .as(name)
            .contains(version(written));
      }
    }

    private void writeUntil(AtomicBoolean ends, Random any) {
      try {
        while (!ends.get()) {
          write(any);
        }
      } catch (Throwable e) {
        mistakes.add(String.valueOf(e));
      }
    }

    private void write(Random any) throws InterruptedException {
      String name = "m" + any.nextInt(40);
      try {
        if (maps.find(name).isEmpty()) {
          maps.create(map(name, any.nextInt()));
        } else if (any.nextInt(3) == 0) {
          maps.delete(name);
        } else {
          maps.update(map(name, any.nextInt()));
        }
      } catch (KubernetesException e) {
        // A fault.
      }
    }

    private Map<String, Long> expected() {
      try {
        ShardSelector shard = informer.shard();
        return maps.list().items().stream()
            .filter(shard::matches)
            .collect(Collectors.toMap(o -> o.metadata().name(), ShardMoveModelTest::version));
      } catch (KubernetesException e) {
        return Map.of("fault", 0L);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    private Map<String, Long> cached() {
      return informer.indexer().list().stream()
          .collect(Collectors.toMap(o -> o.metadata().name(), ShardMoveModelTest::version));
    }
  }
}
