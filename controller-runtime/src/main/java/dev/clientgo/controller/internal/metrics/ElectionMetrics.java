package dev.clientgo.controller.internal.metrics;

import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.leaderelection.LeaderElectionMetrics;
import java.util.Map;

/** The metrics of leader election, under client-go's names. */
public record ElectionMetrics(MetricsRegistry registry) implements LeaderElectionMetrics {

  @Override
  public void leading(String name, boolean leads) {
    registry.gauge(
        new Metric(
            "leader_election_master_status",
            "Whether this process leads, 1 or 0",
            Map.of("name", name)),
        () -> leads ? 1 : 0);
  }

  @Override
  public void slowPathExercised(String name) {
    registry
        .counter(
            new Metric(
                "leader_election_slowpath_total",
                "Renewals of the lease that had to read it first",
                Map.of("name", name)))
        .run();
  }

  @Override
  public void failed(String name) {
    registry
        .counter(
            new Metric(
                "leader_election_failures_total",
                "Requests about the lease and callbacks that have failed",
                Map.of("name", name)))
        .run();
  }
}
