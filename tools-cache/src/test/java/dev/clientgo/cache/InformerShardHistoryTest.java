package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.wait.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** An informer whose shard changes shows what a list of all would show, whatever happens. */
final class InformerShardHistoryTest extends ShardFixture {

  @Test
  void anyHistory_endsAsAListOfAllWould() {
    Seeds.forEachOf(Integer.getInteger("shards.histories", 60), this::history);
  }

  private void history(long seed) {
    System.out.println("seed " + seed);
    try {
      new History(seed).run();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** An informer whose shard changes, while objects change whenever a request comes. */
  private final class History {

    private final Random random;
    private final List<ShardRange> slots = ShardRange.split(6);
    private final FakeServer server = InformerShardHistoryTest.this.server;

    History(long seed) {
      random = new Random(seed);
    }

    void run() throws InterruptedException {
      server.onRequest(request -> request);
      server.supportShards(true);
      RecordingHandler recorded = new RecordingHandler();
      SharedIndexInformer<ApiObject> informer =
          informer(
              SharedIndexInformer.builder(server).shard(some()),
              ReflectorOptions.builder().backoff(Backoff.builder(Duration.ofMillis(1)).build()));
      informer.addEventHandler(recorded);
      changes(20);
      server.answerFrom((oldest, newest) -> oldest + random.nextInt((int) (newest - oldest) + 1));
      server.onRequest(
          request -> {
            changes(random.nextInt(4));
            switch (random.nextInt(12)) {
              case 0 -> server.compact();
              case 1 ->
                  throw FakeServer.error(
                      StatusReason.TOO_MANY_REQUESTS, 429, "one of the random errors");
              case 2 -> throw FakeServer.error(StatusReason.INTERNAL_ERROR, 500, "random");
              case 3 -> informer.shard(some());
              case 4 -> server.supportShards(random.nextInt(4) > 0);
              default -> {}
            }
            return request;
          });
      informer.start();
      for (int round = 0; round < 12; round++) {
        ShardSelector next = some();
        informer.shard(next);
        changes(random.nextInt(4));
        if (random.nextBoolean()) {
          informer.awaitShard(Duration.ofMillis(20));
        }
        if (random.nextInt(6) == 0) {
          server.disconnect();
        }
      }
      server.onRequest(request -> request);
      ShardSelector last = some();
      while (last.isNothing()) {
        last = some();
      }
      informer.shard(last);
      assertThat(informer.awaitShard(SOON)).isTrue();
      List<ApiObject> ends = new ArrayList<>();
      ends.add(create("zz/end" + server.version(), last));
      String end = RecordingHandler.describe(ends.get(0));
      recorded.awaitEvent(event -> event.startsWith("add " + end));
      assertThat(cached(informer)).isEqualTo(onServer(last));
      assertThat(recorded.replay()).isEqualTo(onServer(last));
      assertNothingWentBack(recorded.events());
      informer.close();
    }

    private ShardSelector some() {
      return new ShardSelector(
          ShardField.UID, slots.stream().filter(slot -> random.nextInt(3) > 0).toList());
    }

    /** The threads of the test and of the informer call this. */
    private void changes(int count) {
      synchronized (server) {
        for (int i = 0; i < count; i++) {
          String key = "d/" + random.nextInt(12);
          if (random.nextInt(3) == 0) {
            server.delete(key);
          } else if (server.objects().containsKey(key)) {
            change(key);
          } else {
            create(key, ShardSelector.EVERYTHING);
          }
        }
      }
    }
  }

  /** Each version of an object reaches a handler in order, and no event comes twice. */
  private static void assertNothingWentBack(List<String> events) {
    Map<String, Long> versions = new HashMap<>();
    Set<String> present = new TreeSet<>();
    for (String event : events) {
      String[] words = event.split(" ", -1);
      String[] object = words[1].split("@", -1);
      String key = object[0];
      switch (words[0]) {
        case "add" -> {
          assertThat(present.add(key)).as("%s in %s", event, events).isTrue();
          assertNotBack(versions, key, object[1], event, events);
        }
        case "update" -> {
          assertThat(present).as("%s in %s", event, events).contains(key);
          assertNotBack(versions, key, words[2], event, events);
        }
        default -> {
          assertThat(present.remove(key)).as("%s in %s", event, events).isTrue();
          if (object.length > 1) {
            assertNotBack(versions, key, object[1], event, events);
          }
        }
      }
    }
  }

  private static void assertNotBack(
      Map<String, Long> versions, String key, String version, String event, List<String> events) {
    long now = Long.parseLong(version);
    assertThat(now)
        .as("%s in %s", event, events)
        .isGreaterThanOrEqualTo(versions.getOrDefault(key, 0L));
    versions.put(key, now);
  }
}
