package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.apply.AppliedConfigurations;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.internal.cache.Scopes;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.internal.incident.IncidentFile;
import dev.clientgo.controller.internal.incident.ReplayServer;
import dev.clientgo.controller.internal.incident.ReplayTape;
import dev.clientgo.controller.internal.incident.TreeComparison;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.events.FakeRecorder;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Repeats an incident of an {@link IncidentRecorder} without a server: calls the real reconcilers
 * on what they received, in the thread of the caller, and compares what they write.
 *
 * <pre>{@code
 * try (IncidentReplay replay = IncidentReplay.of(Path.of("incident.bin"), controller)) {
 *   replay.assertSame();
 *   replay.run(17); // In a debugger, step by step.
 * }
 * }</pre>
 *
 * <p>The reconciles run one after the other, in the order in which they began. Each ends at the
 * first write that differs in method, path, query or body, or at the first read that the recording
 * does not have. Two times are the same if each is that of its own reconcile. Events that the
 * reconciler writes are not compared. State that it keeps in memory begins empty. Not safe for use
 * by many threads.
 */
public final class IncidentReplay implements AutoCloseable {

  /** How the replay of a reconcile has ended. */
  public enum Outcome {
    /** It has written the same, and ended in the same way. */
    SAME,
    /** It differs. */
    DIFFERENT,
    /** The recording does not have all of it, or there is no controller of its name. */
    NOT_REPLAYABLE
  }

  /**
   * The replay of a reconcile.
   *
   * @param number its number in the incident, from 1
   * @param message the first difference, or why it cannot be replayed; empty if it is the same
   */
  public record Replayed(
      int number, String controller, Request request, Outcome outcome, String message) {

    /** Returns it in one line. */
    @Override
    public String toString() {
      return "reconcile #%d of %s %s: %s %s"
          .formatted(number, controller, request, outcome, message);
    }
  }

  private final List<Map<String, Object>> reconciles;
  private final IncidentFile file;
  private final Map<String, ControllerOptions> controllers = new HashMap<>();
  private final ReplayServer server = new ReplayServer();
  private final RESTClient rest = server.client();
  private final ClientScope scope = scope(rest);

  private IncidentReplay(IncidentFile file, Controller... controllers) {
    this.file = file;
    reconciles =
        file.reconciles().stream()
            .sorted(Comparator.comparing(each -> Instant.parse(text(each, "start"))))
            .toList();
    for (Controller controller : controllers) {
      this.controllers.put(controller.name(), controller.options());
    }
  }

  /**
   * Reads an incident.
   *
   * @param controllers as the program builds them, not started
   * @throws IOException if it is no incident, of another version, not complete, or damaged
   */
  public static IncidentReplay of(Path incident, Controller... controllers) throws IOException {
    try (InputStream in = Files.newInputStream(incident)) {
      return new IncidentReplay(IncidentFile.read(in), controllers);
    }
  }

  /** Returns the part of a client that the tape leaves unused, but for notes of own writes. */
  private static ClientScope scope(RESTClient rest) {
    Clock clock = Clock.system();
    return new ClientScope(
        new Informers(
            Clientset.of(rest),
            factory -> {},
            MetricsRegistry.none(),
            clock,
            new Scopes(null, Map.of(), true)),
        type -> Scope.all(),
        null,
        Duration.ZERO,
        new AppliedConfigurations(() -> {}, () -> {}),
        new ControllerRecording<>(null, "replay", Request::objectName),
        new FightDetector(clock, (fight, object) -> {}));
  }

  /** Returns the number of reconciles. */
  public int size() {
    return reconciles.size();
  }

  /** Replays all reconciles. */
  public List<Replayed> run() {
    return IntStream.rangeClosed(1, size()).mapToObj(this::run).toList();
  }

  /** Replays one reconcile, from 1 to {@link #size}. */
  public Replayed run(int number) {
    Map<String, Object> recorded = reconciles.get(number - 1);
    String controller = text(recorded, "controller");
    Request request =
        new Request(text(recorded, "cluster"), text(recorded, "namespace"), text(recorded, "name"));
    ControllerOptions options = controllers.get(controller);
    if (options == null || !Boolean.TRUE.equals(recorded.get("complete"))) {
      String why = options == null ? "no such controller" : "the recording lacks a part of it";
      return new Replayed(number, controller, request, Outcome.NOT_REPLAYABLE, why);
    }
    Optional<String> difference = difference(recorded, request, options);
    Outcome outcome = difference.isPresent() ? Outcome.DIFFERENT : Outcome.SAME;
    return new Replayed(number, controller, request, outcome, difference.orElse(""));
  }

  private Optional<String> difference(
      Map<String, Object> recorded, Request request, ControllerOptions options) {
    Instant start = Instant.parse(text(recorded, "start"));
    Instant end = Instant.parse(text(recorded, "end"));
    ReplayTape tape =
        new ReplayTape(file, recorded, new TreeComparison(start, end, Clock.system().now()));
    server.set(tape);
    String result = "";
    Throwable error = null;
    try {
      Context context = context(recorded, request, options).on(tape);
      result = String.valueOf(options.reconciler().reconcile(request, context));
    } catch (Throwable e) {
      error = e;
    }
    Optional<String> other = difference(recorded, result, error);
    if (error instanceof InterruptedException && other.isPresent()) {
      Thread.currentThread().interrupt(); // It was not the recorded one.
    }
    Optional<String> difference = tape.end();
    return difference.isPresent() ? difference : other;
  }

  private Context context(
      Map<String, Object> recorded, Request request, ControllerOptions options) {
    String name = options.name();
    FakeRecorder events = FakeRecorder.create();
    return new Context(
        name,
        request,
        number(recorded, "reconcileId"),
        (int) number(recorded, "priority"),
        (int) number(recorded, "failures"),
        new Client(scope, rest, null, name, null),
        events,
        () -> {},
        ReconcilerCall.children(name, events, () -> {}, options.kind(), options.owned()),
        () -> 0);
  }

  /** Compares how a reconcile has ended; a delay may come from the time, so it is not compared. */
  private static Optional<String> difference(
      Map<String, Object> recorded, String result, @Nullable Throwable error) {
    Map<?, ?> thrown = recorded.get("error") instanceof Map<?, ?> map ? map : Map.of();
    String was = thrown.isEmpty() ? text(recorded, "result") : String.valueOf(thrown.get("class"));
    String is = error == null ? result : error.getClass().getName();
    boolean same =
        was.split(" PT", 2)[0].equals(is.split(" PT", 2)[0])
            || (error != null
                && String.valueOf(error.getMessage()).contains(ReplayTape.RECORDED + was));
    return same
        ? Optional.empty()
        : Optional.of("its end was %s, is %s".formatted(was, error == null ? is : error));
  }

  /**
   * Replays all.
   *
   * @throws AssertionError if there are none, or if some differ or cannot be replayed, with a line
   *     for each
   */
  public void assertSame() {
    if (reconciles.isEmpty()) {
      throw new AssertionError("there are no reconciles in the " + this);
    }
    List<Replayed> others = run().stream().filter(each -> each.outcome() != Outcome.SAME).toList();
    if (!others.isEmpty()) {
      throw new AssertionError(
          others.stream()
              .map(Replayed::toString)
              .collect(
                  Collectors.joining(
                      "\n",
                      others.size() + " of " + size() + " reconciles are not the same:\n",
                      "")));
    }
  }

  private static long number(Map<String, Object> recorded, String name) {
    return (Long) requireNonNull(recorded.get(name), name);
  }

  private static String text(Map<String, Object> recorded, String name) {
    return (String) requireNonNull(recorded.get(name), name);
  }

  /** Returns what the recorder has kept and missed. */
  @Override
  public String toString() {
    return "incident" + file.about();
  }

  @Override
  public void close() {
    scope.close();
    rest.close();
  }
}
