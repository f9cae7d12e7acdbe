package dev.clientgo.events.internal.recording;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.core.v1.EventSource;
import dev.clientgo.kubernetes.events.v1.Event;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes events of occurrences. Safe for use by many threads. */
public final class EventFactory {

  private final EventNames names = new EventNames();
  private final Clock clock;

  /** Creates a factory that takes the time from a clock. */
  public EventFactory(Clock clock) {
    this.clock = clock;
  }

  /** Returns a single event of {@code events.k8s.io/v1}; the note is cut to 1024 bytes. */
  public Event event(Occurrence occurrence, String note) {
    Instant now = clock.now();
    return Event.of(
        event ->
            event
                .metadata(metadata(occurrence, now))
                .eventTime(MicroTime.of(now))
                .reportingController(occurrence.reporter().controller())
                .reportingInstance(occurrence.reporter().instance())
                .action(occurrence.action())
                .reason(occurrence.reason())
                .regarding(occurrence.regarding())
                .related(occurrence.related())
                .note(NoteLimit.cut(note))
                .type(occurrence.type()));
  }

  /** Returns a single event of {@code core/v1}, which has neither action nor related object. */
  public dev.clientgo.kubernetes.core.v1.Event coreEvent(Occurrence occurrence, String message) {
    Instant now = clock.now();
    String component = occurrence.reporter().controller();
    String host = orNull(occurrence.reporter().instance());
    return dev.clientgo.kubernetes.core.v1.Event.of(
        event ->
            event
                .metadata(metadata(occurrence, now))
                .involvedObject(occurrence.regarding())
                .reason(occurrence.reason())
                .message(message)
                .source(EventSource.of(source -> source.component(component).host(host)))
                .firstTimestamp(Time.of(now))
                .lastTimestamp(Time.of(now))
                .count(1)
                .type(occurrence.type())
                .reportingComponent(component)
                .reportingInstance(host));
  }

  private ObjectMeta metadata(Occurrence occurrence, Instant now) {
    Map<String, String> annotations = occurrence.reporter().annotations();
    return ObjectMeta.builder()
        .name(names.next(occurrence.objectName(), now))
        .namespace(occurrence.namespace())
        .annotations(annotations.isEmpty() ? null : annotations)
        .build();
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
