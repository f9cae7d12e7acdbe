package dev.clientgo.cache;

import static dev.clientgo.cache.ReflectorFixture.LONG;
import static dev.clientgo.cache.ReflectorFixture.added;
import static dev.clientgo.cache.ReflectorFixture.bookmark;
import static dev.clientgo.cache.ReflectorFixture.expired;
import static dev.clientgo.cache.ReflectorFixture.failed;
import static dev.clientgo.cache.ReflectorFixture.forbidden;
import static dev.clientgo.cache.ReflectorFixture.initialEventsEnd;
import static dev.clientgo.cache.ReflectorFixture.internalError;
import static dev.clientgo.cache.ReflectorFixture.pod;
import static dev.clientgo.cache.ReflectorFixture.refused;
import static dev.clientgo.cache.ReflectorFixture.tooManyRequests;
import static dev.clientgo.cache.ReflectorFixture.undecodable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.cache.ScriptedSource.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.logging.Filter;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How long a Reflector waits before it asks again: the exact waits, without their random part. */
final class ReflectorBackoffTest {

  private static final Integer[] GROWING = {
    800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000
  };

  private final ReflectorFixture fixture = new ReflectorFixture();
  private final ScriptedSource source = fixture.source;

  /** Random numbers that add nothing to a wait. */
  private static final Random NO_JITTER =
      new Random() {
        private static final long serialVersionUID = 1;

        @Override
        public double nextDouble() {
          return 0;
        }
      };

  @BeforeEach
  void withoutJitter() {
    fixture.options = options -> options.random(NO_JITTER);
  }

  private List<Integer> waits() {
    return fixture.clock.sleeps().stream().map(Duration::toMillis).map(Long::intValue).toList();
  }

  // ---- a stream that ends early

  @Test
  void shortWatchesWithEvents_goOnAfterASecondAtMost() {
    source.list("1");
    for (int i = 2; i < 10; i++) {
      source.watch(added("a", Integer.toString(i)));
    }

    fixture.run();

    assertThat(waits()).containsExactly(100, 200, 400, 800, 1000, 1000, 1000, 1000);
    assertThat(source.requests()).filteredOn(request -> request.startsWith("LIST")).hasSize(1);
  }

  @Test
  void shortWatchesWithEvents_afterWatchThatLived_waitATenthOfASecondAgain() {
    source
        .list("1")
        .watch(added("a", "2"))
        .watch(added("a", "3"))
        .watch(added("a", "4"), fixture.wait(LONG))
        .watch(added("a", "5"));

    fixture.run();

    assertThat(waits()).containsExactly(100, 200, 100);
  }

  @Test
  void watchesThatLive_goOnAtOnce() {
    source
        .list("1")
        .watch(added("a", "2"), fixture.wait(Duration.ofSeconds(1)))
        .watch(fixture.wait(Duration.ofSeconds(1)))
        .watch(Step.over());

    fixture.run();

    assertThat(waits()).isEmpty();
  }

  @Test
  void shortWatchesWithoutEvent_listAfterGrowingWaits() {
    source.list("1");
    for (int i = 0; i < GROWING.length; i++) {
      source.watch().list("1");
    }
    source.watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(GROWING);
  }

  @Test
  void streamsThatEndBeforeTheirBookmark_areTriedTwiceMoreAfterShortWaits() {
    source
        .streaming()
        .watch(added("a", "1"))
        .watch(added("a", "1"))
        .watch(added("a", "1"))
        .list("1")
        .watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(100, 200);
  }

  @Test
  void streamThatEndsAfterItsBookmark_goesOnAfterATenthOfASecond() {
    source.streaming().watch(added("a", "1"), initialEventsEnd("1")).watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(100);
  }

  @Test
  void internalErrors_whileRetried_waitShortly() {
    fixture.options =
        options -> options.random(NO_JITTER).maxInternalErrorRetryDuration(Duration.ofSeconds(30));
    source
        .list("1")
        .watch(failed(internalError()))
        .watch(failed(internalError()))
        .watch(failed(internalError()))
        .watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(100, 200, 400);
  }

  @Test
  void watchesWithoutAnAnswer_waitAsAfterFailures() {
    TransportException lost =
        new TransportException(TransportException.Kind.CONNECTION_LOST, "reset", null);
    source.list("1").watch(failed(lost)).watch(failed(lost)).watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(800, 1600);
  }

  // ---- failures

  static Stream<Arguments> failures() {
    return Stream.of(
        argumentSet("connection refused", refused()), argumentSet("429", tooManyRequests()));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void watchNotTaken_isAskedForAgainAfterGrowingWaits(KubernetesException failure) {
    source.list("1");
    for (int i = 0; i < GROWING.length; i++) {
      source.fail(failure);
    }
    source.watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(GROWING);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void streamNotTaken_isAskedForAgainAfterGrowingWaits(KubernetesException failure) {
    source.streaming();
    for (int i = 0; i < GROWING.length; i++) {
      source.fail(failure);
    }
    source.watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(GROWING);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void listFails_isAskedForAgainAfterGrowingWaits(KubernetesException failure) {
    for (int i = 0; i < GROWING.length; i++) {
      source.fail(failure);
    }
    source.list("1");

    fixture.run();

    assertThat(waits()).containsExactly(GROWING);
  }

  @Test
  void tooManyRequestsInWatches_waitAsAfterFailures() {
    source.list("1");
    for (int i = 0; i < 3; i++) {
      source.watch(failed(tooManyRequests()));
    }

    fixture.run();

    assertThat(waits()).containsExactly(800, 1600, 3200);
  }

  /** A stream that was cut does not lengthen the wait after failures of the server. */
  @Test
  void shortWatchesWithEvents_doNotLengthenTheWaitAfterAFailure() {
    source
        .list("1")
        .watch(added("a", "2"))
        .watch(added("a", "3"))
        .watch(added("a", "4"))
        .fail(refused())
        .watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(100, 200, 400, 800);
  }

  /** For instance a server that is killed twice within two minutes. */
  @Test
  void failures_afterWatchThatLivedWithEvents_beginAnew() {
    source
        .list("1")
        .fail(refused())
        .fail(refused())
        .watch(added("a", "2"), fixture.wait(LONG))
        .fail(refused())
        .watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(800, 1600, 800);
  }

  @Test
  void failures_afterWatchWithoutEvents_growOn() {
    source
        .list("1")
        .fail(refused())
        .fail(refused())
        .watch(fixture.wait(LONG))
        .fail(refused())
        .watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(800, 1600, 3200);
  }

  @Test
  void failures_afterTwoMinutes_beginAnew() {
    source
        .list("1")
        .fail(refused())
        .fail(refused())
        .watch(fixture.wait(Duration.ofMinutes(2)))
        .fail(refused())
        .watch(Step.over());

    fixture.run();

    assertThat(waits()).containsExactly(800, 1600, 800);
  }

  // ---- no answer makes it spin

  /** Answers at once with a random response that a server could send. */
  private static final class Capricious implements ListerWatcher<ApiObject> {

    private static final int REQUESTS = 500;

    private final SimClock clock;
    private final Random random;
    private final int sort;
    private final List<String> sinceLastWait = new ArrayList<>();
    private int waits;
    private int requests;
    private int version = 1;

    /** How many requests there were at most without a wait, and which. */
    private List<String> longest = List.of();

    /** Creates a server that answers always in the same way, or by chance if it is negative. */
    Capricious(SimClock clock, long seed, int sort) {
      this.clock = clock;
      this.random = new Random(seed);
      this.sort = sort;
    }

    private int choose(int sorts) {
      return sort < 0 ? random.nextInt(sorts) : sort % sorts;
    }

    private void asked(String request) throws InterruptedException {
      if (clock.sleeps().size() != waits) {
        waits = clock.sleeps().size();
        sinceLastWait.clear();
      }
      sinceLastWait.add(request);
      if (sinceLastWait.size() > longest.size()) {
        longest = List.copyOf(sinceLastWait);
      }
      if (++requests > REQUESTS) {
        throw new InterruptedException("that is enough");
      }
    }

    private static KubernetesException error(int choice) {
      return switch (choice) {
        case 0 -> refused();
        case 1 -> tooManyRequests();
        case 2 -> internalError();
        case 3 -> forbidden();
        case 4 -> expired();
        case 5 -> new TransportException(TransportException.Kind.CONNECTION_LOST, "reset", null);
        case 6 -> FakeServer.error(StatusReason.TIMEOUT, 504, "Too large resource version");
        default -> undecodable("a");
      };
    }

    @Override
    public ListMeta list(ListOptions asked, ListSink<? super ApiObject> sink)
        throws InterruptedException {
      asked("LIST");
      int choice = choose(16);
      if (choice < 8) {
        throw error(choice);
      }
      sink.accept(pod("a", Integer.toString(version)));
      return ListMeta.builder()
          .resourceVersion(choice < 10 ? "" : choice < 12 ? "0" : Integer.toString(version++))
          .build();
    }

    @Override
    public Watch<ApiObject> watch(ListOptions asked) throws InterruptedException {
      asked("WATCH");
      int choice = choose(24);
      if (choice < 8) {
        throw error(choice);
      }
      ScriptedSource script = new ScriptedSource().streaming();
      String next = Integer.toString(version++);
      if (choice < 16) {
        script.watch(
            random.nextBoolean() ? bookmark(next) : added("a", next), failed(error(choice - 8)));
      } else {
        switch (choice) {
          case 16 -> script.watch();
          case 17 -> script.watch(added("a", next));
          case 18 -> script.watch(bookmark(next));
          case 19 -> script.watch(initialEventsEnd(next));
          case 20 -> script.watch(added("a", next), initialEventsEnd(next));
          case 21 -> script.watch(initialEventsEnd(next), failed(expired()));
          case 22 -> script.watch(initialEventsEnd(""), added("a", ""));
          default -> script.watch(failed(undecodable("a")));
        }
      }
      return script.watch(asked);
    }
  }

  /** Keeps thousands of lines about a busy or missing server out of the log. */
  private static void withoutLog(Runnable action) {
    Logger logger = Logger.getLogger(Reflector.class.getName());
    Filter before = logger.getFilter();
    Thread self = Thread.currentThread();
    logger.setFilter(line -> Thread.currentThread() != self);
    try {
      action.run();
    } finally {
      logger.setFilter(before);
    }
  }

  static Stream<Arguments> capriciousServers() {
    return Stream.concat(
        Stream.iterate(0, sort -> sort + 1)
            .limit(48)
            .map(sort -> argumentSet("always answer " + sort, 1L, sort)),
        Stream.iterate(1L, seed -> seed + 1)
            .limit(100)
            .map(seed -> argumentSet("by chance, seed " + seed, seed, -1)));
  }

  /**
   * Whatever a server answers at once, there are at most five requests between two waits: a stream,
   * a stream of the most recent state, a list, a list of the most recent state, and a watch.
   */
  @ParameterizedTest
  @MethodSource("capriciousServers")
  void noAnswerOfAServer_makesItSpin(long seed, int sort) {
    fixture.options =
        options ->
            options
                .random(NO_JITTER)
                .useWatchList(seed % 3 != 0)
                .maxInternalErrorRetryDuration(Duration.ofSeconds(seed % 2 == 0 ? 30 : 0));
    Capricious server = new Capricious(fixture.clock, seed, sort);

    withoutLog(() -> fixture.run(server));

    assertThat(server.longest).hasSizeLessThanOrEqualTo(5);
    assertThat(fixture.clock.sleeps())
        .hasSizeGreaterThan(Capricious.REQUESTS / 5 - 1)
        .allSatisfy(wait -> assertThat(wait).isGreaterThanOrEqualTo(Duration.ofMillis(100)));
  }
}
