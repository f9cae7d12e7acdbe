package dev.clientgo.apimachinery.json;

/**
 * The texts that one codec reads, or of lists of what it reads: the same text of another kind is
 * another value.
 *
 * <p>It knows whether they repeat, so that it is worthwhile to look for them: not if many in a row
 * were looked for in vain. Then it rests for a while and tries again.
 */
final class TextKind {

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

  /** Takes note of whether the text had come before. */
  void looked(boolean repeated) {
    misses = repeated ? 0 : misses + 1;
    if (misses == MISSES) {
      misses = 0;
      resting = REST;
    }
  }
}
