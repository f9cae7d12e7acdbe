package dev.clientgo.events;

import static dev.clientgo.events.Broadcasters.LONG;
import static dev.clientgo.events.Broadcasters.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.events.correlation.CorrelatorOptions;
import dev.clientgo.events.internal.writing.Counters;
import dev.clientgo.events.internal.writing.EventLog;
import dev.clientgo.events.internal.writing.WriteQueue;
import dev.clientgo.testing.Fault;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The code of a program throws anything: counted, told, and later events are sent. */
@Timeout(120)
final class FaultsTest {

  /** An argument of a note that has no text. */
  private record Argument(Fault fault) {
    @Override
    public String toString() {
      return String.valueOf(fault.fail());
    }
  }

  @ParameterizedTest
  @EnumSource
  void note_whoseArgumentThrows_isCountedAndTheNextIsSent(Fault fault) throws Exception {
    try (Broadcasters test = Broadcasters.series()) {
      test.recorder.eventf(
          pod("a"), null, "Normal", "Started", "start", "of %s", new Argument(fault));
      test.flush();
      assertThat(test.broadcaster.stats().failed()).isEqualTo(1);

      test.recorder.eventf(pod("a"), null, "Normal", "Started", "start", "well");
      test.flush();
      assertThat(test.broadcaster.stats().sent()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void correlator_whoseFunctionThrows_isCountedAndTheNextIsSent(Fault fault) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    RecordingSink<dev.clientgo.kubernetes.core.v1.Event> sink = new RecordingSink<>();
    CorrelatorOptions options =
        CorrelatorOptions.builder()
            .spamKey(event -> calls.incrementAndGet() == 1 ? fault.fail() : "key")
            .build();
    try (EventBroadcaster broadcaster =
        new EventBroadcaster.Builder(new RecordingSink<>(), sink)
            .clock(FakeClock.create())
            .coreV1(options)
            .build()) {
      EventRecorder recorder = broadcaster.recorder("test");
      recorder.eventf(pod("a"), null, "Normal", "Started", "start", "first");
      assertThat(broadcaster.flush(LONG)).isTrue();
      assertThat(broadcaster.stats().failed()).isEqualTo(1);

      recorder.eventf(pod("a"), null, "Normal", "Started", "start", "second");
      assertThat(broadcaster.flush(LONG)).isTrue();
      assertThat(broadcaster.stats().sent()).isEqualTo(1);
    }
  }

  /** A queue of one thread: what waits behind the failed write is written by the same thread. */
  @ParameterizedTest
  @EnumSource
  void write_thatThrows_isCountedAndThoseBehindItAreDone(Fault fault) throws Exception {
    FakeClock clock = FakeClock.create();
    Counters counters = new Counters();
    WriteQueue queue = new WriteQueue(1, Thread::new, clock, counters, new EventLog(clock));
    AtomicInteger done = new AtomicInteger();
    CountDownLatch begin = new CountDownLatch(1);
    queue.offer(
        () -> {
          begin.await();
          fault.fail();
        });
    queue.offer(done::incrementAndGet);
    begin.countDown();

    assertThat(queue.awaitIdle(LONG)).isTrue();
    assertThat(done).hasValue(1);
    assertThat(counters.failed.sum()).isEqualTo(1);
    queue.close();
  }
}
