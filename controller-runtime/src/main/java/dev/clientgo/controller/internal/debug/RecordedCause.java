package dev.clientgo.controller.internal.debug;

import dev.clientgo.controller.debug.Cause;

/** A cause as the recorder keeps it. */
interface RecordedCause {

  /**
   * Returns the cause for reading.
   *
   * @param withChanges whether to compute the changes of fields
   */
  Cause read(boolean withChanges);

  /** A cause that is no event. */
  record Other(Cause cause) implements RecordedCause {
    @Override
    public Cause read(boolean withChanges) {
      return cause;
    }
  }
}
