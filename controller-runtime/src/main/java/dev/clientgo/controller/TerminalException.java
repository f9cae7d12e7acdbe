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

  /** Creates an exception. */
  public TerminalException(String message) {
    super(message);
  }

  /** Creates an exception. */
  public TerminalException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
