package dev.clientgo.events.internal.recording;

import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.events.correlation.EventCorrelator;
import dev.clientgo.events.internal.writing.Counters;
import dev.clientgo.events.internal.writing.EventLog;
import dev.clientgo.events.internal.writing.EventLog.Topic;
import dev.clientgo.events.internal.writing.EventSink;
import dev.clientgo.events.internal.writing.EventWriter;
import dev.clientgo.events.internal.writing.WriteQueue;
import dev.clientgo.kubernetes.core.v1.Event;
import java.util.Optional;

/**
 * Records events of {@code core/v1}. The caller's thread correlates, so spam never gets into the
 * queue; one thread writes, so the patches of an event stay in order.
 */
public final class CorrelatedEvents implements EventPipeline {

  private final EventCorrelator correlator;
  private final EventFactory factory;
  private final EventSink<Event> sink;
  private final EventWriter writer;
  private final WriteQueue queue;
  private final Counters counters;
  private final EventLog log;

  /** Creates a pipeline whose queue has one thread. */
  public CorrelatedEvents(
      EventCorrelator correlator,
      EventFactory factory,
      EventSink<Event> sink,
      EventWriter writer,
      WriteQueue queue,
      Counters counters,
      EventLog log) {
    this.correlator = correlator;
    this.factory = factory;
    this.sink = sink;
    this.writer = writer;
    this.queue = queue;
    this.counters = counters;
    this.log = log;
  }

  @Override
  public void accept(Occurrence occurrence) {
    Event event = factory.coreEvent(occurrence, occurrence.note().text());
    Optional<EventCorrelator.Result> correlated = correlator.correlate(event);
    if (correlated.isEmpty()) {
      counters.filtered.increment();
      return;
    }
    String title = occurrence.toString();
    if (!queue.offer(() -> write(title, correlated.get()))) {
      counters.dropped.increment();
      log.warn(
          Topic.DROPPED, () -> "the queue of events is full or closed, dropped " + title, null);
    }
  }

  private void write(String title, EventCorrelator.Result correlated) throws InterruptedException {
    Event event = correlated.event();
    Optional<Patch> patch = correlated.patch();
    writer.write(
        title,
        () -> {
          if (patch.isPresent()) {
            sink.patchOrCreate(event, patch.get());
          } else {
            sink.create(event);
          }
        },
        /* isSeries= */ false);
  }

  /** Does nothing: each count was queued when it was made, or is spam. */
  @Override
  public void writeCounts() {}

  @Override
  public void close() {}
}
