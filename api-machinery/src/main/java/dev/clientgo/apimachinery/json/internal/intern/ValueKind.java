package dev.clientgo.apimachinery.json.internal.intern;

/**
 * A type of values: those of one codec, or lists of them. One text can be a value of several kinds.
 *
 * <p>It tracks whether the texts of the kind repeat; if they do not, the reader stops looking them
 * up for a while. After 2,048 misses in a row it pauses for 16,384 values, then tries again.
 */
public final class ValueKind {

  private static final int MISSES = 2 << 10;
  private static final int PAUSE = 16 << 10;

  private int misses;
  private int pause;

  /** Returns whether to look up the next value. */
  public boolean isWorthwhile() {
    if (pause == 0) {
      return true;
    }
    pause--;
    return false;
  }

  /** Records whether a text that was looked up had been seen before. */
  public void looked(boolean repeated) {
    misses = repeated ? 0 : misses + 1;
    if (misses == MISSES) {
      misses = 0;
      pause = PAUSE;
    }
  }
}
