package dev.clientgo.benchmarks.freshness;

/**
 * How far one informer lags behind the server, in milliseconds of the wall clock, which all
 * processes of a machine share.
 *
 * <p>An informer is behind from the first write that it has not seen until it sees that one or a
 * later one. Safe for use by many threads.
 */
final class Lag {

  private static final long FAR_BEHIND = 3_000;

  private long sequence;
  private long writtenAt;
  private long countedFrom;
  private long countedTo;
  private long far;
  private long longest;

  /** Records that a write is seen. */
  synchronized void see(long sequence, long writtenAt, long now) {
    if (sequence <= this.sequence) {
      return;
    }
    if (this.sequence != 0) {
      // Writes that a list skips are not known: the one before them is a few milliseconds older.
      count(sequence == this.sequence + 1 ? writtenAt : this.writtenAt, now);
    }
    this.sequence = sequence;
    this.writtenAt = writtenAt;
  }

  private void count(long oldestUnseen, long now) {
    longest = Math.max(longest, now - Math.max(oldestUnseen, countedFrom));
    far += Math.max(0, now - Math.max(oldestUnseen + FAR_BEHIND, countedTo));
    countedTo = now;
  }

  /** Begins to count. */
  synchronized void reset(long now) {
    countedFrom = now;
    countedTo = now;
    far = 0;
    longest = 0;
  }

  /** Returns how long the informer was more than three seconds behind. */
  synchronized long far() {
    return far;
  }

  /** Returns how long the informer was behind at most. */
  synchronized long longest() {
    return longest;
  }

  /** Returns the last write that is seen. */
  synchronized long sequence() {
    return sequence;
  }
}
