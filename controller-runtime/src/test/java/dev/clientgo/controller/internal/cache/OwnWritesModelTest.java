package dev.clientgo.controller.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.PartialObjectMetadata;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Random histories of one server with two writers, this process and another, and of two informers
 * of one resource with a label selector: one of whole objects, one of their metadata. Each lags
 * behind on its own, and lists again now and then. Now and then the server goes back to an earlier
 * state, as by a restore of etcd. While a read asks the server, others write and read. Each read
 * must return a state that the object has had, in the selection, since this process last wrote it,
 * and since what the cache shows.
 *
 * <p>{@code -Dclientgo.seed=…} repeats a history.
 */
final class OwnWritesModelTest {

  private static final int RUNS = 500;
  private static final int STEPS = 50;
  private static final List<String> KEYS = List.of("d/k0", "d/k1", "d/k2");
  private static final long SEED = Long.getLong("clientgo.seed", Clock.system().nanoTime());

  @Test
  void anyHistory_readsOwnWritesAndNothingOlderThanTheCache() throws InterruptedException {
    for (int run = 0; run < RUNS; run++) {
      new History(SEED + run).run();
    }
  }

  private record Event(long version, String key, Optional<ConfigMap> before, ConfigMap after) {}

  private static boolean isSelected(KubernetesObject object) {
    return "in".equals(object.metadata().labels().get("l"));
  }

  private static long versionOf(KubernetesObject object) {
    return Long.parseLong(object.metadata().resourceVersion());
  }

  private static final class History {

    private final long seed;
    private final Random random;
    private final FakeClock clock = FakeClock.create();
    private final TreeMap<Long, Map<String, ConfigMap>> states =
        new TreeMap<>(Map.of(1L, Map.of()));
    private final List<Event> events = new ArrayList<>();
    private final List<Informer<?>> informers;
    private int uids;

    History(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      informers =
          List.of(
              new Informer<ConfigMap>(object -> object),
              new Informer<PartialObjectMetadata>(PartialObjectMetadata::of));
    }

    long version() {
      return states.lastKey();
    }

    void run() throws InterruptedException {
      for (int step = 0; step < STEPS; step++) {
        Informer<?> any = informers.get(random.nextInt(informers.size()));
        switch (random.nextInt(12)) {
          case 0, 1, 2, 3 -> write(/* own= */ true);
          case 4, 5 -> write(/* own= */ false);
          case 6 -> any.list();
          case 7 -> {
            if (random.nextInt(4) == 0) {
              restore();
            }
          }
          default -> any.deliver(1 + random.nextInt(3));
        }
        for (Informer<?> informer : informers) {
          informer.check(step);
        }
      }
    }

    /** A deletion has the last state as its event, at a separate version. */
    private void write(boolean own) {
      String key = KEYS.get(random.nextInt(KEYS.size()));
      Map<String, ConfigMap> next = new HashMap<>(states.lastEntry().getValue());
      ConfigMap before = next.remove(key);
      long version = version() + 1;
      boolean delete = before != null && random.nextInt(3) == 0;
      String uid = before == null ? "uid-" + uids++ : before.metadata().uid();
      ConfigMap after =
          ConfigMap.of(
              "d",
              key.substring(2),
              c ->
                  c.editMetadata(
                      m ->
                          m.uid(uid)
                              .resourceVersion(Long.toString(version))
                              .labels(Map.of("l", random.nextInt(3) == 0 ? "out" : "in"))));
      if (!delete) {
        next.put(key, after);
      }
      states.put(version, next);
      events.add(new Event(version, key, Optional.ofNullable(before), after));
      if (own) {
        boolean convertible = random.nextBoolean();
        informers.forEach(i -> i.wrote(key, delete ? before : after, delete, convertible));
      }
    }

    /** The server forgets its newest changes; informers that are ahead of it list again. */
    private void restore() throws InterruptedException {
      long target = Math.max(1, version() - random.nextInt(6));
      states.tailMap(target, false).clear();
      events.removeIf(event -> event.version > target);
      for (Informer<?> informer : informers) {
        informer.ownVersions.values().removeIf(version -> version > target);
        if (informer.shown > target) {
          informer.list();
        } else {
          // It cannot notice. A write that does not arrive is looked for after a while.
          clock.advance(Duration.ofSeconds(11));
          informer.settle();
        }
      }
    }

    private final class Informer<T extends KubernetesObject> {

      final Function<ConfigMap, T> view;
      final Indexer<T> cache = Indexer.create(KeyFunction.metaNamespace());
      final OwnWrites<T> own =
          new OwnWrites<>(cache, OwnWritesModelTest::isSelected, clock, lost -> {});
      final Map<String, Long> ownVersions = new HashMap<>();
      long shown = 1;
      boolean busy;
      int readers;

      Informer(Function<ConfigMap, T> view) {
        this.view = view;
      }

      void wrote(String key, ConfigMap object, boolean deleted, boolean convertible) {
        ownVersions.put(key, version());
        if (deleted) {
          own.deleted(object);
        } else if (convertible) {
          own.written(view.apply(object));
        } else {
          own.writtenElsewhere(object);
        }
      }

      private Optional<ConfigMap> selected(Map<String, ConfigMap> state, String key) {
        return Optional.ofNullable(state.get(key)).filter(OwnWritesModelTest::isSelected);
      }

      /** Others write, deliver and read before the server answers, and before the answer comes. */
      OwnWrites.Answer<T> lookUp(Set<ObjectName> names) throws InterruptedException {
        meanwhile();
        Map<String, ConfigMap> now = states.lastEntry().getValue();
        List<T> found =
            names.stream().flatMap(n -> selected(now, n.toString()).map(view).stream()).toList();
        OwnWrites.Answer<T> answer = new OwnWrites.Answer<>(found, Long.toString(version()));
        meanwhile();
        return answer;
      }

      private void meanwhile() throws InterruptedException {
        if (busy || readers == 2) {
          return;
        }
        readers++;
        while (random.nextInt(3) == 0) {
          switch (random.nextInt(4)) {
            case 0, 1 -> write(/* own= */ random.nextBoolean());
            case 2 -> deliver(1 + random.nextInt(2));
            default -> own.settle(key -> true, this::lookUp);
          }
        }
        readers--;
      }

      void settle() throws InterruptedException {
        busy = true;
        for (int i = 0; i < KEYS.size(); i++) {
          own.settle(key -> true, this::lookUp);
        }
        busy = false;
      }

      void list() {
        List<T> all =
            states.lastEntry().getValue().values().stream()
                .filter(OwnWritesModelTest::isSelected)
                .map(view)
                .toList();
        cache.replace(all, Long.toString(version()));
        progressed();
        shown = version();
      }

      void deliver(int count) {
        List<Event> next =
            events.stream().filter(event -> event.version > shown).limit(count).toList();
        for (Event event : next) {
          boolean after = selected(states.get(event.version), event.key).isPresent();
          if (after) {
            cache.update(view.apply(event.after));
          } else if (event.before.filter(OwnWritesModelTest::isSelected).isPresent()) {
            cache.delete(view.apply(event.after)); // It is gone, or has left the selection.
          } else {
            cache.bookmark(Long.toString(event.version));
          }
          shown = event.version;
        }
        progressed();
      }

      private void progressed() {
        if (random.nextBoolean()) {
          own.progressed(); // A read may come first.
        }
      }

      void check(int step) throws InterruptedException {
        Map<String, Long> sinces = new HashMap<>();
        KEYS.forEach(k -> sinces.put(k, Math.max(shown, ownVersions.getOrDefault(k, 1L))));
        own.settle(key -> true, this::lookUp);
        meanwhile();
        for (String key : KEYS) {
          Optional<Long> read = own.getByKey(key).map(OwnWritesModelTest::versionOf);
          long since = sinces.get(key);
          boolean isRight =
              states.tailMap(states.floorKey(since)).values().stream()
                  .map(state -> selected(state, key).map(OwnWritesModelTest::versionOf))
                  .anyMatch(read::equals);
          assertThat(isRight)
              .as(
                  "seed %s, step %s: %s is %s, own %s, shown %s, at %s",
                  seed, step, key, read, ownVersions.get(key), shown, version())
              .isTrue();
          assertThat(own.list().stream().map(o -> "d/" + o.metadata().name()).anyMatch(key::equals))
              .as("seed %s, step %s: %s is in the list", seed, step, key)
              .isEqualTo(read.isPresent());
        }
      }
    }
  }
}
