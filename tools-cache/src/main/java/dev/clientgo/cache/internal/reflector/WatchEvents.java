package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.watch.WatchEvent;

/**
 * Receives the events of the watches of a Reflector, one watch after the other. Each case returns
 * false: no event ends a watch.
 *
 * @param <T> the type of the objects
 */
public interface WatchEvents<T> extends WatchEvent.Cases<T, Boolean> {

  /**
   * Prepares for the events of another watch.
   *
   * @param inOrder false if the watch begins with the current objects, which come in no particular
   *     order of versions
   */
  void watchBegins(boolean inOrder);
}
