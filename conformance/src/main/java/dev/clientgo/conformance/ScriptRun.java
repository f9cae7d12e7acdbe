package dev.clientgo.conformance;

import dev.clientgo.conformance.ClientRecord.Shown;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One run of a script with one client; {@code scripts/README.md} has the language. */
final class ScriptRun {

  /** The result of a run, with one line of evidence unless it is passed. */
  record Result(Outcome outcome, String evidence) {}

  /** Whether a client does what a script demands. */
  enum Outcome {
    PASSED,
    FAILED,
    NOT_APPLICABLE
  }

  private static final class Ended extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Outcome outcome;

    Ended(Outcome outcome, String evidence) {
      super(evidence);
      this.outcome = outcome;
    }
  }

  /** How many times as long as a script says to wait, on a busy machine. */
  private static final int PATIENCE = Integer.getInteger("conformance.patience", 1);

  private final Script script;
  private final Client.Launcher launcher;
  private final ScriptedServer server;
  private final ClientRecord record = new ClientRecord();
  private final List<String> options = new ArrayList<>();
  private @Nullable Client client;

  private ScriptRun(Script script, Client.Launcher launcher, ScriptedServer server) {
    this.script = script;
    this.launcher = launcher;
    this.server = server;
  }

  /** Runs a script. */
  static Result run(Script script, Client.Launcher launcher)
      throws IOException, InterruptedException {
    try (ScriptedServer server = new ScriptedServer()) {
      ScriptRun run = new ScriptRun(script, launcher, server);
      try {
        for (String line : script.steps()) {
          run.line(line);
        }
        run.requireConsistentCalls();
        return new Result(Outcome.PASSED, "");
      } catch (Ended e) {
        return new Result(e.outcome, String.valueOf(e.getMessage()));
      } finally {
        if (run.client != null) {
          run.client.close();
        }
      }
    }
  }

  private void line(String line) throws IOException, InterruptedException {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "client" -> options.add(words[1]);
      case "slow" -> {}
      case "start" -> start();
      case "synced" -> awaitSynced(words.length > 2 ? Integer.parseInt(words[2]) : 30);
      case "pause" -> Thread.sleep(Duration.ofSeconds(Long.parseLong(words[1])).toMillis());
      case "watching" ->
          await(30, () -> server.openWatches() > 0, () -> "the client does not watch");
      case "wait" -> awaitRequests(Integer.parseInt(words[1]), Fault.Target.of(words[2]));
      case "expect" -> expect(words);
      case "needs" -> require(line.substring("needs ".length()));
      default -> {
        synchronized (server) { // The steps of one line happen at one moment.
          for (String step : line.split("; *", -1)) {
            serverStep(step);
          }
        }
      }
    }
  }

  // ---- the server

  private void serverStep(String step) throws IOException {
    String[] words = step.split(" ", -1);
    switch (words[0]) {
      case "put" -> assignments(step).forEach(server::put);
      case "delete" -> server.delete(words[1]);
      case "break" -> server.breakItem(words[1]);
      case "recreate" ->
          assignments(step)
              .forEach(
                  (name, value) -> {
                    server.delete(name);
                    server.put(name, value);
                  });
      case "reverse" -> {
        record.allowOlderVersions(); // First, for the client may be fast.
        server.putReversed(words[1], words[2], words[3]);
      }
      case "repeat" -> server.repeat();
      case "bookmark" -> server.sendBookmark();
      case "error-event" -> server.sendError(Integer.parseInt(words[1]));
      case "forget" -> server.forget();
      case "restore" -> {
        record.allowOlderVersions();
        server.restore(assignments(step));
      }
      case "cut" -> server.cutWatches();
      case "end" -> server.endWatches();
      case "silence" -> server.silenceWatches();
      case "down" -> server.goDown();
      case "up" -> server.comeUp();
      case "next" -> addFault(words, step);
      case "heal" -> server.removeFaults();
      case "pages" -> server.limitPages(Integer.parseInt(words[1]));
      case "no-streaming-lists" -> server.refuseStreamingLists();
      case "unknown-fields" -> server.addUnknownFields();
      case "gzip" -> server.compress();
      case "trickle" -> server.trickle();
      default -> throw new IllegalArgumentException(script.name() + ": no such step: " + step);
    }
  }

  /** Reads {@code put a=1 b=x*1000}. */
  private static Map<String, String> assignments(String step) {
    Map<String, String> values = new TreeMap<>();
    for (String word : step.split(" ", -1)) {
      String[] parts = word.split("=", 2);
      if (parts.length == 2) {
        String[] repeated = parts[1].split("\\*", 2);
        values.put(
            parts[0],
            repeated.length == 1 ? parts[1] : repeated[0].repeat(Integer.parseInt(repeated[1])));
      }
    }
    return values;
  }

  /** Reads {@code next 2 lists: status 500}. */
  private void addFault(String[] words, String step) {
    String fault = step.substring(step.indexOf(": ") + 2);
    String kind = words[2].replace(":", "");
    server.add(Fault.parse(Fault.Target.of(kind), Integer.parseInt(words[1]), fault));
  }

  // ---- the client

  private void start() throws InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(server.url());
    arguments.addAll(options);
    client = launcher.start(arguments, record::accept);
    client().send("store");
    await(120, record::hasAnswered, () -> "the program has not started"); // Cold JVMs are slow.
    record.awaitStore();
  }

  private void awaitSynced(int seconds) throws InterruptedException {
    await(
        seconds,
        () ->
            differs(storeOfClient(), "the store has ") == null
                && differs(record.handled(), "") == null,
        () -> {
          String store = differs(storeOfClient(), "the store has ");
          return store != null ? store : differs(record.handled(), "the handler's calls make ");
        });
  }

  private Map<String, Shown> storeOfClient() {
    requireAlive();
    try {
      client().send("store");
      return record.awaitStore().orElseGet(Map::of);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Ended(Outcome.FAILED, "interrupted");
    }
  }

  /** Returns how a view of the objects differs from the server; null if it does not. */
  private @Nullable String differs(Map<String, Shown> view, String subject) {
    Map<String, Shown> expected = new TreeMap<>();
    Map<String, Shown> actual = new TreeMap<>(view);
    server
        .items()
        .forEach(
            (name, item) -> {
              if (item.isBroken()) {
                actual.remove(name); // The last good state, or nothing.
              } else {
                expected.put(name, Shown.of(item));
              }
            });
    return actual.equals(expected) ? null : subject + actual + ", the server " + expected;
  }

  private void awaitRequests(int count, Fault.Target target) throws InterruptedException {
    await(
        30,
        () -> server.requests(target) >= count,
        () -> "sends " + server.requests(target) + " of " + count + " requests of kind " + target);
  }

  private void expect(String[] words) throws InterruptedException {
    String what = String.join(" ", words);
    switch (words[1]) {
      case "report" -> await(10, () -> reports(), () -> "reports nothing to the program");
      case "update" -> { // expect update a 1->2
        String[] values = words[3].split("->", -1);
        awaitCall(
            words,
            call ->
                call.path("oldValue").asString().equals(values[0])
                    && call.path("value").asString().equals(values[1]),
            "the handler gets no update of %s from %s to %s"
                .formatted(words[2], values[0], values[1]));
      }
      case "resync" ->
          awaitCall(
              new String[] {"expect", "update", words[2]},
              call -> call.path("oldVersion").equals(call.path("version")),
              "the handler gets no resync of " + words[2]);
      case "delete" -> // expect delete a unknown
          awaitCall(
              words,
              call -> call.path("finalStateUnknown").asBoolean() == words.length > 3,
              "the handler is not told that "
                  + words[2]
                  + " was deleted"
                  + (words.length > 3 ? " in an unknown state" : ""));
      default -> throw new IllegalArgumentException(script.name() + ": no such step: " + what);
    }
  }

  /** Waits for a call of the handler: the second word is its kind, the third the object. */
  private void awaitCall(String[] words, Predicate<JsonNode> matches, String evidence)
      throws InterruptedException {
    await(
        10,
        () ->
            record.hasEvent(
                call ->
                    call.path("event").asString().equals(words[1])
                        && call.path("name").asString().equals(words[2])
                        && matches.test(call)),
        () -> evidence);
  }

  private boolean reports() {
    storeOfClient(); // Its answer has the health.
    return record.saysThatSomethingIsWrong();
  }

  private void require(String what) {
    boolean isThere =
        switch (what) {
          case "streaming-lists" -> server.requests(Fault.Target.STREAMING_LIST) > 0;
          case "pages" -> server.hasUsedPages();
          case "gzip" -> server.hasUsedGzip();
          default -> throw new IllegalArgumentException(script.name() + ": no such need: " + what);
        };
    if (!isThere) {
      throw new Ended(Outcome.NOT_APPLICABLE, "does not ask for " + what.replace('-', ' '));
    }
  }

  private void requireConsistentCalls() {
    record
        .violation()
        .ifPresent(
            violation -> {
              throw new Ended(Outcome.FAILED, violation);
            });
  }

  private void requireAlive() {
    client()
        .death()
        .ifPresent(
            death -> {
              throw new Ended(Outcome.FAILED, "the process has ended: " + death);
            });
  }

  private Client client() {
    if (client == null) {
      throw new IllegalStateException(script.name() + " does not start the client");
    }
    return client;
  }

  private void await(int seconds, BooleanSupplier condition, Supplier<String> evidence)
      throws InterruptedException {
    int patience = seconds > 120 ? 1 : PATIENCE;
    long end = System.nanoTime() + Duration.ofSeconds(seconds).multipliedBy(patience).toNanos();
    while (!condition.getAsBoolean()) {
      requireAlive();
      if (System.nanoTime() > end) {
        String reported = record.report().map(text -> "; it reports: " + text).orElse("");
        throw new Ended(
            Outcome.FAILED, "after " + seconds * patience + " s " + evidence.get() + reported);
      }
      Thread.sleep(50);
    }
  }
}
