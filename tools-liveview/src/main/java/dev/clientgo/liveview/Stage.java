package dev.clientgo.liveview;

/** A stage of the pipeline that the live view can pause, slow down and step through. */
public enum Stage {
  /** The Reflector reads events from the watch. */
  RECEIVE,

  /** The Controller takes deltas from the queue and changes the store. */
  POP,

  /** The listeners call the handlers. */
  DELIVER,

  /** The workers take items from the work queues. */
  WORK
}
