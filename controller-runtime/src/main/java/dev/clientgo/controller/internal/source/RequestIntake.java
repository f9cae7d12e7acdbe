package dev.clientgo.controller.internal.source;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.controller.debug.Cause.EventType;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.internal.shards.RequestShards;
import dev.clientgo.workqueue.AddOptions;
import dev.clientgo.workqueue.PriorityQueue;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the requests of events and of the program into the queue of a controller, if they belong to
 * this replica. Safe for use by many threads.
 *
 * @param <R> the type of the requests
 */
public final class RequestIntake<R> {

  /**
   * Receives each change of an object that leads to requests.
   *
   * @param <R> the type of the requests
   */
  @FunctionalInterface
  public interface Changes<R> {
    void changed(
        Set<R> requests, @Nullable KubernetesObject before, @Nullable KubernetesObject after);
  }

  private static final AddOptions NORMAL = AddOptions.create();
  private static final AddOptions LOW = NORMAL.priority(PriorityQueue.LOW_PRIORITY);

  private final PriorityQueue<R> queue;
  private final ControllerRecording<R> recording;
  private final FightDetector fights;
  private final List<? extends Changes<R>> observers;

  /** Decides which requests belong to this replica; null if all do. */
  private final @Nullable RequestShards<R> shards;

  /**
   * Creates an instance.
   *
   * @param shards decides which requests belong to this replica; null if all do
   */
  public RequestIntake(
      PriorityQueue<R> queue,
      ControllerRecording<R> recording,
      FightDetector fights,
      List<? extends Changes<R>> observers,
      @Nullable RequestShards<R> shards) {
    this.queue = queue;
    this.recording = recording;
    this.fights = fights;
    this.observers = observers;
    this.shards = shards;
  }

  private boolean isOurs(R request) {
    return shards == null || shards.admits(request);
  }

  /** Adds a request that the program makes. */
  public void add(R request) {
    if (isOurs(request)) {
      recording.enqueued(request);
      fights.started(List.of(request), null);
      queue.add(request);
    }
  }

  /**
   * Adds the requests of an event, and removes those of other replicas from the set.
   *
   * @param before the old state, null for a new object
   * @param after the new state, null for a deleted object
   * @return whether there are any
   */
  <T extends KubernetesObject> boolean add(
      Set<R> requests,
      EventType event,
      ResourceType<T> type,
      ObjectName object,
      @Nullable T before,
      @Nullable T after) {
    requests.removeIf(request -> !isOurs(request));
    if (!requests.isEmpty()) {
      recording.event(requests, event, type, object, before, after);
      boolean urgent = event != EventType.INITIAL_LIST && event != EventType.RESYNC;
      fights.started(requests, urgent ? after : null);
      if (urgent) {
        observers.forEach(observer -> observer.changed(requests, before, after));
      }
      queue.addAll(requests, urgent ? NORMAL : LOW);
    }
    return !requests.isEmpty();
  }

  /** Notes a change of an object that is watched, and whether it has led to a reconcile. */
  <T extends KubernetesObject> void updated(
      ResourceType<T> type, T before, T after, boolean passed) {
    fights.updated(type, before, after, passed);
  }

  /** Remembers an object that the controller is for, and that was deleted. */
  void deleted(R request, KubernetesObject last) {
    if (shards != null) {
      shards.deleted(request, last);
    }
  }
}
