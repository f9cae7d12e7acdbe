package dev.clientgo.cache;

/** The activity of a {@link Reflector}. */
public enum ReflectorState {
  /** It has not been started. */
  NEW,
  /** It reads the collection as the initial events of a watch. */
  STREAMING,
  /** It lists the collection. */
  LISTING,
  /** It follows the changes of the collection. */
  WATCHING,
  /** A request failed or a stream ended early, and it waits before the next request. */
  BACKING_OFF,
  /** It has been stopped. */
  STOPPED
}
