package dev.clientgo.cache;

import static dev.clientgo.cache.ReflectorFixture.LONG;
import static dev.clientgo.cache.ReflectorFixture.added;
import static dev.clientgo.cache.ReflectorFixture.bookmark;
import static dev.clientgo.cache.ReflectorFixture.deleted;
import static dev.clientgo.cache.ReflectorFixture.expired;
import static dev.clientgo.cache.ReflectorFixture.failed;
import static dev.clientgo.cache.ReflectorFixture.initialEventsEnd;
import static dev.clientgo.cache.ReflectorFixture.modified;
import static dev.clientgo.cache.ReflectorFixture.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.cache.InformerHealth.Shard.FilteredBy;
import dev.clientgo.cache.ScriptedSource.Step;
import dev.clientgo.cache.internal.reflector.ReflectorShard;
import dev.clientgo.testing.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Reflector of a shard, on servers that support shards and on those that do not. */
final class ReflectorShardTest {

  /** The shard of the pods {@code ours}, {@code mine}; {@code theirs} belongs to the other one. */
  private static final ShardSelector SHARD = shardOf("ours");

  private static final String MINE = other(true);
  private static final String THEIRS = other(false);

  private final ReflectorFixture fixture = new ReflectorFixture();
  private final ScriptedSource source = fixture.source;
  private CapturedLog log;

  private static ShardSelector shardOf(String pod) {
    long hash = ShardField.UID.hash(pod(pod, "1"));
    ShardRange half =
        ShardRange.split(2).stream().filter(r -> r.contains(hash)).findFirst().orElseThrow();
    return ShardSelector.of(ShardField.UID, half);
  }

  /** Returns the name of a pod that belongs to the shard, or does not. */
  private static String other(boolean belongs) {
    return IntStream.range(0, 1000)
        .mapToObj(i -> "p" + i)
        .filter(name -> SHARD.matches(pod(name, "1")) == belongs)
        .findFirst()
        .orElseThrow();
  }

  @BeforeEach
  void follow() {
    log = CapturedLog.of(Reflector.class);
    fixture.settings =
        builder -> builder.shard(new ReflectorShard("reflector", SHARD)).lastKnown(fixture.store);
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  private static ListMeta sharded(String version) {
    return ListMeta.of(
        m -> m.resourceVersion(version).shardInfo(new ListMeta.ShardInfo(SHARD.toString())));
  }

  private List<String> warnings() {
    return log.traces().stream().filter(line -> line.startsWith("WARNING")).toList();
  }

  @Test
  void everyRequest_namesTheShard() {
    source.list("10").watch(wait(LONG), bookmark("11")).watch(failed(expired())).list("12");

    fixture.run();

    assertThat(source.options())
        .hasSize(4)
        .allSatisfy(options -> assertThat(options.shardSelector()).isEqualTo(SHARD.toString()));
  }

  private Step wait(Duration duration) {
    return fixture.wait(duration);
  }

  // ---- lists

  @Test
  void list_serverIgnoresTheShard_isFilteredHere() {
    source.list("10", pod("ours", "1"), pod(THEIRS, "2"), pod(MINE, "3"));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(fixture.stored()).containsExactlyInAnyOrder("ours@1", MINE + "@3");
    assertThat(InformerHealth.Shard.of(reflector.shard()).filteredBy())
        .isEqualTo(FilteredBy.CLIENT);
    assertThat(warnings()).hasSize(1).first().asString().contains("does not support shards");
  }

  @Test
  void list_ofTheShard_isToldByShardInfo() {
    source.list(sink -> sink.accept(pod("ours", "1")), sharded("10"));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(fixture.stored()).containsExactly("ours@1");
    assertThat(InformerHealth.Shard.of(reflector.shard()).filteredBy())
        .isEqualTo(FilteredBy.SERVER);
    assertThat(warnings()).isEmpty();
  }

  /** Servers leave shardInfo out of lists of metadata. */
  @Test
  void list_ofManyObjectsOfTheShardOnly_tellsThatTheServerFilters() {
    source.list(
        sink -> {
          for (int i = 0; i < 30; i++) {
            sink.accept(pod("ours", "1"));
          }
        },
        ListMeta.of(m -> m.resourceVersion("10")));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(InformerHealth.Shard.of(reflector.shard()).filteredBy())
        .isEqualTo(FilteredBy.SERVER);
  }

  @Test
  void laterLists_ofAnotherServer_areNoticed() {
    source
        .list("10", pod("ours", "1"))
        .watch(failed(expired()))
        .list("11", pod("ours", "1"))
        .watch(failed(expired()))
        .list(sink -> {}, sharded("12"))
        .watch(failed(expired()))
        .list("13", pod(THEIRS, "1"));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(InformerHealth.Shard.of(reflector.shard()).filteredBy())
        .isEqualTo(FilteredBy.CLIENT);
    assertThat(log.traces().stream().filter(line -> line.contains("shard=")))
        .extracting(line -> line.substring(0, line.indexOf(' ')))
        .containsExactly("WARNING", "INFO", "WARNING");
  }

  // ---- watches

  @Test
  void watch_changesOfOtherShards_areDroppedAndMoveTheVersion() {
    source
        .list("10", pod("ours", "1"))
        .watch(
            added(THEIRS, "11"),
            modified("ours", "12"),
            modified(THEIRS, "13"),
            added(MINE, "14"),
            deleted(THEIRS, "15"),
            wait(LONG))
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactlyInAnyOrder("ours@12", MINE + "@14");
    assertThat(fixture.recorded.calls)
        .containsExactly(
            "replace 10 [ours@1]",
            "bookmark 11",
            "update ours@12",
            "bookmark 13",
            "add " + MINE + "@14",
            "bookmark 15");
    assertThat(source.options().get(2).resourceVersion()).isEqualTo("15");
  }

  /** A server that lost its feature gate in an upgrade. */
  @Test
  void watch_changeOfAnotherShard_tellsThatTheServerDoesNotFilter() {
    source
        .list(sink -> sink.accept(pod("ours", "1")), sharded("10"))
        .watch(modified(THEIRS, "11"), modified(THEIRS, "12"));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(InformerHealth.Shard.of(reflector.shard()).filteredBy())
        .isEqualTo(FilteredBy.CLIENT);
    assertThat(warnings()).hasSize(1);
  }

  /** After that many changes, chance explains it no more. */
  @Test
  void watch_manyChangesOfThisShardOnly_tellThatTheServerFilters() {
    List<Step> changes = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      changes.add(modified("ours", Integer.toString(11 + i)));
    }
    source.list("10", pod("ours", "1")).watch(changes.toArray(Step[]::new));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(InformerHealth.Shard.of(reflector.shard()).filteredBy())
        .isEqualTo(FilteredBy.SERVER);
  }

  /** All objects may live in one namespace. */
  @Test
  void watch_manyChangesOfNamespacesOfThisShard_proveNothing() {
    ShardSelector shard =
        ShardSelector.of(
            ShardField.NAMESPACE,
            ShardRange.split(2).stream()
                .filter(range -> range.contains(ShardField.hash("")))
                .findFirst()
                .orElseThrow());
    fixture.settings = builder -> builder.shard(new ReflectorShard("reflector", shard));
    List<Step> changes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      changes.add(modified("ours", Integer.toString(11 + i)));
    }
    source.list("10", pod("ours", "1")).watch(changes.toArray(Step[]::new));

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(InformerHealth.Shard.of(reflector.shard()).filteredBy())
        .isEqualTo(FilteredBy.CLIENT);
  }

  /** Its objects come in no order, so none of their versions is one to continue from. */
  @Test
  void watchFromAnyVersion_objectsOfOtherShardsInTheBeginning_areNoBookmarks() {
    source
        .list("0", pod("ours", "1"))
        .watch(added(THEIRS, "50"), added(MINE, "7"), modified(THEIRS, "51"), wait(LONG))
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.recorded.calls)
        .containsExactly("replace 0 [ours@1]", "add " + MINE + "@7", "bookmark 51");
    assertThat(source.options().get(2).resourceVersion()).isEqualTo("51");
  }

  // ---- streams

  @Test
  void stream_serverIgnoresTheShard_isFilteredHere() {
    source
        .streaming()
        .watch(
            added("ours", "1"),
            added(THEIRS, "9"),
            added(MINE, "3"),
            initialEventsEnd("10"),
            deleted(THEIRS, "11"),
            wait(LONG))
        .watch(Step.over());

    Reflector<ApiObject> reflector = fixture.run();

    assertThat(fixture.recorded.calls)
        .containsExactly("replace 10 [ours@1, " + MINE + "@3]", "bookmark 11");
    assertThat(InformerHealth.Shard.of(reflector.shard()).filteredBy())
        .isEqualTo(FilteredBy.CLIENT);
    assertThat(source.options().get(0).shardSelector()).isEqualTo(SHARD.toString());
    assertThat(source.options().get(1).resourceVersion()).isEqualTo("11");
  }

  // ---- another shard

  @Test
  void anotherShard_endsTheWatchAndListsWithoutAPause() {
    ReflectorShard shard = new ReflectorShard("reflector", SHARD);
    fixture.settings = builder -> builder.shard(shard);
    source
        .list("10", pod("ours", "1"), pod(THEIRS, "2"))
        .watch(Step.then(() -> shard.want(shardOf(THEIRS))), modified("ours", "11"))
        .list("12", pod("ours", "11"), pod(THEIRS, "2"))
        .watch(Step.over());

    fixture.run();

    assertThat(fixture.stored()).containsExactly(THEIRS + "@2");
    assertThat(source.options())
        .extracting(options -> options.shardSelector())
        .containsExactly(
            SHARD.toString(),
            SHARD.toString(),
            shardOf(THEIRS).toString(),
            shardOf(THEIRS).toString());
    assertThat(fixture.clock.sleeps()).isEmpty();
    assertThat(fixture.errors).isEmpty();
    assertThat(source.openWatches()).isZero();
  }

  @Test
  void anotherShardDuringAStream_beginsAnew() {
    ReflectorShard shard = new ReflectorShard("reflector", SHARD);
    fixture.settings = builder -> builder.shard(shard);
    source
        .streaming()
        .watch(added("ours", "1"), Step.then(() -> shard.want(shardOf(THEIRS))))
        .watch(added(THEIRS, "2"), initialEventsEnd("10"), Step.over());

    fixture.run();

    assertThat(fixture.recorded.calls).containsExactly("replace 10 [" + THEIRS + "@2]");
    assertThat(fixture.clock.sleeps()).isEmpty();
  }

  @Test
  void sameShardAgain_changesNothing() {
    ReflectorShard shard = new ReflectorShard("reflector", SHARD);
    fixture.settings = builder -> builder.shard(shard);
    source
        .list("10", pod("ours", "1"))
        .watch(Step.then(() -> shard.want(shardOf("ours"))), modified("ours", "11"), wait(LONG))
        .watch(Step.over());

    fixture.run();

    assertThat(source.requests()).hasSize(3);
    assertThat(fixture.stored()).containsExactly("ours@11");
  }
}
