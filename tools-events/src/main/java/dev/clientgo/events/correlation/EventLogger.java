package dev.clientgo.events.correlation;

import dev.clientgo.apimachinery.meta.Time;
import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.kubernetes.core.v1.Event;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the repetitions of events.
 *
 * <p>Not safe for use by many threads. Corresponds to client-go's {@code eventLogger}. Unlike
 * there, the answer of the server is not recorded: it has the name that was sent, and the patch
 * names no version.
 */
final class EventLogger {

  /** What is known of an event that was there before. */
  private record Observation(int count, @Nullable Time firstTimestamp, @Nullable String name) {}

  /** An event with its count, and whether it was there before. */
  record Observed(Event event, boolean isRepetition) {

    /** Returns what a repetition changes: the count, the time and, for aggregates, the message. */
    Patch patch() {
      Map<String, Object> changes = new LinkedHashMap<>();
      changes.put("count", event.count());
      changes.put("lastTimestamp", String.valueOf(event.lastTimestamp()));
      changes.put("message", event.message());
      return Patch.strategicMerge(changes);
    }
  }

  private final LruCache<Object, Observation> observations;

  EventLogger(CorrelatorOptions options) {
    this.observations = new LruCache<>(options.lruCacheSize());
  }

  /** Counts an event, and returns it as it should be on the server. */
  Observed observe(Event event, Object key) {
    Observation last = observations.get(key);
    Event observed =
        last == null
            ? event
            : event.with(
                e ->
                    e.editMetadata(meta -> meta.name(last.name).resourceVersion(null))
                        .firstTimestamp(last.firstTimestamp)
                        .count(last.count == Integer.MAX_VALUE ? last.count : last.count + 1));
    Integer count = observed.count();
    observations.put(
        key,
        new Observation(
            count == null ? 1 : count, observed.firstTimestamp(), observed.metadata().name()));
    return new Observed(observed, last != null);
  }
}
