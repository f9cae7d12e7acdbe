package dev.clientgo.envtest.internal.tables;

import dev.clientgo.envtest.internal.json.JsonTree;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Cells of events, both of the core group and of {@code events.k8s.io}. */
final class EventCells {

  /** The names in the core group for the fields of {@code events.k8s.io}. */
  private static final Map<String, String> CORE_NAMES =
      Map.of(
          "regarding", "involvedObject",
          "note", "message",
          "reportingController", "reportingComponent",
          "deprecatedSource", "source",
          "deprecatedFirstTimestamp", "firstTimestamp",
          "deprecatedLastTimestamp", "lastTimestamp",
          "deprecatedCount", "count");

  private EventCells() {}

  /** Makes a column for events of the core group work for both groups. */
  static Column forBothGroups(Column column) {
    return new Column(
        column.name(),
        column.type(),
        column.format(),
        column.description(),
        column.priority(),
        (event, now) -> column.cell().of(toCore(event), now));
  }

  private static Map<String, Object> toCore(Map<String, Object> event) {
    Map<String, Object> core = new HashMap<>();
    event.forEach((name, value) -> core.put(CORE_NAMES.getOrDefault(name, name), value));
    return core;
  }

  static String lastSeen(Map<String, Object> event, Instant now) {
    if (event.get("series") != null) {
      return since(JsonTree.string(event, "series", "lastObservedTime"), now);
    }
    String last = JsonTree.string(event, "lastTimestamp");
    return last.isEmpty() ? firstSeen(event, now) : since(last, now);
  }

  static String firstSeen(Map<String, Object> event, Instant now) {
    String first = JsonTree.string(event, "firstTimestamp");
    return since(first.isEmpty() ? JsonTree.string(event, "eventTime") : first, now);
  }

  private static String since(String time, Instant now) {
    return time.isEmpty() ? Cells.UNKNOWN : Cells.since(time, now);
  }

  static long count(Map<String, Object> event) {
    if (event.get("series") != null) {
      return Cells.number(event, "series.count", 0);
    }
    return Math.max(1, Cells.number(event, "count", 1));
  }

  static String object(Map<String, Object> event) {
    String kind = JsonTree.string(event, "involvedObject", "kind").toLowerCase(Locale.ROOT);
    String name = JsonTree.string(event, "involvedObject", "name");
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  static String source(Map<String, Object> event) {
    String component = JsonTree.string(event, "source", "component");
    String host = JsonTree.string(event, "source", "host");
    String who = component.isEmpty() ? JsonTree.string(event, "reportingComponent") : component;
    String where = host.isEmpty() ? JsonTree.string(event, "reportingInstance") : host;
    return where.isEmpty() ? who : who + ", " + where;
  }
}
