package dev.clientgo.events.internal.recording;

/** Takes occurrences and writes them as events. Safe for use by many threads. */
public interface EventPipeline {

  /** Records an occurrence, without waiting for anything. */
  void accept(Occurrence occurrence);

  /** Puts what only memory holds into the queue of writes. */
  void writeCounts();

  /** Ends the threads of this pipeline itself. */
  void close();
}
