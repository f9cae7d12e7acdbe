package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replica owns slots only if it can do their work, and reports if it cannot. */
@Timeout(300)
final class ShardReadinessTest extends ShardsFixture {

  private static EmbeddedApiServer server;
  private static RESTClient client;

  @BeforeAll
  static void start() {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
  }

  @AfterAll
  static void stopServer() {
    client.close();
    server.close();
  }

  @Override
  RESTClient client() {
    return client;
  }

  private Replica replica(String name, boolean shardedCache) {
    return new Replica(name, shardedCache, group -> {});
  }

  /** It is seen by the others, and takes nothing from them. Then it takes its part. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void replicaThatCannotRead_ownsNoSlot_untilItCan(boolean shardedCache) throws Exception {
    create();
    Replica a = replica("a", shardedCache).start();
    awaitMembers(a);
    awaitReconciled("1");
    Replica b = replica("b", shardedCache);
    b.isBlind = true;

    b.start();
    Eventually.await("b joins", () -> a.group().members().size() == 2 && b.group().isMember());
    touch("2");

    assertThat(b.group().slots()).isEmpty();
    assertThat(a.group().slots()).hasSize(256);
    Eventually.await(
        "all objects", () -> a.reconciled.values().stream().filter("2"::equals).count() == OBJECTS);
    assertThat(b.page("/readyz").statusCode()).isEqualTo(500);
    assertThat(b.page("/readyz").body()).contains("SYNCING configmaps");

    b.isBlind = false;
    awaitMembers(a, b);
    assertThat(b.manager.awaitReady(Duration.ofMinutes(1))).isTrue();
    assertThat(b.page("/readyz").statusCode()).isEqualTo(200);
    touch("3");
    awaitReconciled("3");
    assertThat(b.reconciled).containsValue("3");
    assertThat(overlaps).isEmpty();
  }

  /** Neither at the start, nor later. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void replicaThatMayNotUseLeases_isNotReady_andNamesTheVerbs(boolean shardedCache)
      throws Exception {
    create();
    Replica a = replica("a", shardedCache);
    a.lacksLeases = true;
    try (CapturedLog log = CapturedLog.of(ShardGroup.class)) {
      a.start();

      assertThat(a.manager.awaitReady(Duration.ofSeconds(2))).isFalse();
      assertThat(a.page("/readyz").statusCode()).isEqualTo(500);
      assertThat(a.page("/readyz").body())
          .contains("default/" + prefix, "grant the verbs get, list, watch, create, update");
      assertThat(a.reconciled).isEmpty();
      a.lacksLeases = false;
      assertThat(a.manager.awaitReady(Duration.ofMinutes(1))).isTrue();
      awaitReconciled("1");

      a.lacksLeases = true;
      Eventually.await("it stops", () -> a.group().slots().isEmpty());
      assertThat(a.page("/readyz").statusCode()).isEqualTo(500);
      assertThat(a.page("/readyz").body()).contains("grant the verbs get, list, watch");
      assertThat(log.contains("grant the verbs get, list, watch, create, update")).isTrue();
      a.lacksLeases = false;
      Eventually.await("it is ready again", () -> a.page("/readyz").statusCode() == 200);
    }
  }

  /** Slots belong to a manager, so one without a controller holds the objects of its slots back. */
  @Test
  void controllerThatARolloutAdds_hasAllObjects_whenTheRolloutEnds() throws Exception {
    create();
    Replica a = replica("a", false).start();
    awaitMembers(a);
    Set<String> seen = ConcurrentHashMap.newKeySet();
    Replica b = replica("b", false);
    b.manager.add(
        Controller.builder(
                (request, context) -> {
                  seen.add(request.name());
                  return Result.done();
                })
            .forKind(ConfigMap.TYPE, Predicate.of(this::isOurs))
            .named("added")
            .build());
    b.start();
    awaitMembers(a, b);
    touch("2");
    awaitReconciled("2");
    Eventually.await("its part", () -> seen.containsAll(b.reconciled.keySet()));
    for (ConfigMap map : maps().list().items()) {
      if (isOurs(map) && a.group().owns(map.metadata().uid())) {
        assertThat(seen).doesNotContain(map.metadata().name());
      }
    }

    a.manager.close();

    Eventually.await("all objects", () -> seen.size() == OBJECTS);
  }

  /** It has read all objects once, so it works with what it knows, and tells. */
  @Test
  void memberThatCanReadNoMore_keepsItsSlots_andCatchesUp() throws Exception {
    create();
    Replica a = replica("a", false).start();
    Replica b = replica("b", false).start();
    awaitMembers(a, b);
    awaitReconciled("1");

    b.isBlind = true;
    server.watches().forEach(OpenWatch::cut);
    Eventually.await(
        "the health tells",
        () -> b.manager.informerHealth().get("configmaps").lastError().isPresent());
    touch("2");
    assertThat(b.group().slots()).isNotEmpty();
    b.isBlind = false;

    awaitReconciled("2");
    assertThat(overlaps).isEmpty();
  }

  /** The cache of the former owner lags, and lacks the object that has the name now. */
  @Test
  void deletionOfAnObjectThatWasCreatedAgain_isNotReconciled() throws Exception {
    create();
    Replica a = new Replica("a", false, group -> {}, 1).start();
    awaitMembers(a);
    awaitReconciled("1");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    a.beforeReconcile =
        request -> {
          if (request.name().equals(object(1))) {
            begun.countDown();
            await(goOn);
          }
        };
    maps().edit(object(1), map -> map.with(c -> c.editData(d -> d.put("version", "2"))));
    await(begun); // The only worker is busy.
    maps().delete(object(0));
    Eventually.await("a knows of it", () -> a.cached().size() == OBJECTS - 1);
    a.isBlind = true;
    server.watches().forEach(OpenWatch::cut);
    maps().create(ConfigMap.of("default", object(0), c -> c.data(Map.of("version", "again"))));

    goOn.countDown();
    Clock.system().sleep(Duration.ofMillis(500)); // The worker tries, and cannot ask the server.
    a.isBlind = false;
    awaitReconciled(object(0), "again");

    assertThat(a.deleted).isEmpty();
    maps().delete(object(0));
    Eventually.await("the real deletion", () -> a.deleted.contains(object(0)));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** At a hand-over, an object whose predicate throws keeps no other object from its reconcile. */
  @Test
  void predicateThatThrowsAtAHandOver_keepsNothingFromTheOthers() throws Exception {
    create();
    Replica a = replica("a", false).start();
    Replica b = replica("b", false).start();
    awaitMembers(a, b);
    awaitReconciled("1");
    b.failsFor =
        a.reconciled.keySet().stream()
            .filter(name -> !b.reconciled.containsKey(name))
            .findFirst()
            .orElseThrow();

    a.manager.close();
    Eventually.await("all but one", () -> b.reconciled.size() >= OBJECTS - 1);
    b.failsFor = "";
    Replica c = replica("c", false).start();
    awaitMembers(b, c);
    touch("2");
    awaitReconciled("2");
  }
}
