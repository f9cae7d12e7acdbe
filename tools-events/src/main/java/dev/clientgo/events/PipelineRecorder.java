package dev.clientgo.events;

import dev.clientgo.events.internal.recording.EventPipeline;
import dev.clientgo.events.internal.recording.Occurrence;
import dev.clientgo.events.internal.recording.Occurrence.Note;
import dev.clientgo.events.internal.recording.Occurrence.Reporter;
import dev.clientgo.events.internal.writing.Counters;
import dev.clientgo.events.internal.writing.EventLog;
import dev.clientgo.events.internal.writing.EventLog.Topic;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Hands events to a pipeline, and keeps every problem from the caller. */
final class PipelineRecorder implements EventRecorder {

  private final EventPipeline pipeline;
  private final Reporter reporter;
  private final Counters counters;
  private final EventLog log;

  PipelineRecorder(EventPipeline pipeline, Reporter reporter, Counters counters, EventLog log) {
    this.pipeline = pipeline;
    this.reporter = reporter;
    this.counters = counters;
    this.log = log;
  }

  @Override
  public void eventf(
      ObjectReference regarding,
      @Nullable ObjectReference related,
      String type,
      String reason,
      String action,
      String note,
      @Nullable Object... args) {
    counters.recorded.increment();
    try {
      Occurrence occurrence =
          new Occurrence(reporter, regarding, related, type, reason, action, Note.of(note, args));
      Optional<String> problem = occurrence.problem();
      if (problem.isPresent()) {
        counters.failed.increment();
        log.warn(Topic.INVALID, () -> "cannot record " + occurrence + ": " + problem.get(), null);
      } else {
        pipeline.accept(occurrence);
      }
    } catch (Throwable e) {
      counters.failed.increment();
      log.warn(Topic.INVALID, () -> "cannot record an event of " + reporter.controller(), e);
    }
  }

  @Override
  public EventRecorder annotated(Map<String, String> annotations) {
    return new PipelineRecorder(pipeline, reporter.with(annotations), counters, log);
  }
}
