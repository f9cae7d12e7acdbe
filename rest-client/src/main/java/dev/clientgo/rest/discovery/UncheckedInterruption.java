package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.errors.TransportException;

/** Converts an interruption for methods that cannot throw {@link InterruptedException}. */
final class UncheckedInterruption {

  private UncheckedInterruption() {}

  /** Sets the interrupt flag of the thread, and returns the exception to throw. */
  static TransportException of(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new TransportException(
        TransportException.Kind.OTHER, "interrupted while asking the server what it serves", e);
  }
}
