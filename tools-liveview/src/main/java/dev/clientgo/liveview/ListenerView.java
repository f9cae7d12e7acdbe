package dev.clientgo.liveview;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The buffer of one listener and the call of its handler. Not safe for use by many threads. */
final class ListenerView {

  private record Pending(long number, String what, String key) {
    Map<String, Object> tree() {
      return Map.of("number", number, "what", what, "key", key);
    }
  }

  private final ArrayDeque<Pending> buffer = new ArrayDeque<>();
  private @Nullable Pending current;
  private long notified;
  private long calls;
  private long failures;

  void notified(String change, String key) {
    buffer.addLast(new Pending(++notified, change, key));
  }

  void delivering() {
    current = buffer.pollFirst();
  }

  void delivered(boolean failed) {
    current = null;
    calls++;
    if (failed) {
      failures++;
    }
  }

  Map<String, Object> tree(String name) {
    Map<String, Object> tree = new LinkedHashMap<>();
    int handler = name.indexOf(" handler ");
    tree.put("name", handler < 0 ? name : name.substring(handler + " handler ".length()));
    tree.put("size", buffer.size());
    List<Object> shown = new ArrayList<>();
    buffer.stream().limit(InformerView.SHOWN).forEach(pending -> shown.add(pending.tree()));
    tree.put("items", shown);
    tree.put("current", current == null ? Map.of() : current.tree());
    tree.put("calls", calls);
    tree.put("failures", failures);
    return tree;
  }
}
