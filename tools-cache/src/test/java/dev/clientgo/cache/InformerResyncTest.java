package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.cache.internal.threads.SharedThreads;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.clock.FakeClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The resync periods of handlers. */
final class InformerResyncTest extends InformerFixture {

  // ---- resync

  /**
   * A resync reaches only the handlers whose period is over (TestListenerResyncPeriods,
   * TestListenerResyncPeriodsDelayed).
   */
  @Test
  void resync_reachesListenersThatAreDue() throws InterruptedException {
    FakeClock clock = FakeClock.create();
    server.put("pod1");
    server.put("pod2");
    SharedIndexInformer<ApiObject> informer = informer(clock, Duration.ofSeconds(1));
    RecordingHandler never = new RecordingHandler();
    RecordingHandler two = new RecordingHandler();
    RecordingHandler three = new RecordingHandler();
    informer.addEventHandler(never, resync(Duration.ZERO));
    informer.addEventHandler(two, resync(Duration.ofSeconds(2)));
    informer.addEventHandler(three, resync(Duration.ofSeconds(3)));
    informer.start();
    for (RecordingHandler each : List.of(never, two, three)) {
      each.await(2);
    }

    advanceWatching(clock, 1);
    settle(never, two, three);
    assertThat(List.of(never.events().size(), two.events().size(), three.events().size()))
        .containsExactly(3, 3, 3);

    advanceWatching(clock, 1);
    assertThat(two.await(6).subList(3, 6)).contains("update pod1@1 1", "update pod2@2 2");
    settle(never, two, three);
    assertThat(List.of(never.events().size(), two.events().size(), three.events().size()))
        .containsExactly(4, 7, 4);

    advanceWatching(clock, 1);
    three.await(8);
    settle(never, two, three);
    assertThat(List.of(never.events().size(), two.events().size(), three.events().size()))
        .containsExactly(5, 8, 9);
  }

  /** Waits until the timers' thread waits for the next resync. */
  private static void advanceWatching(FakeClock clock, int seconds) throws InterruptedException {
    Duration duration = Duration.ofSeconds(seconds);
    clock.awaitWaiterWithin(duration);
    clock.advance(duration);
    clock.awaitWaiterWithin(duration);
  }

  @Test
  void informerWithoutResync_neverResyncs() {
    SharedProcessor<ApiObject> processor = processor(Duration.ZERO);

    processor.add(listener("a"), Duration.ofSeconds(5), List.of());

    assertThat(processor.resyncCheckPeriod()).isZero();
    assertThat(processor.resyncPeriods()).containsExactly(Duration.ZERO);
  }

  /**
   * Before the start, a handler with a shorter period lowers the check period
   * (TestResyncCheckPeriod).
   */
  @Test
  void handlersBeforeStart_lowerTheCheckPeriod() {
    SharedProcessor<ApiObject> processor = processor(Duration.ofHours(12));

    processor.add(listener("a"), Duration.ZERO, List.of());
    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofHours(12));
    processor.add(listener("b"), Duration.ofMinutes(1), List.of());
    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofMinutes(1));
    processor.add(listener("c"), Duration.ofSeconds(55), List.of());
    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofSeconds(55));
    processor.add(listener("d"), Duration.ofSeconds(5), List.of());
    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofSeconds(5));

    assertThat(processor.resyncPeriods())
        .containsExactly(
            Duration.ZERO, Duration.ofMinutes(1), Duration.ofSeconds(55), Duration.ofSeconds(5));
  }

  @Test
  void handlersAfterStart_areRaisedToTheCheckPeriod() {
    SharedProcessor<ApiObject> processor = processor(Duration.ofSeconds(5));
    processor.start();

    processor.add(listener("a"), Duration.ofSeconds(2), List.of());
    processor.add(listener("b"), Duration.ofSeconds(7), List.of());

    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofSeconds(5));
    assertThat(processor.resyncPeriods())
        .containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(7));
    processor.close();
  }

  @Test
  void periodBelowASecond_becomesASecond() {
    SharedProcessor<ApiObject> processor = processor(Duration.ofSeconds(5));

    processor.add(listener("a"), Duration.ofMillis(1), List.of());

    assertThat(processor.resyncCheckPeriod()).isEqualTo(Duration.ofSeconds(1));
  }

  private SharedProcessor<ApiObject> processor(Duration checkPeriod) {
    FakeClock clock = FakeClock.create();
    return new SharedProcessor<>(checkPeriod, clock, new SharedThreads(clock, this::newThread));
  }

  private ProcessorListener<ApiObject> listener(String name) {
    return new ProcessorListener<>(name, handler, FakeClock.create(), InformerMetrics.NONE, null);
  }
}
