package dev.clientgo.events;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.events.correlation.CorrelatorOptions;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import dev.clientgo.kubernetes.events.v1.Event;
import java.time.Duration;
import java.util.Random;

/** A broadcaster on a clock that stands still, with its two servers. */
final class Broadcasters implements AutoCloseable {

  static final Duration LONG = Duration.ofSeconds(30);

  final FakeClock clock = FakeClock.create();
  final RecordingSink<Event> sink = new RecordingSink<>();
  final RecordingSink<dev.clientgo.kubernetes.core.v1.Event> coreSink = new RecordingSink<>();
  final EventBroadcaster broadcaster;
  final EventRecorder recorder;

  private Broadcasters(boolean isCore) {
    EventBroadcaster.Builder builder =
        new EventBroadcaster.Builder(sink, coreSink).clock(clock).random(new Random(1));
    broadcaster = (isCore ? builder.coreV1(CorrelatorOptions.DEFAULTS) : builder).build();
    recorder = broadcaster.recorder("eventTest");
  }

  static Broadcasters series() {
    return new Broadcasters(false);
  }

  static Broadcasters core() {
    return new Broadcasters(true);
  }

  static ObjectReference pod(String name) {
    return ObjectReference.of(
        pod -> pod.apiVersion("v1").kind("Pod").namespace("baz").name(name).uid("bar"));
  }

  /** Waits until everything that was recorded is written. The clock stands, so this is no wait. */
  void flush() throws InterruptedException {
    if (!broadcaster.flush(LONG)) {
      throw new AssertionError("the clock moved");
    }
  }

  @Override
  public void close() {
    sink.hang(false);
    coreSink.hang(false);
    broadcaster.close();
  }
}
