package dev.clientgo.remotecommand.logs;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a log has been read, so that it can be read on from there.
 *
 * <p>A server can begin a log at a second, not at a line. So the log is read again from the second
 * before that of the last line, and lines are skipped up to that one. The second before, because
 * lines of two streams may be slightly out of order; but the order in the log is always the same. A
 * line that is newer than all that were read is never skipped: the last one may have been rotated
 * away. For one thread.
 */
final class LinePosition {

  private @Nullable Instant newest;
  private @Nullable Instant lastTime;
  private String lastText = "";

  /** How many lines are the same as the last one, itself included. */
  private int repetitions;

  /** How many lines like the last one are still to be skipped, with all before them. */
  private int toFind;

  /** How many lines without a time have followed, and how many of them to skip. */
  private int untimed;

  private int untimedToSkip;

  /** Returns the time of the last line that was read; empty if none was. */
  Optional<Instant> last() {
    return Optional.ofNullable(lastTime);
  }

  /** Notes that the log is read again, and returns from when; empty if nothing was read yet. */
  Optional<Instant> restart() {
    toFind = repetitions;
    untimedToSkip = untimed;
    return lastTime == null
        ? Optional.empty()
        : Optional.of(Instant.ofEpochSecond(lastTime.getEpochSecond() - 1));
  }

  /**
   * Returns whether a line is new, and notes it.
   *
   * @param time when it was written; null for a message of the kubelet or a piece of a long line
   */
  boolean isNew(@Nullable Instant time, String text) {
    if (time == null) {
      boolean isNew = toFind == 0 && untimedToSkip == 0;
      untimedToSkip -= toFind == 0 && untimedToSkip > 0 ? 1 : 0;
      untimed += isNew ? 1 : 0;
      return isNew;
    }
    boolean isLast = time.equals(lastTime) && text.equals(lastText);
    if (toFind > 0 && newest != null && !time.isAfter(newest)) {
      toFind -= isLast ? 1 : 0;
      return false;
    }
    toFind = 0;
    untimed = 0;
    untimedToSkip = 0;
    repetitions = isLast ? repetitions + 1 : 1;
    lastTime = time;
    lastText = text;
    if (newest == null || time.isAfter(newest)) {
      newest = time;
    }
    return true;
  }
}
