package dev.clientgo.events;

import static dev.clientgo.events.Broadcasters.LONG;
import static dev.clientgo.events.Broadcasters.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.clock.FakeClock;
import dev.clientgo.events.correlation.CorrelatorOptions;
import dev.clientgo.events.internal.writing.Counters;
import dev.clientgo.events.internal.writing.EventLog;
import dev.clientgo.events.internal.writing.WriteQueue;
import dev.clientgo.kubernetes.events.v1.Event;
import dev.clientgo.testing.CapturedLog;
import dev.clientgo.testing.Eventually;
import dev.clientgo.testing.Fault;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
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

  /** An Error of an interceptor: the repetitions of the event were counted and never sent. */
  @ParameterizedTest
  @EnumSource
  void request_thatThrows_isCountedAndTheRepetitionIsSent(Fault fault) throws Exception {
    try (Broadcasters test = Broadcasters.series()) {
      test.sink.failWith(request -> fault.fail());
      test.recorder.normal(pod("a"), "Started", "start", "note");
      test.flush();
      assertThat(test.broadcaster.stats().failed()).isEqualTo(1);

      test.sink.failWith(request -> null);
      test.recorder.normal(pod("a"), "Started", "start", "note");
      test.flush();
      assertThat(test.sink.objects()).isEqualTo(1);
    }
  }

  /** The first thread cannot be made: the event waits for the next one, and is sent. */
  @ParameterizedTest
  @EnumSource
  void threadFactory_thatThrows_losesNoEvent(Fault fault) throws Exception {
    Fault.Injector injector = new Fault.Injector();
    RecordingSink<Event> sink = new RecordingSink<>();
    try (EventBroadcaster broadcaster = broadcaster(injector, sink, FakeClock.create())) {
      EventRecorder recorder = broadcaster.recorder("test");
      injector.begin(fault);
      recorder.normal(pod("a"), "Started", "start", "note");
      injector.end();
      recorder.normal(pod("b"), "Started", "start", "note");

      assertThat(broadcaster.flush(LONG)).isTrue();
      assertThat(sink.objects()).isEqualTo(2);
      assertThat(broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(2, 2, 0, 0, 0));
    }
  }

  /** The thread that forgets events ended, and no later count was written in time. */
  @ParameterizedTest
  @EnumSource
  void threadFactory_thatThrowsAtASweep_losesNoCount(Fault fault) throws Exception {
    Fault.Injector injector = new Fault.Injector();
    RecordingSink<Event> sink = new RecordingSink<>();
    FakeClock clock = FakeClock.create();
    try (EventBroadcaster broadcaster = broadcaster(injector, sink, clock)) {
      EventRecorder recorder = broadcaster.recorder("test");
      recorder.normal(pod("a"), "Started", "start", "note");
      sink.awaitSent(1);
      assertThat(broadcaster.flush(LONG)).isTrue();
      recorder.normal(pod("a"), "Started", "start", "note");
      sink.awaitSent(2);
      assertThat(broadcaster.flush(LONG)).isTrue();

      recorder.normal(pod("a"), "Started", "start", "note");
      injector.begin(fault);
      clock.awaitWaiterWithin(Duration.ofMinutes(1));
      clock.advance(Duration.ofMinutes(6));
      Eventually.await("a failure", () -> injector.strikes() > 0);
      injector.end();
      recorder.normal(pod("b"), "Started", "start", "note");

      assertThat(sink.awaitSent(4))
          .filteredOn(sent -> !sent.isCreate())
          .last()
          .satisfies(sent -> assertThat(sent.patchText()).contains("\"count\":3"));
    }
  }

  private static EventBroadcaster broadcaster(
      Fault.Injector injector, RecordingSink<Event> sink, FakeClock clock) {
    return new EventBroadcaster.Builder(sink, new RecordingSink<>())
        .clock(clock)
        .threadFactory(
            task -> {
              injector.visit();
              return new Thread(task);
            })
        .build();
  }

  /** An object of the program whose metadata cannot be read. */
  private record Unreadable(Fault fault) implements KubernetesObject {
    @Override
    public String apiVersion() {
      return "example.com/v1";
    }

    @Override
    public String kind() {
      return "Unreadable";
    }

    @Override
    public ObjectMeta metadata() {
      return fault.fail();
    }

    @Override
    public KubernetesObject withMetadata(ObjectMeta metadata) {
      return this;
    }
  }

  @ParameterizedTest
  @EnumSource
  void object_thatCannotBeRead_costsTheCallerNothing(Fault fault) throws Exception {
    Unreadable object = new Unreadable(fault);
    try (CapturedLog log = CapturedLog.of(ObjectReferences.class);
        Broadcasters test = Broadcasters.series()) {
      test.recorder.normal(object, "Started", "start", "note");
      test.recorder.warning(object, "Started", "start", "note");
      test.recorder.eventf(object, object, "Normal", "Started", "start", "note");
      test.flush();

      assertThat(test.broadcaster.stats()).isEqualTo(new EventBroadcaster.Stats(3, 0, 0, 0, 3));
      assertThat(log.texts(Level.WARNING))
          .hasSize(4)
          .containsOnly("The object of an event cannot be read");
    }
  }
}
