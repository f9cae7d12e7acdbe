package dev.clientgo.events.correlation;

import dev.clientgo.kubernetes.core.v1.Event;
import dev.clientgo.kubernetes.core.v1.EventSource;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import org.jspecify.annotations.Nullable;

/** By which fields events are the same, are similar, or come from one source about one object. */
final class EventKeys {

  private static final String AGGREGATE_PREFIX = "(combined from similar events): ";

  private EventKeys() {}

  /** An object without a field of it and, unlike in the identity of series, without a version. */
  private record ObjectKey(
      @Nullable String kind,
      @Nullable String namespace,
      @Nullable String name,
      @Nullable String uid,
      @Nullable String apiVersion) {}

  private record EventKey(
      EventSource source,
      ObjectKey object,
      @Nullable String fieldPath,
      @Nullable String type,
      @Nullable String reason,
      @Nullable String message) {}

  private record SpamKey(EventSource source, ObjectKey object, @Nullable String type) {}

  private record AggregateKey(
      EventSource source,
      ObjectKey object,
      @Nullable String type,
      @Nullable String reason,
      @Nullable String reportingController,
      @Nullable String reportingInstance) {}

  /** Returns the key of an event with its message: equal keys are repetitions. */
  static Object eventKey(Event event) {
    ObjectReference object = event.involvedObject();
    return new EventKey(
        event.source(),
        key(object),
        object.fieldPath(),
        event.type(),
        event.reason(),
        event.message());
  }

  /** Returns the key of a source and an object. */
  static Object spamKey(Event event) {
    return new SpamKey(event.source(), key(event.involvedObject()), event.type());
  }

  /** Returns the key of events that differ only in their message or the field of the object. */
  static Object aggregateKey(Event event) {
    return new AggregateKey(
        event.source(),
        key(event.involvedObject()),
        event.type(),
        event.reason(),
        event.reportingComponent(),
        event.reportingInstance());
  }

  static String aggregateMessage(Event event) {
    return AGGREGATE_PREFIX + event.message();
  }

  private static ObjectKey key(ObjectReference object) {
    return new ObjectKey(
        object.kind(), object.namespace(), object.name(), object.uid(), object.apiVersion());
  }
}
