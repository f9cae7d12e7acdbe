package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.cache.InformerHealth.Shard.FilteredBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.testing.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Informers that follow a shard, and another one later. */
final class InformerShardTest extends InformerFixture {

  private static final List<ShardRange> THIRDS = ShardRange.split(3);
  private static final ShardSelector FIRST = ShardSelector.of(ShardField.UID, THIRDS.get(0));
  private static final ShardSelector TWO_THIRDS =
      ShardSelector.of(ShardField.UID, THIRDS.get(0), THIRDS.get(1));
  private static final ShardSelector LAST = ShardSelector.of(ShardField.UID, THIRDS.get(2));

  private CapturedLog log;

  /** The warnings about the server are those of other tests. */
  @BeforeEach
  void captureLog() {
    log = CapturedLog.of(Reflector.class);
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  private SharedIndexInformer<ApiObject> sharded(ShardSelector shard) {
    SharedIndexInformer<ApiObject> informer =
        informer(
            SharedIndexInformer.builder(server).shard(shard),
            ReflectorOptions.builder().backoff(Backoff.builder(Duration.ofMillis(1)).build()));
    informer.addEventHandler(handler);
    return informer;
  }

  private void putObjects(int count) {
    for (int i = 0; i < count; i++) {
      server.put("default/p" + i);
    }
  }

  private Set<String> onServer(ShardSelector shard) {
    return server.objects().entrySet().stream()
        .filter(entry -> shard.matches(entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> cached(SharedIndexInformer<?> informer) {
    return new TreeSet<>(informer.indexer().listKeys());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cache_hasTheObjectsOfTheShard(boolean serverSupportsShards) throws InterruptedException {
    server.supportShards(serverSupportsShards);
    putObjects(60);
    SharedIndexInformer<ApiObject> informer = sharded(FIRST);
    assertThat(informer.shard().isNothing()).isTrue();
    assertThat(informer.health().shard()).isEmpty();

    informer.start();
    assertThat(informer.awaitShard(SOON)).isTrue();

    assertThat(cached(informer)).isEqualTo(onServer(FIRST)).isNotEmpty().hasSizeLessThan(60);
    assertThat(informer.shard()).isEqualTo(FIRST);
    assertThat(informer.health().shard().orElseThrow().selector()).isEqualTo(FIRST);
    assertThat(informer.health()).asString().contains("shard=Shard[selector=shardRange(");
  }

  @Test
  void health_tellsWhoFilters() throws InterruptedException {
    server.watchListUnsupported(true);
    putObjects(1);
    SharedIndexInformer<ApiObject> informer = sharded(FIRST);
    informer.start();
    assertThat(informer.awaitShard(SOON)).isTrue();

    assertThat(informer.health().shard().orElseThrow().filteredBy()).isEqualTo(FilteredBy.CLIENT);

    server.supportShards(true);
    informer.shard(TWO_THIRDS);
    assertThat(informer.awaitShard(SOON)).isTrue();
    assertThat(informer.health().shard().orElseThrow().filteredBy()).isEqualTo(FilteredBy.SERVER);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shard_thatGrowsAndShrinks_isToldAsAddedAndLeft(boolean serverSupportsShards)
      throws InterruptedException {
    server.supportShards(serverSupportsShards);
    putObjects(60);
    SharedIndexInformer<ApiObject> informer = sharded(FIRST);
    informer.start();
    assertThat(informer.awaitShard(SOON)).isTrue();
    Set<String> first = cached(informer);
    Set<String> both = onServer(TWO_THIRDS);
    handler.await(first.size());

    informer.shard(TWO_THIRDS);
    assertThat(informer.awaitShard(SOON)).isTrue();
    assertThat(cached(informer)).isEqualTo(both);
    // If the objects that it had already are listed again, updates come between the adds.
    List<String> events = handler.awaitEvents(event -> event.startsWith("add"), both.size());
    assertThat(events.stream().filter(event -> event.startsWith("add"))).hasSize(both.size());

    informer.shard(LAST);
    assertThat(informer.awaitShard(SOON)).isTrue();
    Set<String> last = onServer(LAST);
    assertThat(cached(informer)).isEqualTo(last);
    handler.awaitEvent(event -> event.endsWith(" left"));
    settleShard(informer);
    assertThat(handler.replay().keySet()).isEqualTo(cached(informer));
    assertThat(handler.events().stream().filter(event -> event.endsWith(" left")))
        .hasSize(both.size());
    assertThat(handler.events()).noneMatch(event -> event.endsWith(" unknown"));
  }

  /** Adds objects until one of them belongs to the shard and has reached the handler. */
  private void settleShard(SharedIndexInformer<ApiObject> informer) throws InterruptedException {
    ApiObject ours = null;
    for (int i = 0; ours == null; i++) {
      ApiObject put = server.put("settle/" + server.version() + "-" + i);
      ours = informer.shard().matches(put) ? put : null;
    }
    String last = RecordingHandler.describe(ours);
    handler.awaitEvent(event -> event.contains(last));
  }

  @Test
  void deletion_ofAnObjectOfTheShard_hasNotLeftIt() throws InterruptedException {
    putObjects(30);
    SharedIndexInformer<ApiObject> informer = sharded(FIRST);
    informer.start();
    assertThat(informer.awaitShard(SOON)).isTrue();
    String seen = cached(informer).iterator().next();
    String unseen = onServer(FIRST).stream().skip(1).findFirst().orElseThrow();
    server.awaitWatch();

    server.delete(seen);
    handler.awaitEvent(event -> event.startsWith("delete " + seen));
    server.silently(() -> server.delete(unseen));
    server.compact(); // Only another list shows it.
    List<String> events = handler.awaitEvent(event -> event.startsWith("delete " + unseen));

    assertThat(events).noneMatch(event -> event.endsWith(" left"));
  }

  @Test
  void shardOfNothing_hasNoObjects() throws InterruptedException {
    putObjects(10);
    SharedIndexInformer<ApiObject> informer = sharded(ShardSelector.of(ShardField.UID));
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    assertThat(cached(informer)).isEmpty();

    informer.shard(ShardSelector.EVERYTHING);
    assertThat(informer.awaitShard(SOON)).isTrue();
    assertThat(cached(informer)).hasSize(10);
  }

  @Test
  void awaitShard_ofAServerThatIsGone_isFalse() throws InterruptedException {
    putObjects(10);
    SharedIndexInformer<ApiObject> informer = sharded(FIRST);
    informer.start();
    assertThat(informer.awaitShard(SOON)).isTrue();
    server.onRequest(
        request -> {
          throw ReflectorFixture.refused();
        });

    informer.shard(TWO_THIRDS);

    assertThat(informer.awaitShard(Duration.ofMillis(1))).isFalse();
    assertThat(informer.shard()).isEqualTo(FIRST);
    assertThat(cached(informer)).isEqualTo(onServer(FIRST));
  }

  @Test
  void deltaFifo_isRefused() {
    assertThatThrownBy(
            () ->
                SharedIndexInformer.builder(server)
                    .name("pods")
                    .useDeltaFIFO(true)
                    .shard(FIRST)
                    .build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("an informer of a shard cannot use a DeltaFIFO")
        .hasMessageContaining("pods");
    SharedIndexInformer<ApiObject> whole =
        informer(
            SharedIndexInformer.builder(server).useDeltaFIFO(true), ReflectorOptions.builder());
    assertThatThrownBy(() -> whole.shard(FIRST)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closedInformer_takesNoShard() {
    SharedIndexInformer<ApiObject> informer = informer();
    informer.close();

    assertThatThrownBy(() -> informer.shard(FIRST))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  /** Three replicas whose shards change while objects come and go have each object once. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void replicas_ofShardsThatChange_endWithEachObjectOnce(long seed) throws InterruptedException {
    Random random = new Random(seed);
    putObjects(40);
    List<SharedIndexInformer<ApiObject>> replicas = new ArrayList<>();
    for (ShardRange third : THIRDS) {
      SharedIndexInformer<ApiObject> replica = sharded(ShardSelector.of(ShardField.UID, third));
      replica.start();
      replicas.add(replica);
    }
    List<ShardRange> slots = ShardRange.split(8);
    for (int round = 0; round < 20; round++) {
      server.supportShards(random.nextBoolean());
      List<List<ShardRange>> owned =
          List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      slots.forEach(slot -> owned.get(random.nextInt(3)).add(slot));
      for (int i = 0; i < 3; i++) {
        replicas.get(i).shard(new ShardSelector(ShardField.UID, owned.get(i)));
      }
      for (int i = 0; i < 5; i++) {
        String key = "default/p" + random.nextInt(60);
        if (random.nextInt(3) == 0) {
          server.delete(key);
        } else {
          server.put(key);
        }
      }
      switch (random.nextInt(6)) {
        case 0 -> server.disconnect();
        case 1 -> server.compact();
        default -> {}
      }
    }

    List<String> all = new ArrayList<>();
    for (SharedIndexInformer<ApiObject> replica : replicas) {
      assertThat(replica.awaitShard(SOON)).isTrue();
      awaitAllChanges(replica);
      all.addAll(replica.indexer().listKeys());
    }
    assertThat(all)
        .as("seed " + seed)
        .containsExactlyInAnyOrderElementsOf(server.objects().keySet());
  }

  /**
   * Waits until a replica knows the last change, also if it was the deletion of one of its objects.
   * A server that filters tells only by bookmarks that other shards have changed, and a watch that
   * opens later has missed a bookmark.
   */
  private void awaitAllChanges(SharedIndexInformer<ApiObject> replica) throws InterruptedException {
    String last = Long.toString(server.version());
    long start = Clock.system().nanoTime();
    do {
      server.bookmark();
    } while (!replica.awaitResourceVersion(last, Duration.ofMillis(20))
        && Clock.system().nanoTime() - start < SOON.toNanos());
    assertThat(replica.awaitResourceVersion(last, Duration.ZERO)).isTrue();
  }
}
