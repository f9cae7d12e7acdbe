package dev.clientgo.apimachinery.json;

/**
 * The texts of one codec, or of lists of what it reads: the same text of another kind is another
 * value.
 *
 * <p>It tracks whether the texts repeat, and tells the reader to look them up only if they do.
 * After 2,048 misses in a row it pauses for 16,384 values, then tries again.
 */
final class ValueKind {

  private static final int MISSES = 2 << 10;
  private static final int REST = 16 << 10;

  private int misses;
  private int resting;

  /** Returns whether to look for the next value. */
  boolean isWorthwhile() {
    if (resting == 0) {
      return true;
    }
    resting--;
    return false;
  }

  /** Records whether the text had come before. */
  void looked(boolean repeated) {
    misses = repeated ? 0 : misses + 1;
    if (misses == MISSES) {
      misses = 0;
      resting = REST;
    }
  }
}
