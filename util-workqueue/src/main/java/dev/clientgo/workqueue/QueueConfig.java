package dev.clientgo.workqueue;

import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.workqueue.metrics.MetricsProvider;
import org.jspecify.annotations.Nullable;

/**
 * The settings that all queues have: name, clock, metrics and observer. Immutable.
 *
 * <p>Corresponds to client-go's {@code TypedQueueConfig}, {@code TypedDelayingQueueConfig} and
 * {@code TypedRateLimitingQueueConfig}. Unlike there, no metrics provider is global: each queue
 * gets its own.
 */
public final class QueueConfig {

  private static final QueueConfig DEFAULTS = builder().build();

  private final String name;
  private final Clock clock;
  private final MetricsProvider metricsProvider;
  private final @Nullable QueueObserver observer;

  private QueueConfig(Builder builder) {
    this.name = builder.name;
    this.clock = builder.clock;
    this.metricsProvider = builder.metricsProvider;
    this.observer = builder.observer;
  }

  /** Returns the configuration that has no name, no metrics, and the clock of the machine. */
  public static QueueConfig defaults() {
    return DEFAULTS;
  }

  /** Returns a builder that begins with the {@link #defaults}. */
  public static Builder builder() {
    return new Builder();
  }

  String name() {
    return name;
  }

  Clock clock() {
    return clock;
  }

  MetricsProvider metricsProvider() {
    return metricsProvider;
  }

  @Nullable QueueObserver observer() {
    return observer;
  }

  /** Builds a {@link QueueConfig}. Not safe for use by many threads. */
  public static final class Builder {
    private String name = "";
    private Clock clock = Clock.system();
    private MetricsProvider metricsProvider = MetricsProvider.NONE;
    private @Nullable QueueObserver observer;

    private Builder() {}

    /** Sets the name: a label of the metrics. A queue without one has no metrics. */
    public Builder name(String name) {
      this.name = requireNonNull(name, "name");
      return this;
    }

    /** Sets the clock that delays and metrics are measured with. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Sets the receiver of the metrics. */
    public Builder metricsProvider(MetricsProvider metricsProvider) {
      this.metricsProvider = requireNonNull(metricsProvider, "metricsProvider");
      return this;
    }

    /** Sets the observer, which sees each item at each step. Default: none. */
    public Builder observer(QueueObserver observer) {
      this.observer = new GuardedObserver(requireNonNull(observer, "observer"));
      return this;
    }

    /** Returns the configuration. */
    public QueueConfig build() {
      return new QueueConfig(this);
    }
  }
}
