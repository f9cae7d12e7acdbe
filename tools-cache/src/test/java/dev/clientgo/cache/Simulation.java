package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;

/**
 * One random history of a server and an informer. The same seed makes the same history.
 *
 * <p>There are no threads: the test's own thread runs the Reflector. Wherever the Reflector waits,
 * for an event or for time to pass, a random step follows: the server's objects change; the server
 * drops its history, ends a watch or refuses a request; time passes; the consumer takes deltas from
 * the queue; a handler is called, fails, is added or is removed. At the end all faults stop, and
 * the informer must reach the state of the server.
 */
final class Simulation {

  private static final int KEYS = 6;
  private static final int TRACE_LINES = 100;
  private static final int PEACEFUL_STEPS = 2_000;

  private final SplittableRandom random;
  private final FakeServer server = new FakeServer(100);
  private final SimClock clock = new SimClock();
  private final List<CheckingHandler> handlers = new ArrayList<>();
  private final Deque<Object> trace = new ArrayDeque<>();
  private final SharedIndexInformer<ApiObject> informer;
  private final boolean usesDeltaFIFO;
  private int queueLength;
  private int stepsLeft;
  private boolean stepping;
  private boolean peace;
  private int faultPercent;
  private long storeVersion;

  Simulation(long seed) {
    random = new SplittableRandom(seed);
    stepsLeft = 20 + random.nextInt(300);
    faultPercent = chance(50) ? 0 : random.nextInt(40);
    server.watchListUnsupported(chance(40));
    server.withholdInitialEventsEnd(chance(15));
    if (chance(50)) {
      server.answerFrom((oldest, newest) -> random.nextLong(oldest, newest + 1));
    }
    server.breakList(() -> !peace && chance(faultPercent / 4));
    server.onRequest(this::faulty);
    server.simulate(this::step);
    server.trace(this::trace);
    clock.afterMove(() -> informer().controller().reflector().timers().runDue());
    Duration resync = chance(50) ? Duration.ZERO : Duration.ofSeconds(1 + random.nextInt(120));
    usesDeltaFIFO = chance(30);
    informer =
        SharedIndexInformer.builder(server)
            .useDeltaFIFO(usesDeltaFIFO)
            .resyncPeriod(resync)
            .watchErrorHandler((reflector, error) -> {})
            .metrics(
                new InformerMetrics() {
                  @Override
                  public void queueLength(int length) {
                    queueLength = length;
                  }
                })
            .options(
                ReflectorOptions.builder()
                    .clock(new Sleeping())
                    .random(new Random(seed))
                    .threadFactory(ReflectorFixture.NO_THREADS)
                    .watchListPageSize(chance(30) ? 2 : 0)
                    .maxInternalErrorRetryDuration(Duration.ofSeconds(chance(30) ? 10 : 0))
                    .build())
            .build();
  }

  private void trace(Object line) {
    if (trace.size() == TRACE_LINES) {
      trace.remove();
    }
    trace.add(line);
  }

  /** Returns the last steps. */
  String trace() {
    return trace.stream().map(Object::toString).collect(Collectors.joining("\n"));
  }

  private SharedIndexInformer<ApiObject> informer() {
    return informer;
  }

  /** Runs the history and checks it. */
  void run() throws InterruptedException {
    for (int i = random.nextInt(4); i >= 0; i--) {
      addHandler();
    }
    for (int i = random.nextInt(2 * KEYS); i > 0; i--) {
      changeObject();
    }
    informer.start();
    informer.controller().reflector().run();
    checkAgreement();
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String anyKey() {
    return "default/" + random.nextInt(KEYS);
  }

  // ---- the steps

  /** Called wherever the Reflector waits. */
  private void step() {
    if (stepping) {
      return; // A handler that pauses after a failure: only time passes.
    }
    stepping = true;
    try {
      if (stepsLeft-- > 0) {
        anything();
      } else if (!peace) {
        makePeace();
      } else if (agree()) {
        informer.close();
      } else {
        if (stepsLeft < -PEACEFUL_STEPS) {
          throw new AssertionError(
              "no agreement: %s, queue %d, server %s, cache %s"
                  .formatted(informer.health(), queueLength, server.objects(), stored()));
        }
        catchUp();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      stepping = false;
    }
  }

  private void anything() throws InterruptedException {
    int what = random.nextInt(100);
    if (what < 30) {
      changeObject();
    } else if (what < 75) {
      somethingPeaceful();
    } else if (what < 78) {
      server.compact();
    } else if (what < 82) {
      server.disconnect();
    } else if (what < 84) {
      server.silently(this::changeObject);
    } else if (what < 86) {
      server.bookmark();
      server.bookmark();
    } else if (what < 90) {
      server.send(new WatchEvent.Failed<>(anyError()));
    } else if (what < 92) {
      server.undecodable(anyKey(), chance(50));
    } else if (what < 94) {
      addHandler();
    } else if (what < 96) {
      removeHandler();
    } else if (what < 98) {
      handlers.forEach(handler -> handler.failing = chance(20));
    } else {
      server.withholdInitialEventsEnd(chance(20));
    }
  }

  private void somethingPeaceful() throws InterruptedException {
    int what = random.nextInt(100);
    if (what < 45) {
      process();
    } else if (what < 85) {
      deliver();
    } else if (what < 90) {
      server.bookmark();
    } else {
      clock.advance(Duration.ofMillis(random.nextLong(chance(10) ? 900_000 : 5_000)));
    }
  }

  private void catchUp() throws InterruptedException {
    while (queueLength > 0) {
      process();
    }
    for (CheckingHandler handler : handlers) {
      handler.hearAll();
    }
    if (!agree()) {
      clock.advance(Duration.ofMillis(100));
    }
  }

  private void changeObject() {
    if (chance(70)) {
      server.put(anyKey());
    } else {
      server.delete(anyKey());
    }
  }

  private void process() throws InterruptedException {
    if (queueLength > 0) {
      informer.controller().processNext();
      if (usesDeltaFIFO) {
        return; // It merges events, and so the versions come out of order.
      }
      long version = Long.parseLong(informer.indexer().lastStoreSyncResourceVersion());
      if (version < storeVersion || version > server.version()) {
        throw new AssertionError("the store went from " + storeVersion + " to " + version);
      }
      storeVersion = version;
    }
  }

  private void deliver() throws InterruptedException {
    if (!handlers.isEmpty()) {
      handlers.get(random.nextInt(handlers.size())).hearNext();
    }
  }

  private void addHandler() {
    CheckingHandler handler = new CheckingHandler();
    HandlerOptions.Builder options = HandlerOptions.builder();
    if (chance(50)) {
      options.resyncPeriod(Duration.ofSeconds(random.nextInt(200)));
    }
    handler.registration =
        (ProcessorListener<?>) informer.addEventHandler(handler, options.build());
    handlers.add(handler);
  }

  private void removeHandler() {
    if (!handlers.isEmpty()) {
      CheckingHandler handler = handlers.remove(random.nextInt(handlers.size()));
      assertThat(informer.removeEventHandler(handler.registration)).isTrue();
    }
  }

  private FakeServer.Request faulty(FakeServer.Request request) {
    if (!peace && chance(faultPercent)) {
      if (chance(10)) {
        throw new IllegalStateException("not an error of the server at all");
      }
      throw anyError();
    }
    return request;
  }

  private KubernetesException anyError() {
    return switch (random.nextInt(7)) {
      case 0 -> ReflectorFixture.expired();
      case 1 -> ReflectorFixture.tooManyRequests();
      case 2 -> ReflectorFixture.internalError();
      case 3 -> ReflectorFixture.refused();
      case 4 -> ReflectorFixture.forbidden();
      case 5 -> new TransportException(TransportException.Kind.CONNECTION_LOST, "reset", null);
      default -> gone();
    };
  }

  private static ApiStatusException gone() {
    return FakeServer.error(StatusReason.GONE, 410, "gone");
  }

  // ---- the end

  private void makePeace() {
    peace = true;
    stepsLeft = 0;
    for (int i = 0; i < KEYS; i++) {
      server.undecodable("default/" + i, false);
    }
    handlers.forEach(handler -> handler.failing = false);
    // An object that could not be decoded comes again only with another list.
    server.compact();
    server.put(anyKey());
    server.compact();
  }

  private boolean agree() {
    return queueLength == 0
        && informer.hasSynced()
        && handlers.stream().allMatch(handler -> handler.registration.health().backlog() == 0)
        && server.openWatches() > 0
        && stored().equals(server.objects());
  }

  private Map<String, ApiObject> stored() {
    Map<String, ApiObject> stored = new TreeMap<>();
    informer
        .indexer()
        .listKeys()
        .forEach(key -> stored.put(key, informer.indexer().getByKey(key).get()));
    return stored;
  }

  private void checkAgreement() {
    assertThat(stored()).isEqualTo(server.objects());
    for (CheckingHandler handler : handlers) {
      assertThat(handler.state)
          .as("the state that a handler has heard of")
          .isEqualTo(server.objects());
      assertThat(handler.registration.hasSynced()).isEqualTo(!handler.failedInInitialList);
    }
  }

  /** The clock, on which to sleep is to let something happen. */
  private final class Sleeping implements Clock {
    @Override
    public Instant now() {
      return clock.now();
    }

    @Override
    public long nanoTime() {
      return clock.nanoTime();
    }

    @Override
    public void sleep(Duration duration) {
      long until = clock.nanoTime() + duration.toNanos();
      step();
      if (clock.nanoTime() < until) {
        clock.advance(Duration.ofNanos(until - clock.nanoTime()));
      }
    }

    @Override
    public boolean await(Lock lock, Condition condition, Duration timeout) {
      // There is no other thread that could signal.
      sleep(timeout);
      return false;
    }
  }
}
