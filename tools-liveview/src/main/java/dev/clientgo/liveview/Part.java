package dev.clientgo.liveview;

/** A part of the picture of the pipeline. A step of a scene names the parts that it explains. */
public enum Part {
  /** The API server. */
  SERVER,

  /** The Lease for which replicas compete. */
  LEASE,

  /** The connection between server and Reflector. */
  WIRE,

  /** The Reflector, which lists and watches. */
  REFLECTOR,

  /** The queue of deltas. */
  FIFO,

  /** The store and its indices. */
  STORE,

  /** The listeners: their buffers and the calls of the handlers. */
  LISTENERS,

  /** The delayed items and the dirty set, queue and processing set of the work queue. */
  QUEUE,

  /** The workers, which reconcile. */
  WORKERS,

  /** The requests with which the workers write to the server. */
  WRITE
}
