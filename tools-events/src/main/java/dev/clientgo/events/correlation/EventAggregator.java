package dev.clientgo.events.correlation;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.core.v1.Event;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns many events that differ only in their message into one.
 *
 * <p>Not safe for use by many threads. Corresponds to client-go's type of the same name.
 */
final class EventAggregator {

  /** An event to count, and the key by which to count it. */
  record Aggregated(Event event, Object key) {}

  /** The messages of similar events, and when the last one came. */
  private static final class Similar {
    private final Set<@Nullable String> messages = new HashSet<>();
    private long nanos;

    /** Returns whether this message is one too many; remembers it if it is not. */
    boolean isLimited(@Nullable String message, int maxEvents) {
      if (messages.size() + 1 < maxEvents) {
        messages.add(message);
        return false;
      }
      return maxEvents == 1 || !messages.contains(message);
    }
  }

  private final CorrelatorOptions options;
  private final Clock clock;
  private final LruCache<Object, Similar> similar;

  EventAggregator(CorrelatorOptions options, Clock clock) {
    this.options = options;
    this.clock = clock;
    this.similar = new LruCache<>(options.lruCacheSize());
  }

  /** Returns the event itself or, if there were many similar ones, the event in their place. */
  Aggregated aggregate(Event event) {
    Object aggregateKey = options.aggregateKey(event);
    long now = clock.nanoTime();
    Similar record = similar.get(aggregateKey);
    if (record == null || now - record.nanos > options.maxInterval().toNanos()) {
      record = new Similar();
      similar.put(aggregateKey, record);
    }
    record.nanos = now;
    return record.isLimited(event.message(), options.maxEvents())
        ? new Aggregated(combined(event), aggregateKey)
        : new Aggregated(event, EventKeys.eventKey(event));
  }

  /** Returns the aggregate. As in client-go, it has no reporting controller. */
  private Event combined(Event event) {
    Time now = Time.now(clock);
    return Event.of(
        combined ->
            combined
                .editMetadata(
                    meta ->
                        meta.name(event.metadata().name()).namespace(event.metadata().namespace()))
                .count(1)
                .firstTimestamp(now)
                .lastTimestamp(now)
                .involvedObject(event.involvedObject())
                .message(options.aggregateMessage(event))
                .type(event.type())
                .reason(event.reason())
                .source(event.source()));
  }
}
