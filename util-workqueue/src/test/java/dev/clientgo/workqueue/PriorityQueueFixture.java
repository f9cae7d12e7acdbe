package dev.clientgo.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.workqueue.metrics.MetricId;
import dev.clientgo.workqueue.metrics.MetricsRecorder;
import dev.clientgo.workqueue.metrics.QueueMetric;
import org.junit.jupiter.api.AfterEach;

/** A priority queue with a fake clock and recorded metrics. */
abstract class PriorityQueueFixture {

  static final String NAME = "test";

  final FakeClock clock = FakeClock.create();
  final MetricsRecorder metrics = MetricsRecorder.create();
  final PriorityQueue<String> queue =
      PriorityQueue.create(
          QueueConfig.builder().name(NAME).clock(clock).metricsProvider(metrics).build());

  @AfterEach
  void noDepthIsNegative() {
    assertThat(metrics.snapshot().values().values()).allMatch(value -> value >= 0);
  }

  static AddOptions priority(int priority) {
    return AddOptions.create().priority(priority);
  }

  double depth(int priority) {
    return depth(Integer.toString(priority));
  }

  double depth(String label) {
    return metrics
        .snapshot()
        .values()
        .getOrDefault(new MetricId(QueueMetric.DEPTH, NAME, label), 0.0);
  }

  void assertMetrics(int adds, int retries) {
    MetricsRecorder.Snapshot snapshot = metrics.snapshot();
    assertThat(snapshot.value(NAME, QueueMetric.ADDS_TOTAL)).isEqualTo(adds);
    assertThat(snapshot.value(NAME, QueueMetric.RETRIES_TOTAL)).isEqualTo(retries);
  }
}
