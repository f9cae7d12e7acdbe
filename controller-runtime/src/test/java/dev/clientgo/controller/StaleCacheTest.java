package dev.clientgo.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.traffic.OpenWatch;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writing with a cache that does not hear what other clients do. */
final class StaleCacheTest {

  private EmbeddedApiServer server;
  private RESTClient client;
  private Manager manager;
  private CachedResource<ConfigMap> maps;
  private ResourceClient<ConfigMap> others;

  @BeforeEach
  void start() throws InterruptedException {
    server = EmbeddedApiServer.start();
    client = RESTClient.create(server.restConfig());
    manager = Manager.create(client);
    manager.start();
    maps = manager.client().resource(ConfigMap.TYPE).inNamespace("default");
    others = client.resource(ConfigMap.TYPE).inNamespace("default");
  }

  @AfterEach
  void stop() {
    manager.close();
    client.close();
    server.close();
  }

  private void silence() throws InterruptedException {
    maps.list();
    server.awaitWatches(1);
    server.watches().forEach(OpenWatch::goSilent);
  }

  private static ConfigMap map(String value) {
    return ConfigMap.of("default", "x", c -> c.data(Map.of("a", value)));
  }

  private Operation<ConfigMap> createOrUpdate(String value) throws InterruptedException {
    return maps.createOrUpdate(map("0"), m -> m.with(c -> c.data(Map.of("a", value))));
  }

  @Test
  void createOrUpdate_ofAnObjectThatAnotherClientHasCreated_changesIt() throws Exception {
    silence();
    others.create(map("theirs"));

    assertThat(createOrUpdate("ours").result()).isEqualTo(OperationResult.UPDATED);
    assertThat(others.get("x").data()).containsEntry("a", "ours");
  }

  @Test
  void createOrUpdate_ofAnObjectThatAnotherClientHasDeleted_createsIt() throws Exception {
    others.create(map("old"));
    silence();
    others.delete("x");

    assertThat(createOrUpdate("ours").result()).isEqualTo(OperationResult.CREATED);
    assertThat(others.get("x").data()).containsEntry("a", "ours");
  }

  /** The cache says that there is something to do, and the server that there is not. */
  @Test
  void createOrUpdate_ofAnObjectThatAnotherClientHasChangedAlready_isUnchanged() throws Exception {
    others.create(map("old"));
    silence();
    others.update(map("ours"));
    int before = writes();

    assertThat(createOrUpdate("ours").result()).isEqualTo(OperationResult.UNCHANGED);
    assertThat(writes()).isEqualTo(before);
  }

  @Test
  void nothingToDo_sendsNothing() throws Exception {
    createOrUpdate("ours");
    ConfigMap known = maps.get("x");
    int before = server.requests().size();

    createOrUpdate("ours");
    maps.edit(known, m -> m);
    maps.editStatus(known, m -> m);

    assertThat(server.requests()).hasSize(before);
  }

  private int writes() {
    return (int)
        server.requests().stream().filter(request -> !request.method().equals("GET")).count();
  }

  @Test
  void fresh_asksTheServer_onlyIfTheCacheMayBeOlder() throws Exception {
    FakeClock clock = FakeClock.create();
    try (Manager timed = Manager.builder(client).clock(clock).build()) {
      timed.start();
      CachedResource<ConfigMap> cached = timed.client().resource(ConfigMap.TYPE);
      others.create(map("1"));
      Eventually.await("the event", () -> unchecked(() -> !cached.list().isEmpty()));
      ConfigMap known = cached.list().get(0);
      server.awaitWatches(1);
      server.watches().forEach(OpenWatch::goSilent);
      others.edit("x", m -> m.with(c -> c.data(Map.of("a", "2"))));

      assertThat(cached.fresh(known, Duration.ofMinutes(1))).contains(known);
      clock.advance(Duration.ofMinutes(1).plusNanos(1));
      assertThat(cached.fresh(known, Duration.ofMinutes(1)).orElseThrow().data())
          .containsEntry("a", "2");

      others.delete("x");
      others.create(map("3"));
      assertThat(cached.fresh(known, Duration.ofMinutes(1))).isEmpty();
    }
  }

  /** A fake clock whose wall time can be set back. */
  private static final class SetClock implements Clock {

    private final FakeClock clock = FakeClock.create();
    private volatile Duration offset = Duration.ZERO;

    @Override
    public Instant now() {
      return clock.now().plus(offset);
    }

    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      return clock.await(lock, condition, timeout);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      clock.sleep(duration);
    }
  }

  @Test
  void fresh_knowsTheAgeOfTheCache_ifSomebodyHasSetTheClockBack() throws Exception {
    SetClock clock = new SetClock();
    try (Manager timed = Manager.builder(client).clock(clock).build()) {
      timed.start();
      CachedResource<ConfigMap> cached = timed.client().resource(ConfigMap.TYPE);
      others.create(map("1"));
      Eventually.await("the event", () -> unchecked(() -> !cached.list().isEmpty()));
      ConfigMap known = cached.list().get(0);
      server.awaitWatches(1);
      server.watches().forEach(OpenWatch::goSilent);
      others.edit("x", m -> m.with(c -> c.data(Map.of("a", "2"))));

      clock.offset = Duration.ofHours(-1);
      assertThat(cached.fresh(known, Duration.ofMinutes(1))).contains(known);
      clock.clock.advance(Duration.ofMinutes(1).plusNanos(1));
      assertThat(cached.fresh(known, Duration.ofMinutes(1)).orElseThrow().data())
          .containsEntry("a", "2");
    }
  }

  private static boolean unchecked(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
