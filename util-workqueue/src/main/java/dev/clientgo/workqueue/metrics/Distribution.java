package dev.clientgo.workqueue.metrics;

import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;

/**
 * How observed durations are distributed.
 *
 * @param count how many there were
 * @param sum their sum, in seconds
 * @param max the longest, in seconds
 * @param median half of them were no longer than this, in seconds, rounded up to a power of ten
 * @param p99 99 of 100 were no longer than this, in seconds, rounded up to a power of ten
 */
public record Distribution(long count, double sum, double max, double median, double p99) {

  /**
   * The buckets by convention: powers of ten from 10 ns to 1000 s, and one for all that is longer.
   */
  static final class Recorder implements DoubleConsumer {
    private static final int BUCKETS = 13;

    private final LongAdder[] counts = new LongAdder[BUCKETS];
    private final DoubleAdder sum = new DoubleAdder();
    private final DoubleAccumulator max = new DoubleAccumulator(Math::max, 0);

    Recorder() {
      for (int i = 0; i < BUCKETS; i++) {
        counts[i] = new LongAdder();
      }
    }

    @Override
    public void accept(double seconds) {
      int bucket = 0;
      while (bucket < BUCKETS - 1 && seconds > bound(bucket)) {
        bucket++;
      }
      counts[bucket].increment();
      sum.add(seconds);
      max.accumulate(seconds);
    }

    private static double bound(int bucket) {
      return Math.pow(10, bucket - 8);
    }

    Distribution snapshot() {
      long[] buckets = new long[BUCKETS];
      long count = 0;
      for (int i = 0; i < BUCKETS; i++) {
        buckets[i] = counts[i].sum();
        count += buckets[i];
      }
      double longest = max.get();
      return new Distribution(
          count,
          sum.sum(),
          longest,
          quantile(buckets, count, 0.5, longest),
          quantile(buckets, count, 0.99, longest));
    }

    private static double quantile(long[] buckets, long count, double share, double longest) {
      long rank = (long) Math.ceil(count * share);
      long seen = 0;
      for (int i = 0; i < BUCKETS - 1; i++) {
        seen += buckets[i];
        if (seen >= rank) {
          return count == 0 ? 0 : Math.min(bound(i), longest);
        }
      }
      return longest;
    }
  }
}
