package dev.clientgo.envtest.internal.tables;

import static dev.clientgo.envtest.internal.json.JsonTree.asObject;
import static dev.clientgo.envtest.internal.json.JsonTree.string;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cells of events, both of the core group and of {@code events.k8s.io}. */
final class EventCells {

  private EventCells() {}

  static String lastSeen(Map<String, Object> event, Instant now) {
    if (event.get("series") != null) {
      return since(string(event, "series", "lastObservedTime"), now);
    }
    String last = text(event, "lastTimestamp", "deprecatedLastTimestamp");
    return last.isEmpty() ? firstSeen(event, now) : since(last, now);
  }

  static String firstSeen(Map<String, Object> event, Instant now) {
    String first = text(event, "firstTimestamp", "deprecatedFirstTimestamp");
    return since(first.isEmpty() ? string(event, "eventTime") : first, now);
  }

  private static String since(String time, Instant now) {
    return time.isEmpty() ? Cells.UNKNOWN : Cells.since(time, now);
  }

  static long count(Map<String, Object> event) {
    if (event.get("series") != null) {
      return Cells.number(event, "series.count", 0);
    }
    return either(event, "count", "deprecatedCount") instanceof Number count
        ? Math.max(1, count.longValue())
        : 1;
  }

  static String object(Map<String, Object> event) {
    Map<String, Object> regarding = regarding(event);
    String kind = string(regarding, "kind").toLowerCase(Locale.ROOT);
    String name = string(regarding, "name");
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  static String subobject(Map<String, Object> event) {
    return string(regarding(event), "fieldPath");
  }

  static String message(Map<String, Object> event) {
    return text(event, "message", "note").strip();
  }

  static String source(Map<String, Object> event) {
    Map<String, Object> source = asObject(either(event, "source", "deprecatedSource"));
    String component = string(source, "component");
    String host = string(source, "host");
    String who =
        component.isEmpty() ? text(event, "reportingComponent", "reportingController") : component;
    String where = host.isEmpty() ? string(event, "reportingInstance") : host;
    return where.isEmpty() ? who : who + ", " + where;
  }

  private static Map<String, Object> regarding(Map<String, Object> event) {
    return asObject(either(event, "involvedObject", "regarding"));
  }

  private static String text(Map<String, Object> event, String core, String other) {
    return either(event, core, other) instanceof String text ? text : "";
  }

  /** Returns a field by its name in the core group or in {@code events.k8s.io}. */
  private static @Nullable Object either(Map<String, Object> event, String core, String other) {
    Object value = event.get(core);
    return value == null ? event.get(other) : value;
  }
}
