package dev.clientgo.controller.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Own writes over a cache that lags behind, step by step. */
final class OwnWritesTest {

  private static final String BY_OWNER = "owner";

  private final Indexer<ConfigMap> cache =
      Indexer.create(
          KeyFunction.metaNamespace(),
          Map.of(
              BY_OWNER, (IndexFunction<ConfigMap>) object -> List.copyOf(object.data().values())));

  private final List<ConfigMap> lost = new ArrayList<>();

  private final OwnWrites<ConfigMap> all =
      new OwnWrites<>(cache, object -> true, Clock.system(), lost::add);

  private static ConfigMap object(String name, String uid, long version, String owner) {
    return ConfigMap.builder()
        .metadata(
            ObjectMeta.builder()
                .namespace("d")
                .name(name)
                .uid(uid)
                .resourceVersion(Long.toString(version))
                .build())
        .data(Map.of("owner", owner))
        .build();
  }

  private Optional<String> version(String name) {
    return all.getByKey("d/" + name).map(object -> object.metadata().resourceVersion());
  }

  @Test
  void creation_isVisibleByKeyInListsAndIndices_untilTheCacheHasIt() {
    ConfigMap created = object("x", "u1", 5, "a");
    all.written(created);

    assertThat(all.getByKey("d/x")).contains(created);
    assertThat(all.list()).containsExactly(created);
    assertThat(all.byIndex(BY_OWNER, "a")).containsExactly(created);
    assertThat(all.byIndex(BY_OWNER, "b")).isEmpty();
    assertThat(all.indexKeys(BY_OWNER, "a")).containsExactly("d/x");
    assertThat(all.listIndexFuncValues(BY_OWNER)).containsExactly("a");
    assertThat(all.size()).isEqualTo(1);

    cache.add(created);

    assertThat(all.getByKey("d/x")).contains(created);
    assertThat(all.size()).isZero();
  }

  @Test
  void update_movesAnObjectFromOneIndexValueToAnother() {
    cache.add(object("x", "u1", 5, "a"));
    all.written(object("x", "u1", 6, "b"));

    assertThat(all.byIndex(BY_OWNER, "a")).isEmpty();
    assertThat(all.byIndex(BY_OWNER, "b")).hasSize(1);
    assertThat(all.list()).hasSize(1);
  }

  @Test
  void changeByAnother_isNeverHidden() {
    all.written(object("x", "u1", 6, "a"));
    cache.add(object("x", "u1", 7, "by another"));

    assertThat(version("x")).contains("7");

    all.written(object("y", "u2", 9, "a"));
    cache.bookmark("9"); // Created here, and deleted by another before the cache saw it.

    assertThat(version("y")).isEmpty();
    assertThat(all.list()).hasSize(1);
  }

  /** The watch tells of no deletion of an object that the cache never had. */
  @Test
  void objectThatIsDeletedBeforeTheCacheHasIt_isReportedOnce() {
    ConfigMap created = object("y", "u2", 9, "a");
    all.written(created);
    all.progressed();
    assertThat(lost).isEmpty();

    cache.bookmark("9");
    assertThat(version("y")).isEmpty(); // A reader may look before the informer reports.
    all.progressed();
    all.progressed();

    assertThat(lost).containsExactly(created);
  }

  /** The informer itself passes that deletion on to its handlers. */
  @Test
  void objectThatAListLacks_isNotReported_ifTheCacheHadAnEarlierState() {
    cache.add(object("x", "u1", 5, "a"));
    all.written(object("x", "u1", 6, "b"));

    cache.replace(List.of(), "8");
    all.progressed();

    assertThat(version("x")).isEmpty();
    assertThat(lost).isEmpty();
  }

  @Test
  void objectThatIsDeleted_isReported_alsoIfAReaderHasAskedTheServer() throws Exception {
    FakeClock clock = FakeClock.create();
    OwnWrites<ConfigMap> late = new OwnWrites<>(cache, object -> true, clock, lost::add);
    ConfigMap created = object("y", "u2", 9, "a");
    late.written(created);
    clock.advance(Duration.ofMinutes(1));

    late.settle("d/y"::equals, names -> new OwnWrites.Answer<>(List.of(), "12"));
    assertThat(late.getByKey("d/y")).isEmpty();
    cache.replace(List.of(), "12");
    late.progressed();

    assertThat(lost).containsExactly(created);
  }

  @Test
  void objectThatTheCacheHas_orThatThisProcessDeletes_isNotReported() {
    ConfigMap seen = object("x", "u1", 5, "a");
    all.written(seen);
    cache.add(seen);
    all.progressed();
    ConfigMap own = object("y", "u2", 6, "a");
    all.written(own);
    all.deleted(own);
    cache.bookmark("7");
    all.progressed();

    assertThat(all.size()).isZero();
    assertThat(lost).isEmpty();
  }

  @Test
  void deletion_hidesTheObject_andNoOtherOfItsName() {
    ConfigMap first = object("x", "u1", 5, "a");
    cache.add(first);
    all.deleted(first);

    assertThat(version("x")).isEmpty();
    cache.update(object("x", "u1", 6, "a change just before the deletion"));
    assertThat(version("x")).isEmpty();

    cache.update(object("x", "u2", 8, "created again by another"));
    assertThat(version("x")).contains("8");
    assertThat(all.size()).isZero();
  }

  @Test
  void deletionOfAnObjectThatTheCacheHasNotSeen_outlivesItsAppearance() {
    ConfigMap created = object("x", "u1", 5, "a");
    all.written(created);
    all.deleted(created);

    assertThat(version("x")).isEmpty();
    cache.add(created);
    assertThat(version("x")).isEmpty();
    cache.delete(object("x", "u1", 6, "a"));
    assertThat(version("x")).isEmpty();
    assertThat(all.size()).isZero();
  }

  @Test
  void recreation_survivesTheDeletionBeforeIt() {
    ConfigMap first = object("x", "u1", 5, "a");
    cache.add(first);
    all.deleted(first);
    all.written(object("x", "u2", 7, "a"));

    assertThat(version("x")).contains("7");
    cache.delete(object("x", "u1", 6, "a"));
    assertThat(version("x")).contains("7");
    cache.add(object("x", "u2", 7, "a"));
    assertThat(version("x")).contains("7");
    assertThat(all.size()).isZero();
  }

  @Test
  void responsesThatAreRecordedLate_changeNothing() {
    all.written(object("x", "u1", 7, "a"));
    all.written(object("x", "u1", 6, "a"));
    assertThat(version("x")).contains("7");

    all.deleted(object("x", "u1", 7, "a"));
    all.written(object("x", "u1", 8, "written before the deletion"));
    assertThat(version("x")).isEmpty();
  }

  @Test
  void objectsThatTheInformerDoesNotFollow_areNotShown() {
    OwnWrites<ConfigMap> some =
        new OwnWrites<>(
            cache, object -> "d".equals(object.metadata().namespace()), Clock.system(), lost -> {});
    some.written(
        ConfigMap.builder()
            .metadata(
                ObjectMeta.builder()
                    .namespace("other")
                    .name("x")
                    .uid("u")
                    .resourceVersion("5")
                    .build())
            .build());

    assertThat(some.getByKey("other/x")).isEmpty();
    assertThat(some.list()).isEmpty();
  }

  @Test
  void updateThatLeavesTheSelection_hidesTheObject_untilTheCacheHasItAgain() {
    OwnWrites<ConfigMap> some =
        new OwnWrites<>(
            cache, object -> object.data().containsValue("in"), Clock.system(), lost -> {});
    cache.add(object("x", "u1", 5, "in"));

    some.written(object("x", "u1", 7, "out"));
    assertThat(some.getByKey("d/x")).isEmpty();
    assertThat(some.list()).isEmpty();
    cache.update(object("x", "u1", 6, "in"));
    assertThat(some.getByKey("d/x")).isEmpty();

    cache.update(object("x", "u1", 8, "in")); // Another client has brought it back.
    assertThat(some.getByKey("d/x")).isPresent();
    assertThat(some.size()).isZero();
  }

  /** As after a restore of etcd: the informer reads the collection again, at a lower version. */
  @Test
  void versionsThatGoBack_forgetAllWrites() {
    ConfigMap kept = object("kept", "u1", 90, "a");
    ConfigMap gone = object("gone", "u2", 95, "a");
    cache.replace(List.of(kept, gone), "100");
    all.deleted(gone);
    all.written(object("kept", "u1", 101, "b"));
    all.written(object("new", "u3", 102, "a"));

    cache.replace(List.of(kept, gone), "96");

    assertThat(all.getByKey("d/gone")).contains(gone);
    assertThat(version("kept")).contains("90");
    assertThat(version("new")).isEmpty();
    assertThat(all.list()).containsExactlyInAnyOrder(kept, gone);
    assertThat(all.size()).isZero();
  }

  @Test
  void manyWritesOfAnotherType_areReadByOneList_andOneByItsName() throws InterruptedException {
    Set<ObjectName> names = new HashSet<>();
    for (int i = 1; i <= 1_000; i++) {
      all.writtenElsewhere(object("x" + i, "u" + i, i, "a"));
      names.add(new ObjectName("d", "x" + i));
    }
    List<Set<ObjectName>> asked = new ArrayList<>();
    OwnWrites.Server<ConfigMap> server =
        questions -> {
          asked.add(questions);
          return new OwnWrites.Answer<>(
              questions.stream().map(name -> object(name.name(), "u", 1_000, "b")).toList(),
              "1000");
        };

    all.settle("d/x7"::equals, server);
    assertThat(asked).containsExactly(Set.of(new ObjectName("d", "x7")));
    assertThat(all.list()).hasSize(1);

    all.settle(key -> true, server);
    names.remove(new ObjectName("d", "x7"));
    assertThat(asked).hasSize(2).last().isEqualTo(names);
    assertThat(all.list()).hasSize(1_000);
  }

  @Test
  void writesThatTheCacheShows_takeNoMemory() {
    for (int i = 1; i <= 10_000; i++) {
      ConfigMap written = object("x" + i, "u" + i, i, "a");
      all.written(written);
      cache.add(written);
    }

    assertThat(all.size()).isLessThan(3);
  }

  /**
   * Random histories of one server with two writers, this process and another, and a cache that
   * lags. Each read must return a state that the object has had since this process last wrote it,
   * and since what the cache shows.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anyHistory_readsOwnWritesAndNothingOlderThanTheCache(long seed) {
    for (long run = 0; run < 400; run++) {
      new History(seed * 1_000_000 + run).run();
    }
  }

  private static final class History {

    private record Event(long version, String key, ConfigMap object, boolean deleted) {}

    private final long seed;
    private final Random random;
    private final Indexer<ConfigMap> cache =
        Indexer.create(
            KeyFunction.metaNamespace(),
            Map.of(
                BY_OWNER,
                (IndexFunction<ConfigMap>) object -> List.copyOf(object.data().values())));
    private final OwnWrites<ConfigMap> own =
        new OwnWrites<>(cache, object -> true, Clock.system(), lost -> {});

    /** The state of each key from each version on; empty if it does not exist. */
    private final Map<String, TreeMap<Long, Optional<ConfigMap>>> states = new HashMap<>();

    private final List<Event> events = new ArrayList<>();
    private final Map<String, Long> ownVersions = new HashMap<>();
    private long version = 1;
    private int delivered;

    History(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      for (int step = 0; step < 30; step++) {
        String name = "k" + random.nextInt(3);
        switch (random.nextInt(5)) {
          case 0, 1 -> write(name, /* mine= */ true);
          case 2 -> write(name, /* mine= */ false);
          default -> deliver();
        }
        for (int i = 0; i < 3; i++) {
          check("k" + i);
        }
      }
    }

    private Optional<ConfigMap> now(String name) {
      TreeMap<Long, Optional<ConfigMap>> all = states.get("d/" + name);
      return all == null ? Optional.empty() : all.lastEntry().getValue();
    }

    private void write(String name, boolean mine) {
      Optional<ConfigMap> before = now(name);
      version++;
      boolean delete = before.isPresent() && random.nextInt(3) == 0;
      String owner = "o" + random.nextInt(2);
      String uid = before.map(o -> o.metadata().uid()).orElse("uid-" + version);
      ConfigMap after = object(name, uid, version, owner);
      events.add(new Event(version, "d/" + name, after, delete));
      states
          .computeIfAbsent("d/" + name, key -> new TreeMap<>(Map.of(0L, Optional.empty())))
          .put(version, delete ? Optional.empty() : Optional.of(after));
      if (mine) {
        ownVersions.put("d/" + name, version);
        if (delete) {
          own.deleted(before.get());
        } else {
          own.written(after);
        }
      }
    }

    private void deliver() {
      int count = 1 + random.nextInt(3);
      while (count-- > 0 && delivered < events.size()) {
        Event event = events.get(delivered++);
        if (event.deleted) {
          cache.delete(event.object);
        } else {
          cache.add(event.object);
        }
      }
    }

    private void check(String name) {
      String key = "d/" + name;
      Optional<ConfigMap> read = own.getByKey(key);
      long shown = delivered == 0 ? 0 : events.get(delivered - 1).version;
      long since = Math.max(shown, ownVersions.getOrDefault(key, 0L));
      TreeMap<Long, Optional<ConfigMap>> history =
          states.getOrDefault(key, new TreeMap<>(Map.of(0L, Optional.empty())));

      if (!history.tailMap(history.floorKey(since)).containsValue(read)) {
        throw new AssertionError(
            "seed %s: %s is %s, since %s at %s".formatted(seed, key, read, since, version));
      }
      if (contains(own.list(), name) != read.isPresent()) {
        throw new AssertionError("seed %s: the list differs in %s".formatted(seed, key));
      }
      for (String owner : List.of("o0", "o1")) {
        boolean filed = read.isPresent() && read.get().data().containsValue(owner);
        if (contains(own.byIndex(BY_OWNER, owner), name) != filed) {
          throw new AssertionError("seed %s: the index differs in %s".formatted(seed, key));
        }
      }
    }

    private static boolean contains(List<ConfigMap> list, String name) {
      return list.stream().anyMatch(object -> name.equals(object.metadata().name()));
    }
  }
}
