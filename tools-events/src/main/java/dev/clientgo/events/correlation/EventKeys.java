package dev.clientgo.events.correlation;

import dev.clientgo.kubernetes.core.v1.Event;
import dev.clientgo.kubernetes.core.v1.ObjectReference;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** By which fields events are the same, are similar, or come from one source about one object. */
final class EventKeys {

  private static final String AGGREGATE_PREFIX = "(combined from similar events): ";

  private EventKeys() {}

  /** Returns the key of an event with its message: equal keys are repetitions. */
  static List<@Nullable Object> eventKey(Event event) {
    ObjectReference object = event.involvedObject();
    return Arrays.asList(
        event.source(),
        object.kind(),
        object.namespace(),
        object.name(),
        object.fieldPath(),
        object.uid(),
        object.apiVersion(),
        event.type(),
        event.reason(),
        event.message());
  }

  /** Returns the key of a source and an object. */
  static List<@Nullable Object> spamKey(Event event) {
    return Arrays.asList(event.source(), withoutField(event), event.type());
  }

  /** Returns the key of events that differ only in their message or the field of the object. */
  static List<@Nullable Object> aggregateKey(Event event) {
    return Arrays.asList(
        event.source(),
        withoutField(event),
        event.type(),
        event.reason(),
        event.reportingComponent(),
        event.reportingInstance());
  }

  static String aggregateMessage(Event event) {
    return AGGREGATE_PREFIX + event.message();
  }

  /** Unlike an event's identity, these keys ignore the version of the object, too. */
  private static List<@Nullable String> withoutField(Event event) {
    ObjectReference object = event.involvedObject();
    return Arrays.asList(
        object.kind(), object.namespace(), object.name(), object.uid(), object.apiVersion());
  }
}
