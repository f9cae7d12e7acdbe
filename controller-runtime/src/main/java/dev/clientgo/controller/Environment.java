package dev.clientgo.controller;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.internal.debug.ControllerRecording;
import dev.clientgo.controller.internal.events.EventRecorders;
import dev.clientgo.controller.internal.fights.FightDetector;
import dev.clientgo.controller.internal.reconcile.Leadership;
import dev.clientgo.controller.internal.shards.ManagerShards;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.rest.RESTClient;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a manager shares with its controllers.
 *
 * @param client reaches the server
 * @param leadership has the client of controllers that need leadership
 * @param informers the informers that all controllers share
 * @param clock measures delays and timeouts
 * @param random makes the seeds of the random numbers of reconciles
 * @param threadFactory makes the threads of controllers, which name them
 * @param reconcilers wraps each reconciler
 * @param observers observe each reconcile
 * @param metrics receives the metrics
 * @param events makes the recorders of events
 * @param recorder records reconciles; null for none
 * @param fights finds fields that two writers fight over
 * @param shards the group of replicas that share the objects
 */
record Environment(
    RESTClient client,
    Leadership leadership,
    Informers informers,
    Clock clock,
    RandomGenerator random,
    ThreadFactory threadFactory,
    UnaryOperator<Reconciler> reconcilers,
    List<ReconcileObserver> observers,
    MetricsRegistry metrics,
    EventRecorders events,
    @Nullable DebugRecorder recorder,
    FightDetector fights,
    ManagerShards shards) {

  /** Returns whether a controller works only while this process leads. */
  boolean isLed(ControllerOptions options) {
    return options.needsLeadership() && !isSharded(options);
  }

  /** Returns whether replicas share the objects of a controller. */
  boolean isSharded(ControllerOptions options) {
    return options.sharded() && shards.group() != null;
  }

  /** Checks that the objects of a controller can be shared, if they are to be. */
  void requireShardable(ControllerOptions options) {
    if (isSharded(options) && options.kind() == null) {
      throw new IllegalStateException(
          "the controller "
              + options.name()
              + " has no forKind(…), whose objects the replicas would share: call forKind(…), or"
              + " sharded(false) to let it work in each replica");
    }
  }

  /** Returns the recording of a controller, which records nothing if there is no recorder. */
  ControllerRecording<Request> recording(String controller) {
    return new ControllerRecording<>(
        recorder == null ? null : recorder.history(), controller, Request::objectName);
  }
}
