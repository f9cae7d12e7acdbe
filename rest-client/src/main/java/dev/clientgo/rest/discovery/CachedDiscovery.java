package dev.clientgo.rest.discovery;

/**
 * A discovery that does not ask the server each time.
 *
 * <p>Corresponds to client-go's {@code discovery.CachedDiscoveryInterface}.
 */
public interface CachedDiscovery extends Discovery {

  /**
   * Returns whether all results were read from the server by this object after the last {@link
   * #invalidate}. If so, a missing resource is no reason to ask again.
   */
  boolean isFresh();

  /** Discards the cache, so that the next call asks the server. */
  void invalidate();
}
