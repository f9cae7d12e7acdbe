package dev.clientgo.rest.discovery;

/**
 * Tells what a server serves without asking it each time.
 *
 * <p>Corresponds to client-go's {@code discovery.CachedDiscoveryInterface}.
 */
public interface CachedDiscovery extends Discovery {

  /**
   * Returns whether what is told was found out by this object, after the last {@link #invalidate}:
   * then it makes little sense to ask again because something is not in it.
   */
  boolean isFresh();

  /** Forgets what is known, so that the server is asked again. */
  void invalidate();
}
