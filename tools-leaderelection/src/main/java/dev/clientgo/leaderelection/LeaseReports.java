package dev.clientgo.leaderelection;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.Step.Answer;
import dev.clientgo.leaderelection.Step.Request;
import org.jspecify.annotations.Nullable;

/** Writes log, metrics and events of one candidate. */
final class LeaseReports {

  private static final System.Logger LOGGER = System.getLogger(LeaderElector.class.getName());

  private final ElectionSettings settings;
  private final String name;
  private final LeaderElectionMetrics metrics;
  private final LeaseEventRecorder events;

  /** The last failure in a row, which is not logged as a warning again. */
  private String lastFailure = "";

  LeaseReports(
      ElectionSettings settings,
      String name,
      LeaderElectionMetrics metrics,
      LeaseEventRecorder events) {
    this.settings = settings;
    this.name = name;
    this.metrics = metrics;
    this.events = events;
  }

  /** Reports whether this process leads. */
  void leading(boolean leads) {
    guarded(() -> metrics.leading(name, leads));
  }

  /** Reports that the leader reads the Lease before it renews it. */
  void slowPath() {
    guarded(() -> metrics.slowPathExercised(name));
  }

  /** Records an event about the Lease. */
  void event(@Nullable Lease lease, String what) {
    LOGGER.log(
        INFO,
        "Leader election. lease={0} identity={1}: {2}",
        settings.lock(),
        settings.identity(),
        what);
    if (lease != null) {
      String message = settings.identity() + ' ' + what;
      guarded(() -> events.record(lease, "Normal", "LeaderElection", message));
    }
  }

  /** Logs why a term has ended. */
  void ended(String reason) {
    LOGGER.log(
        INFO,
        "Leader election. lease={0} identity={1}: the term has ended: {2}",
        settings.lock(),
        settings.identity(),
        reason);
  }

  /** Logs that a request has failed. */
  void failed(Request request, Answer answer) {
    boolean usual = !(answer instanceof Answer.Failed);
    String failure = usual ? answer.toString() : ((Answer.Failed) answer).error().toString();
    boolean loud = !usual && !failure.equals(lastFailure);
    lastFailure = usual ? lastFailure : failure;
    LOGGER.log(
        loud ? WARNING : DEBUG,
        "A request of the leader election has failed. lease={0} identity={1} request={2} error={3}",
        settings.lock(),
        settings.identity(),
        request.getClass().getSimpleName(),
        failure);
  }

  /** Ends a row of equal failures. */
  void succeeded() {
    lastFailure = "";
  }

  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOGGER.log(WARNING, "Metrics or events of the leader election have failed.", e);
    }
  }
}
