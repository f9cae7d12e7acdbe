package dev.clientgo.controller.internal.shards;

import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.cache.FollowedSlots;
import dev.clientgo.controller.internal.metrics.ShardMetrics;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.leaderelection.shard.ShardListener;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The membership of a manager in a shard group, if it has one. Safe for use by many threads. */
public final class ManagerShards {

  private final @Nullable ShardGroup group;
  private final FollowedSlots followed;

  /** For each controller that replicas share, whether its caches are filled. */
  private final ConcurrentMap<Object, Boolean> filled = new ConcurrentHashMap<>();

  private volatile boolean started;

  /**
   * Creates a membership that is not started.
   *
   * @param member is not started; null if the manager is in no group
   * @param caches receives the objects to cache, for kinds whose cache holds only those of this
   *     replica
   * @param onFailure receives the reason why this process cannot take part
   */
  public ManagerShards(
      @Nullable ShardGroup member,
      Clock clock,
      MetricsRegistry metrics,
      Consumer<ShardSelector> caches,
      Consumer<RuntimeException> onFailure) {
    group = member;
    if (member == null) {
      followed = new FollowedSlots(clock, slots -> {});
      return;
    }
    member.ready(false); // Until the caches are filled: those of a shard with no objects.
    caches.accept(member.selector(Set.of()));
    member.addListener(new ShardMetrics(metrics, member));
    member.addListener(
        new ShardListener() {
          @Override
          public void failed(RuntimeException error) {
            onFailure.accept(error);
          }
        });
    followed = new FollowedSlots(clock, slots -> caches.accept(member.selector(slots)));
    member.addListener(followed); // Before the controllers, which look into the caches.
  }

  /** Returns the group; null if the manager is in none. */
  public @Nullable ShardGroup group() {
    return group;
  }

  /** This replica takes no slots before the caches of the controller are filled. */
  public void add(Object controller) {
    filled.put(controller, false);
  }

  /** The caches of the controller are filled. */
  public void filled(Object controller) {
    filled.replace(controller, true); // Unless it was closed meanwhile.
    joinIfFilled();
  }

  /** The controller has ended. */
  public void remove(Object controller) {
    filled.remove(controller);
    joinIfFilled();
  }

  private void joinIfFilled() {
    if (group != null && started && !filled.isEmpty() && !filled.containsValue(false)) {
      group.ready(true);
    }
  }

  /** Waits until this replica can own slots. */
  public boolean awaitSlots(Duration timeout) throws InterruptedException {
    return followed.await(timeout);
  }

  /** Returns why this replica can own no slots; empty if it can, or has no controller for them. */
  public Optional<String> obstacle() {
    return group == null || filled.isEmpty() ? Optional.empty() : group.obstacle();
  }

  /** Joins the group when the caches of all controllers are filled. */
  public void start() {
    if (group != null) {
      group.start();
      started = true;
      joinIfFilled();
    }
  }

  /** Begins to give slots away in which nothing goes on. */
  public void leave() {
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
  public void close(boolean ended) {
    if (group != null && ended) {
      group.close();
    } else if (group != null) {
      group.close(Duration.ZERO);
    }
  }
}
