package dev.clientgo.simulation.internal.threads;

/** Ends a thread of a dead process that continues after its interruptions. */
final class ProcessDiedError extends Error {

  private static final long serialVersionUID = 1;

  ProcessDiedError() {
    super("the process has died in the simulation", null, false, false);
  }
}
