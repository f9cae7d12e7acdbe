package dev.clientgo.controller;

import java.time.Duration;

/**
 * A reconcile was interrupted because it took longer than the {@linkplain
 * ControllerBuilder#reconcileTimeout timeout}. The controller tries it again.
 */
public final class ReconcileTimeoutException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ReconcileTimeoutException(String controller, Request request, Duration timeout, Throwable cause) {
    super(
        "the reconcile of "
            + request
            + " by controller "
            + controller
            + " took longer than "
            + timeout
            + " and was interrupted",
        cause);
  }
}
