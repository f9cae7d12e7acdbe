package dev.clientgo.events.correlation;

import static java.util.Objects.requireNonNull;

import dev.clientgo.kubernetes.core.v1.Event;
import java.time.Duration;
import java.util.function.Function;

/**
 * The numbers and keys by which an {@link EventCorrelator} works. Immutable.
 *
 * <p>Corresponds to client-go's {@code record.CorrelatorOptions}.
 */
public final class CorrelatorOptions {

  /** The options of client-go. */
  public static final CorrelatorOptions DEFAULTS = builder().build();

  private final int lruCacheSize;
  private final int burst;
  private final Duration refillInterval;
  private final int maxEvents;
  private final Duration maxInterval;
  private final Function<? super Event, ?> spamKey;
  private final Function<? super Event, ?> aggregateKey;
  private final Function<? super Event, String> aggregateMessage;

  private CorrelatorOptions(Builder builder) {
    this.lruCacheSize = builder.lruCacheSize;
    this.burst = builder.burst;
    this.refillInterval = builder.refillInterval;
    this.maxEvents = builder.maxEvents;
    this.maxInterval = builder.maxInterval;
    this.spamKey = builder.spamKey;
    this.aggregateKey = builder.aggregateKey;
    this.aggregateMessage = builder.aggregateMessage;
  }

  /** Returns a builder that starts with the options of client-go. */
  public static Builder builder() {
    return new Builder();
  }

  int lruCacheSize() {
    return lruCacheSize;
  }

  int burst() {
    return burst;
  }

  Duration refillInterval() {
    return refillInterval;
  }

  int maxEvents() {
    return maxEvents;
  }

  Duration maxInterval() {
    return maxInterval;
  }

  Object spamKey(Event event) {
    return requireNonNull(spamKey.apply(event), "the spam key of an event is null");
  }

  Object aggregateKey(Event event) {
    return requireNonNull(aggregateKey.apply(event), "the aggregate key of an event is null");
  }

  String aggregateMessage(Event event) {
    return requireNonNull(aggregateMessage.apply(event), "the message of an aggregate is null");
  }

  /** Builds {@link CorrelatorOptions}. Not safe for use by many threads. */
  public static final class Builder {

    private int lruCacheSize = 4096;
    private int burst = 25;
    private Duration refillInterval = Duration.ofMinutes(5);
    private int maxEvents = 10;
    private Duration maxInterval = Duration.ofMinutes(10);
    private Function<? super Event, ?> spamKey = EventKeys::spamKey;
    private Function<? super Event, ?> aggregateKey = EventKeys::aggregateKey;
    private Function<? super Event, String> aggregateMessage = EventKeys::aggregateMessage;

    private Builder() {}

    /** Sets how many keys the filter, the aggregator and the counter remember each; 4096. */
    public Builder lruCacheSize(int size) {
      this.lruCacheSize = positive(size, "lruCacheSize");
      return this;
    }

    /** Sets how many events of a source about an object pass at once; 25. */
    public Builder burst(int events) {
      this.burst = positive(events, "burst");
      return this;
    }

    /** Sets after what time one more event of a source about an object passes; 5 minutes. */
    public Builder refillInterval(Duration interval) {
      this.refillInterval = positive(interval, "refillInterval");
      return this;
    }

    /** Sets how many different messages become one event; 10. */
    public Builder maxEvents(int events) {
      this.maxEvents = positive(events, "maxEvents");
      return this;
    }

    /** Sets after what time of silence similar events count as new; 10 minutes. */
    public Builder maxInterval(Duration interval) {
      this.maxInterval = positive(interval, "maxInterval");
      return this;
    }

    /**
     * Sets the key of the spam filter: events of equal keys share one burst. By default the source,
     * the object and the type.
     */
    public Builder spamKey(Function<? super Event, ?> key) {
      this.spamKey = requireNonNull(key, "key");
      return this;
    }

    /**
     * Sets the key of the aggregator: events of equal keys are similar, and their messages tell
     * them apart. By default the source, the object without its field path, the type, the reason,
     * the reporting controller and instance.
     */
    public Builder aggregateKey(Function<? super Event, ?> key) {
      this.aggregateKey = requireNonNull(key, "key");
      return this;
    }

    /**
     * Sets the message of an aggregate, made of the event that came last. By default that of the
     * event after {@code (combined from similar events): }.
     */
    public Builder aggregateMessage(Function<? super Event, String> message) {
      this.aggregateMessage = requireNonNull(message, "message");
      return this;
    }

    /** Returns the options built. */
    public CorrelatorOptions build() {
      return new CorrelatorOptions(this);
    }

    private static int positive(int value, String name) {
      if (value <= 0) {
        throw new IllegalArgumentException(name + " must be positive, not " + value);
      }
      return value;
    }

    private static Duration positive(Duration value, String name) {
      if (value.isZero() || value.isNegative()) {
        throw new IllegalArgumentException(name + " must be positive, not " + value);
      }
      return value;
    }
  }
}
