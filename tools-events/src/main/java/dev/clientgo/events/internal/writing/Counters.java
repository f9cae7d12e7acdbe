package dev.clientgo.events.internal.writing;

import java.util.concurrent.atomic.LongAdder;

/** Counts what becomes of events. Safe for use by many threads. */
public final class Counters {

  /** The calls of recorders, invalid ones included. */
  public final LongAdder recorded = new LongAdder();

  /** The requests that the server has accepted. */
  public final LongAdder sent = new LongAdder();

  /** The events that found the queue full or closed. */
  public final LongAdder dropped = new LongAdder();

  /** The events that the spam filter held back. */
  public final LongAdder filtered = new LongAdder();

  /** The events that are invalid, or that the server refused, or that it never got. */
  public final LongAdder failed = new LongAdder();
}
