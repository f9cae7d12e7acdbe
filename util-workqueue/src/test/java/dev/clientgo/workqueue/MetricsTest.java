package dev.clientgo.workqueue;

import static dev.clientgo.workqueue.Queues.take;
import static dev.clientgo.workqueue.Queues.takeAndFinish;
import static dev.clientgo.workqueue.metrics.QueueMetric.ADDS_TOTAL;
import static dev.clientgo.workqueue.metrics.QueueMetric.DEPTH;
import static dev.clientgo.workqueue.metrics.QueueMetric.LONGEST_RUNNING_PROCESSOR_SECONDS;
import static dev.clientgo.workqueue.metrics.QueueMetric.QUEUE_DURATION_SECONDS;
import static dev.clientgo.workqueue.metrics.QueueMetric.RETRIES_TOTAL;
import static dev.clientgo.workqueue.metrics.QueueMetric.UNFINISHED_WORK_SECONDS;
import static dev.clientgo.workqueue.metrics.QueueMetric.WORK_DURATION_SECONDS;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.workqueue.metrics.MetricId;
import dev.clientgo.workqueue.metrics.MetricsProvider;
import dev.clientgo.workqueue.metrics.MetricsRecorder;
import dev.clientgo.workqueue.metrics.QueueMetric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MetricsTest {

  private static final String NAME = "test";
  private static final Offset<Double> TINY = within(1e-12);

  private final FakeClock clock = FakeClock.create();
  private final MetricsRecorder recorder = MetricsRecorder.create();
  private final QueueConfig config =
      QueueConfig.builder().name(NAME).clock(clock).metricsProvider(recorder).build();

  /** Upstream: TestMetrics. */
  @Test
  void metrics_ofAWorkQueue_countAndTimeItsItems() throws Exception {
    WorkQueue<String> queue = WorkQueue.create(config);

    queue.add("foo");
    assertThat(value(ADDS_TOTAL)).isEqualTo(1);
    assertThat(value(DEPTH)).isEqualTo(1);

    clock.advance(Duration.ofNanos(50_000));
    WorkItem<String> work = take(queue);
    assertThat(distribution(QUEUE_DURATION_SECONDS).count()).isEqualTo(1);
    assertThat(distribution(QUEUE_DURATION_SECONDS).sum()).isCloseTo(5e-5, TINY);
    assertThat(value(DEPTH)).isZero();

    // Added while it is processed: many adds are one.
    for (int i = 0; i < 5; i++) {
      queue.add("foo");
    }
    assertThat(value(ADDS_TOTAL)).isEqualTo(2);
    assertThat(value(DEPTH)).isEqualTo(1);

    clock.advance(ofNanos(25_000));
    work.done();
    assertThat(distribution(WORK_DURATION_SECONDS).count()).isEqualTo(1);
    assertThat(distribution(WORK_DURATION_SECONDS).sum()).isCloseTo(2.5e-5, TINY);
    assertThat(value(DEPTH)).isEqualTo(1);

    work = take(queue);
    assertThat(distribution(QUEUE_DURATION_SECONDS).count()).isEqualTo(2);
    assertThat(distribution(QUEUE_DURATION_SECONDS).sum()).isCloseTo(5e-5 + 2.5e-5, TINY);

    clock.advance(ofMillis(1));
    assertThat(value(UNFINISHED_WORK_SECONDS)).isCloseTo(0.001, TINY);
    assertThat(value(LONGEST_RUNNING_PROCESSOR_SECONDS)).isCloseTo(0.001, TINY);

    work.done();
    assertThat(distribution(WORK_DURATION_SECONDS).count()).isEqualTo(2);
    assertThat(distribution(WORK_DURATION_SECONDS).sum()).isCloseTo(2.5e-5 + 0.001, TINY);
    assertThat(value(UNFINISHED_WORK_SECONDS)).isZero();
    assertThat(value(LONGEST_RUNNING_PROCESSOR_SECONDS)).isZero();
  }

  @Test
  void unfinishedWork_severalItems_isTheSumAndTheOldest() throws Exception {
    WorkQueue<String> queue = WorkQueue.create(config);
    List.of("a", "b", "c").forEach(queue::add);
    WorkItem<String> first = take(queue);
    clock.advance(ofSeconds(10));
    take(queue);
    clock.advance(ofSeconds(1));
    take(queue);
    clock.advance(ofSeconds(1));

    assertThat(value(UNFINISHED_WORK_SECONDS)).isEqualTo(12 + 2 + 1);
    assertThat(value(LONGEST_RUNNING_PROCESSOR_SECONDS)).isEqualTo(12);

    first.done();
    assertThat(value(UNFINISHED_WORK_SECONDS)).isEqualTo(2 + 1);
    assertThat(value(LONGEST_RUNNING_PROCESSOR_SECONDS)).isEqualTo(2);
  }

  @Test
  void queueDuration_itemAddedTwice_isTimedFromTheFirstAdd() throws Exception {
    WorkQueue<String> queue = WorkQueue.create(config);
    queue.add("a");
    clock.advance(ofSeconds(1));
    queue.add("a");
    clock.advance(ofSeconds(1));

    takeAndFinish(queue);

    assertThat(distribution(QUEUE_DURATION_SECONDS).sum()).isEqualTo(2);
  }

  /** Unlike upstream, where the time that a late timer takes is not seen. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void queueDuration_itemWaited_isTimedFromWhenItWasDue(boolean priorities) throws Exception {
    DelayingQueue<String> queue =
        priorities ? PriorityQueue.create(config) : DelayingQueue.create(config);
    queue.addAfter("a", ofSeconds(5));
    clock.advance(ofSeconds(8));

    takeAndFinish(queue);

    assertThat(distribution(QUEUE_DURATION_SECONDS).sum()).isEqualTo(3);
  }

  @Test
  void depth_itemsWait_areCountedWhenTheirTimeHasCome() {
    DelayingQueue<String> queue = DelayingQueue.create(config);
    queue.addAfter("a", ofSeconds(1));
    queue.addAfter("b", ofSeconds(2));
    assertThat(value(DEPTH)).isZero();
    assertThat(value(ADDS_TOTAL)).isZero();

    clock.advance(ofSeconds(1));

    assertThat(value(DEPTH)).isEqualTo(1);
    assertThat(value(ADDS_TOTAL)).isEqualTo(1);
  }

  /** More than are made due under one hold of the lock. */
  @Test
  void depth_tenThousandAreDueAtOnce_countsThemAll() {
    DelayingQueue<Integer> queue = DelayingQueue.create(config);
    for (int i = 0; i < 10_000; i++) {
      queue.addAfter(i, ofSeconds(1));
    }
    clock.advance(ofSeconds(1));

    assertThat(value(DEPTH)).isEqualTo(10_000);
    assertThat(queue.size()).isEqualTo(10_000);
    assertThat(value(ADDS_TOTAL)).isEqualTo(10_000);
  }

  @Test
  void retries_ofADelayingQueue_countEveryCall() {
    RateLimitingQueue<String> queue =
        RateLimitingQueue.create(RateLimiter.defaultItemBased(), config);
    queue.addAfter("a", Duration.ZERO);
    queue.addAfter("a", ofSeconds(1));
    queue.addAfter("a", ofSeconds(2));
    queue.addRateLimited("a");
    queue.add("a");

    assertThat(value(RETRIES_TOTAL)).isEqualTo(4);
  }

  @Test
  void retries_ofAPriorityQueue_countDelays() {
    PriorityQueue<String> queue = PriorityQueue.create(config);
    queue.addAfter("a", Duration.ZERO);
    queue.addAfter("a", ofSeconds(1));
    queue.addRateLimited("a");

    assertThat(value(RETRIES_TOTAL)).isEqualTo(2);
  }

  /** Upstream: TestMetricShutdown. Here nothing is updated, and what could be read is gone. */
  @Test
  void close_gaugesAreShown_takesThemAway() throws Exception {
    WorkQueue<String> queue = WorkQueue.create(config);
    queue.add("a");
    take(queue);
    assertThat(recorder.snapshot().values().keySet())
        .extracting(MetricId::metric)
        .contains(DEPTH, UNFINISHED_WORK_SECONDS, LONGEST_RUNNING_PROCESSOR_SECONDS);

    queue.close();

    clock.advance(Duration.ofHours(1));
    assertThat(recorder.snapshot().values().keySet())
        .extracting(MetricId::metric)
        .containsExactlyInAnyOrder(ADDS_TOTAL, RETRIES_TOTAL);
  }

  @Test
  void queue_withoutAName_hasNoMetrics() {
    WorkQueue<String> queue =
        WorkQueue.create(QueueConfig.builder().clock(clock).metricsProvider(recorder).build());
    queue.add("a");

    assertThat(recorder.snapshot().values()).isEmpty();
    assertThat(recorder.snapshot().distributions()).isEmpty();
  }

  @Test
  void queue_withoutAProvider_works() throws Exception {
    WorkQueue<String> queue = WorkQueue.create(QueueConfig.builder().name(NAME).build());
    queue.add("a");

    assertThat(takeAndFinish(queue)).isEqualTo("a");
  }

  @Test
  void provider_throws_costsTheQueueNothing() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    MetricsProvider broken =
        new MetricsProvider() {
          @Override
          public Runnable counter(MetricId id) {
            return this::fail;
          }

          @Override
          public DoubleConsumer histogram(MetricId id) {
            return seconds -> fail();
          }

          @Override
          public Runnable gauge(MetricId id, DoubleSupplier value) {
            return this::fail;
          }

          private void fail() {
            calls.incrementAndGet();
            throw new IllegalStateException("broken metrics, as this test wants");
          }
        };
    RateLimitingQueue<String> queue =
        RateLimitingQueue.create(
            RateLimiter.defaultItemBased(),
            QueueConfig.builder().name(NAME).clock(clock).metricsProvider(broken).build());

    queue.add("a");
    queue.addRateLimited("b");
    clock.advance(ofSeconds(1));
    assertThat(takeAndFinish(queue)).isEqualTo("a");
    assertThat(takeAndFinish(queue)).isEqualTo("b");
    queue.close();

    assertThat(calls).hasValue(2 + 1 + 2 + 2 + 3);
  }

  /** An instrument may look at the queue: it is not called under the lock. */
  @Test
  void provider_isCalled_neverHoldsTheLock() throws Exception {
    List<Boolean> locked = new ArrayList<>();
    List<AbstractWorkQueue<?>> queues = new ArrayList<>();
    MetricsProvider watching =
        new MetricsProvider() {
          @Override
          public Runnable counter(MetricId id) {
            return this::look;
          }

          @Override
          public DoubleConsumer histogram(MetricId id) {
            return seconds -> look();
          }

          @Override
          public Runnable gauge(MetricId id, DoubleSupplier value) {
            look();
            return this::look;
          }

          private void look() {
            queues.forEach(queue -> locked.add(queue.lock.isHeldByCurrentThread()));
          }
        };
    PriorityQueue<String> queue =
        PriorityQueue.create(
            QueueConfig.builder().name(NAME).clock(clock).metricsProvider(watching).build());
    queues.add((HeapPriorityQueue<String>) queue);

    queue.add("a", AddOptions.create().priority(1));
    queue.addAfter("b", ofSeconds(1));
    clock.advance(ofSeconds(1));
    takeAndFinish(queue);
    takeAndFinish(queue);
    queue.close();

    assertThat(locked).hasSize(13).containsOnly(false);
  }

  /* --------------- Names --------------- */

  @Test
  void names_always_areThoseOfUpstream() {
    assertThat(Arrays.stream(QueueMetric.values()).map(QueueMetric::fullName))
        .containsExactly(
            "workqueue_depth",
            "workqueue_adds_total",
            "workqueue_queue_duration_seconds",
            "workqueue_work_duration_seconds",
            "workqueue_unfinished_work_seconds",
            "workqueue_longest_running_processor_seconds",
            "workqueue_retries_total");
    assertThat(QueueMetric.values()).allSatisfy(metric -> assertThat(metric.help()).isNotBlank());
  }

  @Test
  void labels_ofOneMetric_haveTheSameNames() {
    assertThat(new MetricId(DEPTH, NAME, "").labels())
        .isEqualTo(Map.of("name", NAME, "priority", ""));
    assertThat(new MetricId(DEPTH, NAME, "-100").labels())
        .isEqualTo(Map.of("name", NAME, "priority", "-100"));
    assertThat(new MetricId(ADDS_TOTAL, NAME, "").labels()).isEqualTo(Map.of("name", NAME));
  }

  /* --------------- The recorder --------------- */

  @Test
  void snapshot_printed_isATable() throws Exception {
    PriorityQueue<String> queue = PriorityQueue.create(config);
    queue.add("a", AddOptions.create().priority(-100));
    queue.add("b");
    queue.addAfter("c", ofSeconds(60));
    clock.advance(ofMillis(20));
    take(queue);
    clock.advance(ofMillis(500));

    assertThat(recorder.snapshot())
        .hasToString(
            """
            test
              depth{-100}                        1
              depth{0}                           0
              adds_total                         2
              queue_duration_seconds             count 1, sum 0.0200, median 0.0200, 99% 0.0200, max 0.0200
              work_duration_seconds              count 0, sum 0, median 0, 99% 0, max 0
              unfinished_work_seconds            0.500
              longest_running_processor_seconds  0.500
              retries_total                      1
            """);
  }

  @Test
  void distribution_manyObservations_givesBoundsOfQuantiles() {
    DoubleConsumer histogram = recorder.histogram(new MetricId(WORK_DURATION_SECONDS, NAME, ""));
    for (int i = 0; i < 98; i++) {
      histogram.accept(0.005);
    }
    histogram.accept(0.5);
    histogram.accept(5000);

    MetricsRecorder.Snapshot.Distribution distribution = distribution(WORK_DURATION_SECONDS);

    assertThat(distribution.count()).isEqualTo(100);
    assertThat(distribution.sum()).isCloseTo(5000.99, within(1e-9));
    assertThat(distribution.median()).isCloseTo(0.01, TINY);
    assertThat(distribution.p99()).isCloseTo(1, TINY);
    assertThat(distribution.max()).isEqualTo(5000);
  }

  @Test
  void snapshot_ofTwoQueues_keepsThemApart() {
    WorkQueue<String> pods =
        WorkQueue.create(QueueConfig.builder().name("pods").metricsProvider(recorder).build());
    WorkQueue<String> nodes =
        WorkQueue.create(QueueConfig.builder().name("nodes").metricsProvider(recorder).build());
    pods.add("a");
    pods.add("b");
    nodes.add("c");

    MetricsRecorder.Snapshot snapshot = recorder.snapshot();

    assertThat(snapshot.value("pods", ADDS_TOTAL)).isEqualTo(2);
    assertThat(snapshot.value("nodes", ADDS_TOTAL)).isEqualTo(1);
    assertThat(snapshot.value("unknown", ADDS_TOTAL)).isZero();
    assertThat(snapshot.distribution("unknown", WORK_DURATION_SECONDS).count()).isZero();
  }

  private double value(QueueMetric metric) {
    return recorder.snapshot().value(NAME, metric);
  }

  private MetricsRecorder.Snapshot.Distribution distribution(QueueMetric metric) {
    return recorder.snapshot().distribution(NAME, metric);
  }
}
