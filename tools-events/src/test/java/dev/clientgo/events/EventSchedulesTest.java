package dev.clientgo.events;

import static dev.clientgo.events.Broadcasters.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.events.RecordingSink.Sent;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.kubernetes.events.v1.EventSeries;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random schedules of recording, waiting and losing: whatever happens, the counts on the server add
 * up to what was recorded.
 */
@Timeout(300)
final class EventSchedulesTest {

  private static final Logger LOG = Logger.getLogger("dev.clientgo.events");
  private static final int SCHEDULES = 30;
  private static final int STEPS = 100;
  private static final int PODS = 5;

  /** Hits each event a few times at most, so that none is given up. */
  private static final class Faults {

    private final Map<String, Integer> hits = new HashMap<>();
    private final Random random;

    Faults(Random random) {
      this.random = random;
    }

    boolean hit(Sent<Event> request) {
      return random.nextInt(4) == 0
          && hits.merge(String.valueOf(request.event().metadata().name()), 1, Integer::sum) < 10;
    }
  }

  @BeforeAll
  static void silence() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speak() {
    LOG.setLevel(null);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void counts_addUp(long seed) throws InterruptedException {
    Random random = new Random(seed);
    for (int schedule = 0; schedule < SCHEDULES; schedule++) {
      long scheduleSeed = random.nextLong();
      Map<String, Integer> recorded = new TreeMap<>();
      Map<String, Integer> stored = new TreeMap<>();
      try (Broadcasters test = Broadcasters.series()) {
        run(test, new Random(scheduleSeed), recorded);
        for (Event event : test.sink.events()) {
          EventSeries series = event.series();
          stored.merge(
              String.valueOf(event.regarding().name()),
              series == null ? 1 : series.count(),
              Integer::sum);
        }
        assertThat(test.broadcaster.stats().failed()).as("schedule %d", scheduleSeed).isZero();
      }
      assertThat(stored).as("schedule %d", scheduleSeed).isEqualTo(recorded);
    }
  }

  private static void run(Broadcasters test, Random random, Map<String, Integer> recorded)
      throws InterruptedException {
    Faults faults = new Faults(new Random(random.nextLong()));
    test.sink.failWith(
        request ->
            faults.hit(request)
                ? new TransportException(Kind.CONNECTION_REFUSED, "nobody there", null)
                : null);
    test.sink.loseAnswers(faults::hit);
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(8)) {
        case 0 -> test.clock.advance(Duration.ofSeconds(random.nextInt(200)));
        case 1 -> test.clock.advance(Duration.ofMinutes(random.nextInt(10)));
        case 2 -> test.broadcaster.flush(Duration.ZERO);
        default -> {
          String name = "pod-" + random.nextInt(PODS);
          recorded.merge(name, 1, Integer::sum);
          test.recorder.normal(pod(name), "A", "B", "step %d", step);
        }
      }
    }
    while (!test.broadcaster.flush(Duration.ZERO)) {
      test.clock.advance(Duration.ofSeconds(13));
      Thread.onSpinWait();
    }
  }
}
