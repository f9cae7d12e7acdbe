package dev.clientgo.controller.internal.metrics;

import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.leaderelection.shard.ShardListener;
import java.util.Map;
import java.util.SortedSet;

/** The metrics of a member of a shard group. */
public final class ShardMetrics implements ShardListener {

  private final Runnable taken;
  private final Runnable left;

  /** Creates the series of a group. */
  public ShardMetrics(MetricsRegistry registry, ShardGroup group) {
    Map<String, String> labels = Map.of("group", group.group().toString());
    registry.gauge(
        new Metric("shard_group_slots", "Slots that this process owns", labels),
        () -> group.slots().size());
    registry.gauge(
        new Metric("shard_group_members", "Members that this process sees", labels),
        () -> group.members().size());
    taken =
        registry.counter(
            new Metric("shard_group_slots_taken_total", "Slots that were taken", labels));
    left =
        registry.counter(
            new Metric(
                "shard_group_slots_left_total", "Slots that were given away or lost", labels));
  }

  @Override
  public void taken(SortedSet<Integer> slots) {
    slots.forEach(slot -> taken.run());
  }

  @Override
  public void left(SortedSet<Integer> slots, String reason) {
    slots.forEach(slot -> left.run());
  }
}
