package dev.clientgo.leaderelection;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Writes log, metrics and events of one candidate. */
final class LeaseReports {

  static final System.Logger LOG = System.getLogger("dev.clientgo.leaderelection.LeaderElector");

  /** Stands for the election itself among the callbacks. */
  static final String ELECTION = "election";

  private final ElectionSettings settings;
  private final String name;
  private final LeaderElectionMetrics metrics;
  private final BiConsumer<Lease, String> events;
  private final Clock clock;

  /** Failures of requests in a row. */
  private final CrashLog requests = new CrashLog(LOG);

  /** Failures in a row of each callback, and of the election itself. */
  private final Map<String, CrashLog> callbacks = new ConcurrentHashMap<>();

  /** Since when all requests fail before they reach the server; null if they do not. */
  private volatile @Nullable Long brokenSince;

  LeaseReports(
      ElectionSettings settings,
      String name,
      LeaderElectionMetrics metrics,
      BiConsumer<Lease, String> events,
      Clock clock) {
    this.settings = settings;
    this.name = name;
    this.metrics = metrics;
    this.events = events;
    this.clock = clock;
  }

  /** Reports whether this process leads. */
  void leading(boolean leads) {
    guarded("metrics", () -> metrics.leading(name, leads));
  }

  /** Reports that the leader reads the Lease before it renews it. */
  void slowPath() {
    guarded("metrics", () -> metrics.slowPathExercised(name));
  }

  /** Records an event about the Lease. */
  void event(@Nullable Lease lease, String what) {
    log(INFO, "Leadership has changed", "event=" + what);
    if (lease != null) {
      String message = settings.identity() + ' ' + what;
      guarded("events", () -> events.accept(lease, message));
    }
  }

  /** Logs why a term has ended. */
  void ended(String reason) {
    log(INFO, "The term of a leader has ended", "reason=" + reason);
  }

  /** A logger that fails must not keep the work of a leader from its begin or its end. */
  private void log(Level level, String sentence, String more) {
    guarded("log", () -> LOG.log(level, sentence + ": " + about() + ' ' + more));
  }

  /** Reports that a request has failed. */
  void failed(LeaseRequest request, Answer answer) {
    String kind = request.getClass().getSimpleName();
    if (!(answer instanceof Answer.Failed failed)) {
      log(DEBUG, "The Lease has changed or is not there", "request=" + kind);
      succeeded(); // The server has answered.
      return;
    }
    Throwable error = failed.error();
    boolean sent =
        error instanceof ApiStatusException
            || error instanceof TransportException
            || error instanceof TimeoutException;
    brokenSince = sent ? null : brokenSince == null ? Long.valueOf(clock.nanoTime()) : brokenSince;
    boolean forbidden = error instanceof ApiStatusException status && status.isForbidden();
    String remedy =
        forbidden
            ? "; grant the verbs get, create and update on leases.coordination.k8s.io in the"
                + " namespace "
                + settings.lock().namespace()
            : "";
    String what = about() + " request=" + kind + remedy;
    requests.failed("A request of the leader election has failed: " + what, error);
    guarded("metrics", () -> metrics.failed(name));
  }

  /** Ends a row of errors of the election itself, which has completed an attempt. */
  void attempted() {
    crashes(ELECTION).succeeded();
  }

  /** Ends a row of failed requests. */
  void succeeded() {
    brokenSince = null;
    requests.succeeded();
  }

  /** Runs a callback, and reports what it throws. */
  void guarded(String callback, Runnable call) {
    try {
      call.run();
      crashes(callback).succeeded();
    } catch (Throwable e) {
      crashed(callback, e);
    }
  }

  /** Reports what a callback, or the election itself, has thrown. */
  void crashed(String callback, Throwable error) {
    crashes(callback)
        .failed(
            "A callback of a leader election has failed: callback=" + callback + ' ' + about(),
            error);
    if (!callback.equals("metrics")) {
      guarded("metrics", () -> metrics.failed(name));
    }
  }

  /** Returns why this candidate cannot take the Lease; empty if its requests succeed. */
  Optional<String> problem() {
    return requests.problem();
  }

  /**
   * Returns what a restart of the process may mend: requests that have not reached the server for
   * longer than a time, or a callback that fails again and again.
   */
  Optional<String> broken(Duration longest) {
    Long since = brokenSince;
    if (since != null && clock.nanoTime() - since > longest.toNanos()) {
      return requests.problem();
    }
    return callbacks.values().stream().map(CrashLog::problem).flatMap(Optional::stream).findFirst();
  }

  private CrashLog crashes(String callback) {
    return callbacks.computeIfAbsent(callback, key -> new CrashLog(LOG));
  }

  private String about() {
    return "lease=" + settings.lock() + " identity=" + settings.identity();
  }
}
