package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.InformerHealth.ReflectorState;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.testing.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/**
 * The problems of its cache that an informer reports, before the start, while it runs, and after
 * the end.
 */
final class InformerHealthTest extends InformerFixture {

  private static final Duration MAX_AGE = Duration.ofMinutes(5);

  private final FakeClock clock = FakeClock.create();

  private SharedIndexInformer<ApiObject> synced(
      SharedIndexInformer.Builder<ApiObject> builder, Clock time) throws Exception {
    SharedIndexInformer<ApiObject> informer =
        informer(builder, ReflectorOptions.builder().clock(time));
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();
    server.awaitWatch();
    return informer;
  }

  private void awaitEventNow(SharedIndexInformer<?> informer) throws Exception {
    Eventually.await(
        "an event", () -> informer.health().lastEvent().equals(Optional.of(clock.now())));
  }

  @Test
  void cache_thatIsFilledAndConfirmed_hasNoProblem() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ZERO);
    assertThat(informer.health().problem(MAX_AGE)).contains("is not running: NEW");
    assertThat(informer.health().age()).isEmpty();

    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    assertThat(informer.health().problem(MAX_AGE)).isEmpty();
    informer.close();
    assertThat(informer.health().problem(MAX_AGE)).contains("is not running: STOPPED");
  }

  @Test
  void cache_thatTheServerHasNotConfirmedForTooLong_isAProblemUntilTheNextEvent() throws Exception {
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ZERO);
    informer.addEventHandler(handler);
    informer.start();
    assertThat(informer.awaitSynced(SOON)).isTrue();

    clock.advance(MAX_AGE);
    assertThat(informer.health().problem(MAX_AGE)).isEmpty();
    InformerHealth before = informer.health();
    clock.advance(Duration.ofSeconds(1));

    assertThat(informer.health().age()).contains(MAX_AGE.plusSeconds(1));
    assertThat(informer.health().problem(MAX_AGE))
        .contains("was last confirmed by the server PT5M1S ago");
    assertThat(before.age()).as("of that moment").contains(MAX_AGE);
    server.put("default/a");
    handler.await(1);
    assertThat(informer.health().problem(MAX_AGE)).isEmpty();
  }

  /** The server may end each watch with an error, which is an event, too. */
  @Test
  void cache_whoseWatchEndsWithAnError_isNotConfirmedByIt() throws Exception {
    SharedIndexInformer<ApiObject> informer = synced(SharedIndexInformer.builder(server), clock);
    clock.advance(MAX_AGE.plusSeconds(1));
    server.onRequest(
        request -> {
          throw FakeServer.error("InternalError", 500, "no list either");
        });

    server.send(new WatchEvent.Failed<>(FakeServer.error("InternalError", 500, "no etcd")));

    awaitEventNow(informer);
    assertThat(informer.health().problem(MAX_AGE).orElse("well"))
        .startsWith("was last confirmed by the server PT5M1S ago");
  }

  /** Its first objects arrive again and again, and none of them reaches the cache. */
  @Test
  void cache_whoseNextListIsNeverComplete_isNotConfirmedByItsBeginning() throws Exception {
    server.put("default/a");
    SharedIndexInformer<ApiObject> informer = synced(SharedIndexInformer.builder(server), clock);
    clock.advance(MAX_AGE);
    server.withholdInitialEventsEnd(true);
    server.send(new WatchEvent.Failed<>(FakeServer.error("Expired", 410, "too old")));
    Duration pause = Duration.ofSeconds(5);
    clock.awaitWaiterWithin(pause);

    clock.advance(pause);

    awaitEventNow(informer);
    assertThat(informer.health().state()).isEqualTo(ReflectorState.STREAMING);
    assertThat(informer.health().problem(MAX_AGE).orElse("well"))
        .startsWith("was last confirmed by the server PT5M5S ago");
  }

  @Test
  void cache_whoseIndexFunctionHangs_isAProblemAlthoughEventsArrive() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    IndexFunction<ApiObject> hanging =
        object -> {
          hang(called, release);
          return List.of();
        };
    SharedIndexInformer<ApiObject> informer =
        synced(SharedIndexInformer.builder(server).indexer("hanging", hanging), clock);
    server.put("default/a");
    called.await();
    clock.advance(MAX_AGE.plusSeconds(1));

    server.bookmark();

    awaitEventNow(informer);
    assertThat(informer.health().problem(MAX_AGE).orElse("well"))
        .startsWith("has been unable to process the next change for PT5M1S");
    assertThat(informer.health().age()).contains(MAX_AGE.plusSeconds(1));
    release.countDown();
    Eventually.await("the change", () -> informer.health().problem(MAX_AGE).isEmpty());
  }

  private static void hang(CountDownLatch called, CountDownLatch release) {
    called.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void handler_thatHangs_isAProblemWithoutABacklog() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    SharedIndexInformer<ApiObject> informer = synced(SharedIndexInformer.builder(server), clock);
    informer.addEventHandler(
        ResourceEventHandlerFuncs.<ApiObject>builder()
            .onAdd(object -> hang(called, release))
            .build(),
        HandlerOptions.builder().name("mail").build());
    server.put("default/a");
    called.await();
    clock.advance(MAX_AGE);
    server.bookmark();
    awaitEventNow(informer);
    assertThat(informer.health().problem(MAX_AGE)).isEmpty();

    clock.advance(Duration.ofSeconds(1));

    assertThat(informer.health().handlers().get(0).backlog()).isZero();
    assertThat(informer.health().problem(MAX_AGE).orElse("well"))
        .startsWith("has a handler that has been in one call for PT5M1S: ")
        .contains("mail");
    release.countDown();
    Eventually.await("the end of the call", () -> informer.health().problem(MAX_AGE).isEmpty());
  }

  @Test
  void age_whenTheWallClockIsSetOrTheMachineSleeps_isNotShorter() throws Exception {
    AtomicReference<Duration> set = new AtomicReference<>(Duration.ZERO);
    SharedIndexInformer<ApiObject> informer =
        synced(SharedIndexInformer.builder(server), new SetClock(clock, set));
    clock.advance(MAX_AGE.plusSeconds(1));

    set.set(MAX_AGE.negated());
    assertThat(informer.health().age()).as("set back").contains(MAX_AGE.plusSeconds(1));

    set.set(Duration.ofHours(8));
    assertThat(informer.health().age()).as("slept").contains(MAX_AGE.plusSeconds(1).plusHours(8));
  }

  /** A clock whose wall clock differs from its monotonic one. */
  private record SetClock(FakeClock clock, AtomicReference<Duration> set) implements Clock {
    @Override
    public Instant now() {
      return clock.now().plus(set.get());
    }

    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      clock.sleep(duration);
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout)
        throws InterruptedException {
      return clock.await(lock, condition, timeout);
    }
  }

  @Test
  void cache_whoseFirstListFails_saysWhy() throws Exception {
    server.onRequest(
        request -> {
          throw FakeServer.error("Forbidden", 403, "no list for you");
        });
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ZERO);
    informer.start();
    clock.awaitWaiters(1);

    assertThat(informer.health().problem(MAX_AGE).orElseThrow())
        .startsWith("has no first list yet: ")
        .contains("; last error: ", "no list for you");
  }
}
