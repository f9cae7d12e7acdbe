package dev.clientgo.conformance;

import dev.clientgo.conformance.ScriptedServer.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a client has printed: the calls of its handler, applied to an empty map, and its reports.
 */
final class ClientRecord {

  /** An object as a client shows it. */
  record Shown(String uid, long version, String value) {

    static Shown of(Item item) {
      return new Shown(item.uid(), item.version(), item.value());
    }

    private static Shown of(JsonNode line) {
      return new Shown(
          line.path("uid").asString(""),
          line.path("version").asLong(0),
          line.path("value").asString(""));
    }

    @Override
    public String toString() {
      String shortValue =
          value.length() <= 12 ? value : value.substring(0, 9) + "… (" + value.length() + ")";
      return shortValue + "@" + version;
    }
  }

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final List<JsonNode> events = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final Map<String, Shown> handled = new TreeMap<>();
  private final BlockingQueue<Map<String, Shown>> stores = new LinkedBlockingQueue<>();
  private @Nullable String report;
  private boolean isUnhealthy;
  private boolean mayGoBack;

  /** Takes a line of the client. */
  synchronized void accept(String line) {
    if (!line.startsWith("{")) {
      return; // A log that a client writes to standard output.
    }
    JsonNode json = MAPPER.readTree(line);
    if (json.has("report")) {
      report = json.path("report").asString();
    } else if (json.has("store")) {
      Map<String, Shown> store = new TreeMap<>();
      json.path("store")
          .forEach(object -> store.put(object.path("name").asString(), Shown.of(object)));
      isUnhealthy = json.has("health");
      stores.add(store);
    } else if (json.has("event")) {
      events.add(json);
      apply(json.path("event").asString(), json.path("name").asString(), Shown.of(json));
    }
  }

  private void apply(String event, String name, Shown object) {
    boolean isKnown = handled.containsKey(name);
    if (event.equals("add") == isKnown) {
      violations.add(
          "the handler gets "
              + event
              + " of "
              + name
              + ", which it "
              + (isKnown ? "has" : "does not have"));
    }
    if (event.equals("delete")) {
      handled.remove(name);
      return;
    }
    Shown old = handled.put(name, object);
    if (old != null && object.version() < old.version() && !mayGoBack) {
      violations.add("the handler goes back from " + name + "=" + old + " to " + object);
    }
  }

  /** From now on versions may go back, because the server's have. */
  synchronized void allowOlderVersions() {
    mayGoBack = true;
  }

  /** Returns whether an answer to {@code store} waits. */
  boolean hasAnswered() {
    return !stores.isEmpty();
  }

  /** Returns the next answer to {@code store}; empty if none comes. */
  Optional<Map<String, Shown>> awaitStore() throws InterruptedException {
    return Optional.ofNullable(stores.poll(2, TimeUnit.SECONDS));
  }

  /** Returns the objects that exist according to the calls of the handler. */
  synchronized Map<String, Shown> handled() {
    return new TreeMap<>(handled);
  }

  synchronized boolean hasEvent(Predicate<JsonNode> matches) {
    return events.stream().anyMatch(matches);
  }

  /** Returns the first call that contradicts those before it. */
  synchronized Optional<String> violation() {
    return violations.stream().findFirst();
  }

  /** Returns whether the client has reported an error, or its record of health has one now. */
  synchronized boolean saysThatSomethingIsWrong() {
    return report != null || isUnhealthy;
  }

  /** Returns what the client has reported last; empty if nothing. */
  synchronized Optional<String> report() {
    return Optional.ofNullable(report);
  }
}
