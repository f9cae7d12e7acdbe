package dev.clientgo.events.correlation;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.kubernetes.core.v1.Event;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What to send to the server for an event. Immutable. Corresponds to client-go's {@code
 * record.EventCorrelateResult}.
 */
public final class CorrelatedEvent {

  private final Event event;
  private final @Nullable Patch patch;

  CorrelatedEvent(Event event, @Nullable Patch patch) {
    this.event = requireNonNull(event, "event");
    this.patch = patch;
  }

  /** Returns the event as it should be on the server. */
  public Event event() {
    return event;
  }

  /**
   * Returns the strategic merge patch of an event that should already be there; empty if the event
   * is new. If the event is not there, create it.
   */
  public Optional<Patch> patch() {
    return Optional.ofNullable(patch);
  }

  @Override
  public String toString() {
    return (patch == null ? "create " : "patch ") + event;
  }
}
