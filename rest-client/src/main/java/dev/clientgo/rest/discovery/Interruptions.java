package dev.clientgo.rest.discovery;

import dev.clientgo.apimachinery.errors.TransportException;

/** What becomes of an interruption where the signature has no room for it. */
final class Interruptions {

  private Interruptions() {}

  /** Sets the flag of the thread again, and returns what to throw. */
  static TransportException unchecked(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new TransportException(
        TransportException.Kind.OTHER, "interrupted while asking the server what it serves", e);
  }
}
