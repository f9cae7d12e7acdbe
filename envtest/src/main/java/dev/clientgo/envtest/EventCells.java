package dev.clientgo.envtest;

import java.time.Instant;
import java.util.Locale;
import java.util.Map;

/** What tables say of events, of which there are an older and a newer form. */
final class EventCells {

  private EventCells() {}

  static String lastSeen(Map<String, Object> event, Instant now) {
    if (event.get("series") != null) {
      return since(Tree.string(event, "series", "lastObservedTime"), now);
    }
    String last = Tree.string(event, "lastTimestamp");
    return last.isEmpty() ? firstSeen(event, now) : since(last, now);
  }

  static String firstSeen(Map<String, Object> event, Instant now) {
    String first = Tree.string(event, "firstTimestamp");
    return since(first.isEmpty() ? Tree.string(event, "eventTime") : first, now);
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
    String kind = Tree.string(event, "involvedObject", "kind").toLowerCase(Locale.ROOT);
    String name = Tree.string(event, "involvedObject", "name");
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  static String source(Map<String, Object> event) {
    String component = Tree.string(event, "source", "component");
    String host = Tree.string(event, "source", "host");
    String who = component.isEmpty() ? Tree.string(event, "reportingComponent") : component;
    String where = host.isEmpty() ? Tree.string(event, "reportingInstance") : host;
    return where.isEmpty() ? who : who + ", " + where;
  }
}
