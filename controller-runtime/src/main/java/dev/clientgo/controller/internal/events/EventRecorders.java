package dev.clientgo.controller.internal.events;

import dev.clientgo.apimachinery.validation.NameRule;
import dev.clientgo.events.EventBroadcaster;
import dev.clientgo.events.EventRecorder;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.LeaseLock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The event recorders of a manager's controllers.
 *
 * <p>Corresponds to controller-runtime's {@code recorder.Provider}.
 */
public final class EventRecorders {

  private static final Logger LOG = System.getLogger("dev.clientgo.controller.Manager");

  /** How many characters the name of a component may have. */
  private static final int MAX_NAME = 63;

  private static final Duration TIMEOUT = Duration.ofSeconds(EventBroadcaster.CLOSE_SECONDS);

  private final Function<String, EventRecorder> recorders;

  /** Null if the recorders are the caller's. */
  private final @Nullable EventBroadcaster broadcaster;

  private EventRecorders(
      Function<String, EventRecorder> recorders, @Nullable EventBroadcaster broadcaster) {
    this.recorders = recorders;
    this.broadcaster = broadcaster;
  }

  /** Returns the recorders that the function makes by the name of a component. */
  public static EventRecorders of(Function<String, EventRecorder> recorders) {
    return new EventRecorders(recorders, null);
  }

  /** Returns the recorders of a broadcaster, which {@link #close} closes. */
  public static EventRecorders of(EventBroadcaster broadcaster) {
    return new EventRecorders(broadcaster::recorder, broadcaster);
  }

  /** Returns the recorder of a component, such as a controller. */
  public EventRecorder recorder(String component) {
    return recorders.apply(qualified(component));
  }

  /** Returns the recorder of an election's events. */
  public BiConsumer<Lease, String> ofLease(LeaseLock lease) {
    EventRecorder events = recorder(lease.name());
    return (object, message) -> events.normal(object, "LeaderElection", "LeaderElection", message);
  }

  /** Returns a name that the server accepts: dashes stand for characters that it refuses. */
  private static String qualified(String component) {
    if (NameRule.LABEL_KEY.accepts(component)) {
      return component;
    }
    String name = component.replaceAll("[^A-Za-z0-9._-]", "-");
    name = name.substring(0, Math.min(name.length(), MAX_NAME));
    name = name.replaceAll("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$", "");
    return name.isEmpty() ? "controller" : name;
  }

  /** Sends the events that are on their way, for that long and 5 s at most. */
  public void close(Duration timeout) {
    Duration time = timeout.compareTo(TIMEOUT) < 0 ? timeout : TIMEOUT;
    if (broadcaster != null && !broadcaster.close(time)) {
      LOG.log(Level.WARNING, "Events were lost at the end: stats={0}", broadcaster.stats());
    }
  }
}
