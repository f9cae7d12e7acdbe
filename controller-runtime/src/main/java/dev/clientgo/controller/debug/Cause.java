package dev.clientgo.controller.debug;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ObjectName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reason why a request was added to the queue of a controller. */
public sealed interface Cause {

  /** Returns when the request was added. */
  Instant time();

  /** The kinds of events. */
  enum EventType {
    /** The object was in the first list. */
    INITIAL_LIST("initial list"),

    /** The object was created, or is new in a later list. */
    ADDED("add"),

    /** The object was changed. */
    UPDATED("update"),

    /** The informer repeats an object that was not changed. */
    RESYNC("resync"),

    /** The object was deleted. */
    DELETED("delete");

    private final String text;

    EventType(String text) {
      this.text = text;
    }

    /** Returns the name for people: {@code initial list}. */
    @Override
    public String toString() {
      return text;
    }
  }

  /**
   * An event of an object that the controller watches.
   *
   * @param type the kind of event
   * @param resource the resource of the object, such as {@code deployments.apps}
   * @param object the name of the object, which may differ from that of the request
   * @param oldVersion the resourceVersion before; null for a new object
   * @param version the resourceVersion now, or the last known one of a deleted object; null if
   *     unknown
   * @param writtenBy the controller of this process whose write the event shows, {@code manager}
   *     for a write by the manager's own client; null if it shows no known write of this process
   * @param changes the fields that differ, in the order of the object, for {@link
   *     EventType#UPDATED}
   * @param otherChanges how many more fields differ, beyond the limit
   * @param changesKept whether the recorder could still tell the changes; false for all other types
   */
  record ObjectEvent(
      Instant time,
      EventType type,
      String resource,
      ObjectName object,
      @Nullable String oldVersion,
      @Nullable String version,
      @Nullable String writtenBy,
      List<FieldChange> changes,
      int otherChanges,
      boolean changesKept)
      implements Cause {

    public ObjectEvent {
      requireNonNull(time, "time");
      requireNonNull(type, "type");
      requireNonNull(resource, "resource");
      requireNonNull(object, "object");
      changes = List.copyOf(changes);
    }

    /** Returns the event in one line, and a line for each change below it. */
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      text.append(type).append(" of ").append(resource).append(' ').append(object);
      if (type == EventType.UPDATED) {
        text.append(", version ").append(oldVersion).append(" -> ").append(version);
      } else if (version != null) {
        text.append(", version ").append(version);
      }
      if (writtenBy != null) {
        text.append(", own write of ").append(writtenBy);
      }
      changes.forEach(change -> text.append("\n  ").append(change));
      if (otherChanges > 0) {
        text.append("\n  and ").append(otherChanges).append(" more fields");
      } else if (type == EventType.UPDATED && !changesKept) {
        text.append(" (its fields are no longer kept)");
      }
      return text.toString();
    }
  }

  /**
   * The last reconcile has failed.
   *
   * @param failures how often in a row it has failed
   */
  record Retry(Instant time, int failures) implements Cause {
    @Override
    public String toString() {
      return "retry after failure " + failures;
    }
  }

  /**
   * The last reconcile asked for a reconcile after a delay. An event may have come before the delay
   * was over.
   *
   * @param delay the delay that it asked for
   */
  record RequeueAfter(Instant time, Duration delay) implements Cause {
    @Override
    public String toString() {
      return "requeueAfter(" + delay + ")";
    }
  }

  /** The program has called {@code Controller.enqueue}. */
  record Enqueued(Instant time) implements Cause {
    @Override
    public String toString() {
      return "enqueue";
    }
  }
}
