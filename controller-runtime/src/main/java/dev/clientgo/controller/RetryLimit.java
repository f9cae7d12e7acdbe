package dev.clientgo.controller;

import dev.clientgo.controller.internal.reconcile.Attempt;
import dev.clientgo.controller.internal.reconcile.LastStep;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Calls a reconciler, and handles the failure that is the last one: makes it terminal, after the
 * handler of the program has seen it.
 */
final class RetryLimit implements LastStep<Request> {

  private final ReconcilerCall call;
  private final int maxRetries;
  private final FinalFailureHandler handler;

  RetryLimit(ReconcilerCall call, int maxRetries, FinalFailureHandler handler) {
    this.call = call;
    this.maxRetries = maxRetries;
    this.handler = handler;
  }

  @Override
  @SuppressWarnings("InterruptedExceptionSwallowed") // Of the handler: a failure like any other.
  public void run(Attempt<Request> attempt) {
    call.run(attempt);
    Throwable error = attempt.error();
    if (error == null || !isFinal(attempt, error)) {
      return;
    }
    if (attempt.reconcile.isTimedOut()) {
      Thread.interrupted(); // Of the reconciler, whose time is over; the handler may still write.
    }
    try {
      handler.failed(attempt.request, error, call.context(attempt));
      attempt.forgetFailures();
      attempt.fail(isTerminal(error) ? error : exhausted(attempt, error));
    } catch (Throwable e) {
      String message = "the handler of final failures has failed, so the request is tried again";
      boolean terminal = isTerminal(e); // As a cause it would end the retries.
      Throwable failure = new IllegalStateException(message, terminal ? null : e);
      failure.addSuppressed(terminal ? e : error);
      attempt.fail(failure);
    }
  }

  private boolean isFinal(Attempt<Request> attempt, Throwable error) {
    return (isTerminal(error) || attempt.failures >= maxRetries) && !attempt.isInterrupted(error);
  }

  private static TerminalException exhausted(Attempt<Request> attempt, Throwable error) {
    return new TerminalException(
        "the reconcile has failed " + (attempt.failures + 1L) + " times in a row", error);
  }

  @Override
  public @Nullable Duration timeout() {
    return call.timeout();
  }

  @Override
  public Throwable timedOut(Request request, Throwable error) {
    return call.timedOut(request, error);
  }

  @Override
  public boolean isTerminal(Throwable error) {
    return call.isTerminal(error);
  }
}
