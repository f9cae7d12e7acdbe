package dev.clientgo.controller.internal.debug;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.debug.Cause;
import dev.clientgo.controller.debug.Cause.EventType;
import dev.clientgo.controller.debug.Cause.ObjectEvent;
import dev.clientgo.controller.internal.diff.FieldDiff;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event as the recorder keeps it: a few references, because a busy informer has 100,000 events a
 * second. {@link ReconcileHistory} guards the fields that change.
 */
final class RecordedEvent implements RecordedCause {

  private final Instant time;
  private final EventType type;
  final ResourceType<?> resource;
  private final ObjectName object;
  private final @Nullable String oldVersion;
  private final @Nullable String version;

  /** Identifies the write that this event may show. */
  final @Nullable String write;

  /** Null unless it is an update whose states are still kept. */
  private volatile @Nullable ObjectStates<?> states;

  private volatile @Nullable String writtenBy;

  private RecordedEvent(
      Instant time,
      EventType type,
      ResourceType<?> resource,
      ObjectName object,
      @Nullable KubernetesObject before,
      @Nullable KubernetesObject after,
      @Nullable ObjectStates<?> states) {
    this.time = time;
    this.type = type;
    this.resource = resource;
    this.object = object;
    this.oldVersion = before == null ? null : before.metadata().resourceVersion();
    this.version = after == null ? oldVersion : after.metadata().resourceVersion();
    // The version of a deletion is not in its response, so deletions are known by the uid.
    this.write = after != null ? version : before == null ? null : before.metadata().uid();
    this.states = states;
  }

  /**
   * Returns an event.
   *
   * @param before the old state, null for a new object
   * @param after the new state, null for a deleted object
   */
  static <T extends KubernetesObject> RecordedEvent of(
      Instant time,
      EventType type,
      ResourceType<T> resource,
      ObjectName object,
      @Nullable T before,
      @Nullable T after,
      boolean keepStates) {
    ObjectStates<T> states = null;
    if (keepStates && type == EventType.UPDATED && before != null && after != null) {
      states = new ObjectStates<>(resource, before, after);
    }
    return new RecordedEvent(time, type, resource, object, before, after, states);
  }

  boolean hasStates() {
    return states != null;
  }

  void dropStates() {
    states = null;
  }

  void writtenBy(String writer) {
    writtenBy = writer;
  }

  @Override
  public Cause read(boolean withChanges) {
    ObjectStates<?> kept = withChanges ? states : null;
    FieldDiff diff = kept == null ? null : kept.diff();
    return new ObjectEvent(
        time,
        type,
        resource.toString(),
        object,
        oldVersion,
        version,
        writtenBy,
        diff == null ? List.of() : diff.changes(),
        diff == null ? 0 : diff.others(),
        diff != null);
  }
}
