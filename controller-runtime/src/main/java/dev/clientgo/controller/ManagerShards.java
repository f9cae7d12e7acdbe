package dev.clientgo.controller;

import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.controller.internal.cache.FollowedSlots;
import dev.clientgo.controller.internal.metrics.ShardMetrics;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.leaderelection.shard.ShardListener;
import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The membership of a manager in a shard group, if it has one. */
final class ManagerShards {

  private final @Nullable ShardGroup group;
  private final FollowedSlots followed;

  /** For each controller that replicas share, whether its caches are filled. */
  private final ConcurrentMap<ControllerRun, Boolean> filled = new ConcurrentHashMap<>();

  private volatile boolean started;

  /**
   * Creates a membership that is not started.
   *
   * @param caches hears which objects to cache, where only those of this replica are
   * @param onFailure receives the reason why this process cannot take part
   */
  ManagerShards(
      ManagerBuilder builder,
      RESTClient server,
      Consumer<ShardSelector> caches,
      Consumer<RuntimeException> onFailure) {
    if (builder.shards == null) {
      group = null;
      followed = new FollowedSlots(builder.clock, slots -> {});
      return;
    }
    ShardGroup.Builder options =
        ShardGroup.builder(server, builder.shards).clock(builder.clock).random(builder.random);
    if (builder.threadFactory != null) {
      options.threadFactory(builder.threadFactory);
    }
    builder.sharding.accept(options);
    ShardGroup created = options.build();
    created.ready(false); // Until the caches are filled: those of a shard with no objects.
    caches.accept(created.selector(Set.of()));
    created.addListener(new ShardMetrics(builder.metrics, created));
    created.addListener(
        new ShardListener() {
          @Override
          public void failed(RuntimeException error) {
            onFailure.accept(error);
          }
        });
    followed = new FollowedSlots(builder.clock, slots -> caches.accept(created.selector(slots)));
    created.addListener(followed); // Before the controllers, which look into the caches.
    group = created;
  }

  @Nullable ShardGroup group() {
    return group;
  }

  /** Returns whether replicas share the objects of a controller. */
  boolean isSharded(ControllerOptions options) {
    return group != null && options.sharded();
  }

  /** Returns whether the cache of a controller's kind has only the objects of this replica. */
  boolean hasShardedCache(ControllerOptions options) {
    return isSharded(options) && options.shardedCache();
  }

  /** This replica takes no slots before the caches of the controller are filled. */
  void add(ControllerRun controller) {
    filled.put(controller, false);
  }

  void filled(ControllerRun controller) {
    filled.replace(controller, true); // Unless it was closed meanwhile.
    joinIfFilled();
  }

  void remove(ControllerRun controller) {
    filled.remove(controller);
    joinIfFilled();
  }

  private void joinIfFilled() {
    if (group != null && started && !filled.isEmpty() && !filled.containsValue(false)) {
      group.ready(true);
    }
  }

  /** Waits until this replica can own slots. */
  boolean awaitSlots(Duration timeout) throws InterruptedException {
    return followed.await(timeout);
  }

  /** Returns why this replica can own no slots; empty if it can, or has no controller for them. */
  Optional<String> obstacle() {
    return group == null || filled.isEmpty() ? Optional.empty() : group.obstacle();
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

  void start() {
    if (group != null) {
      group.start();
      started = true;
      joinIfFilled();
    }
  }

  /** Begins to give slots away in which nothing goes on. */
  void leave() {
    if (group != null) {
      group.leave();
    }
  }

  /**
   * Leaves the group.
   *
   * @param ended whether all reconciles have ended; if not, they are fenced, and their slots wait
   *     until the Lease of this process expires
   */
  void close(boolean ended) {
    if (group != null && ended) {
      group.close();
    } else if (group != null) {
      group.close(Duration.ZERO);
    }
  }
}
