package dev.clientgo.controller;

import org.jspecify.annotations.Nullable;

/**
 * A reconcile failed in a way that another attempt cannot mend: the object asks for something
 * impossible. The controller counts and logs the failure and does not try again. The next event of
 * the object starts another reconcile.
 *
 * <p>It counts wherever it is in the chain of causes. Corresponds to controller-runtime's {@code
 * reconcile.TerminalError}.
 */
public final class TerminalException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Causes may form a circle. */
  private static final int MAX_DEPTH = 50;

  /** Creates an exception. */
  public TerminalException(String message) {
    super(message);
  }

  /** Creates an exception. */
  public TerminalException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Returns whether an error is terminal, or has a terminal cause. */
  static boolean isIn(Throwable error) {
    Throwable next = error;
    for (int depth = 0; next != null && depth < MAX_DEPTH; depth++) {
      if (next instanceof TerminalException) {
        return true;
      }
      next = next.getCause();
    }
    return false;
  }
}
