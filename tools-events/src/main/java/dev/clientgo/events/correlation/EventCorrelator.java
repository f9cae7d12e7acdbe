package dev.clientgo.events.correlation;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.clock.Clock;
import dev.clientgo.events.correlation.EventAggregator.Aggregated;
import dev.clientgo.events.correlation.EventLogger.Observed;
import dev.clientgo.kubernetes.core.v1.Event;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides for each event of {@code core/v1} whether it is created, counted on an event that is
 * there, combined with similar ones, or left out.
 *
 * <p>A recorder of {@code core/v1} uses it by itself. Never waits; safe for use by many threads.
 * Corresponds to client-go's {@code record.EventCorrelator}.
 */
public final class EventCorrelator {

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final EventAggregator aggregator;

  @GuardedBy("lock")
  private final EventLogger logger;

  @GuardedBy("lock")
  private final EventSourceObjectSpamFilter filter;

  private EventCorrelator(CorrelatorOptions options, Clock clock) {
    this.aggregator = new EventAggregator(options, clock);
    this.logger = new EventLogger(options);
    this.filter = new EventSourceObjectSpamFilter(options, clock);
  }

  /** Returns a correlator that has seen nothing. */
  public static EventCorrelator create(CorrelatorOptions options, Clock clock) {
    return new EventCorrelator(requireNonNull(options, "options"), requireNonNull(clock, "clock"));
  }

  /**
   * Takes an event into account, and returns what to send; empty if it is spam. Spam is counted,
   * too: the next event that passes carries the whole count.
   */
  public Optional<Result> correlate(Event event) {
    Observed observed;
    lock.lock();
    try {
      Aggregated aggregated = aggregator.aggregate(event);
      observed = logger.observe(aggregated.event(), aggregated.key());
      if (filter.isSpam(observed.event())) {
        return Optional.empty();
      }
    } finally {
      lock.unlock();
    }
    return Optional.of(
        new Result(
            observed.event(),
            observed.isRepetition() ? Optional.of(observed.patch()) : Optional.empty()));
  }

  /**
   * What to send to the server for an event. Immutable. Corresponds to client-go's {@code
   * record.EventCorrelateResult}.
   *
   * @param event the event as it should be on the server
   * @param patch the strategic merge patch of an event that should already be there; empty if the
   *     event is new. If the event is not there, create it.
   */
  public record Result(Event event, Optional<Patch> patch) {}
}
