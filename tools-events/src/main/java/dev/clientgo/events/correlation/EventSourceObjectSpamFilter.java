package dev.clientgo.events.correlation;

import dev.clientgo.clock.Clock;
import dev.clientgo.kubernetes.core.v1.Event;

/**
 * Limits how much a source says about an object: a token bucket for each pair.
 *
 * <p>Not safe for use by many threads. Corresponds to client-go's type of the same name.
 */
final class EventSourceObjectSpamFilter {

  /** The tokens that a bucket had at a reading of the clock. */
  private record Bucket(double tokens, long nanos) {}

  private final CorrelatorOptions options;
  private final Clock clock;
  private final LruCache<Object, Bucket> buckets;

  EventSourceObjectSpamFilter(CorrelatorOptions options, Clock clock) {
    this.options = options;
    this.clock = clock;
    this.buckets = new LruCache<>(options.lruCacheSize());
  }

  /** Returns whether an event is spam; takes a token if it is not. */
  boolean isSpam(Event event) {
    Object key = options.spamKey(event);
    long now = clock.nanoTime();
    Bucket bucket = buckets.get(key);
    double tokens = options.burst();
    if (bucket != null) {
      double refilled = (double) (now - bucket.nanos) / options.refillInterval().toNanos();
      tokens = Math.min(tokens, bucket.tokens + refilled);
    }
    boolean isSpam = tokens < 1;
    buckets.put(key, new Bucket(isSpam ? tokens : tokens - 1, now));
    return isSpam;
  }
}
