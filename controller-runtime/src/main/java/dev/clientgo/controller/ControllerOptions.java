package dev.clientgo.controller;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.schema.GroupResource;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.cache.DeletedObject;
import dev.clientgo.controller.internal.cache.Scopes;
import dev.clientgo.controller.internal.reconcile.WorkerRange;
import dev.clientgo.controller.predicate.Predicate;
import dev.clientgo.controller.scope.Scope;
import dev.clientgo.workqueue.RateLimiter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a controller; {@link ControllerBuilder} explains each of them. Immutable.
 *
 * @param rateLimiter null for the default: each start of a queue creates a new one
 * @param reconcileTimeout null for no limit
 * @param kind the kind of the objects to reconcile; null if there is none
 * @param sharded whether replicas share the objects, if the manager is in a shard group
 * @param shardedCache whether the cache of the kind then has only the objects of this replica
 * @param minInterval the least time between two reconciles of one object; zero for none
 * @param maxInterval the longest time without a reconcile of an object; zero for none
 * @param retries null to try again without a limit
 * @param owned the kinds that the reconciler creates
 * @param scopes the scopes of kinds that are not those of the manager
 */
record ControllerOptions(
    String name,
    Reconciler reconciler,
    List<Watch<?>> watches,
    Predicate<KubernetesObject> predicate,
    WorkerRange workers,
    @Nullable RateLimiter<? super Request> rateLimiter,
    @Nullable Duration reconcileTimeout,
    Duration cacheSyncTimeout,
    boolean waitForOwnWrites,
    boolean needsLeadership,
    boolean warmUp,
    @Nullable ResourceType<?> kind,
    boolean sharded,
    boolean shardedCache,
    List<Poll> polls,
    Duration minInterval,
    Duration maxInterval,
    @Nullable Retries retries,
    List<ResourceType<?>> owned,
    Map<GroupResource, Scope> scopes) {

  /** Returns which objects of a kind the controller watches and reads. */
  Scope scope(ResourceType<?> type, Scopes ofManager) {
    Scope own = scopes.get(type.resource().groupResource());
    return own == null ? ofManager.of(type) : own;
  }

  /** A kind to watch. */
  record Watch<T extends KubernetesObject>(
      ResourceType<T> type,
      ReadingMapFunction<T> map,
      Predicate<? super T> predicate,
      boolean isPrimary) {}

  /** A function to call periodically. */
  record Poll(Duration period, Poller poller) {}

  /** How often to try again, and what happens then. */
  record Retries(int most, FinalFailureHandler handler) {}

  /** Returns the function that maps as another one does. */
  static <T extends KubernetesObject> ReadingMapFunction<T> reading(MapFunction<T> function) {
    return new ReadingMapFunction<>() {
      @Override
      public Collection<Request> map(T object, Client client) {
        return function.map(object);
      }

      @Override
      public Collection<Request> mapDeleted(DeletedObject<T> deleted, Client client) {
        return function.mapDeleted(deleted);
      }
    };
  }
}
