package dev.clientgo.controller;

/** The states of a {@link Controller}, in the order in which it reaches them. */
public enum ControllerState {
  /** Built, and not started by a manager yet. */
  NEW,

  /** Waits until the caches of its kinds are filled. */
  SYNCING,

  /** Waits until this process leads. */
  STANDBY,

  /** Its workers reconcile. */
  RUNNING,

  /**
   * Its caches were not filled in time, or it could not start; {@link Controller#failure} says why.
   */
  FAILED,

  /** Ended for good. */
  CLOSED
}
