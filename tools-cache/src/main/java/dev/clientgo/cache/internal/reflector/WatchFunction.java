package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.watch.Watch;

/**
 * Opens a watch; see {@link dev.clientgo.cache.ListerWatcher#watch}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface WatchFunction<T> {

  /** Opens a watch and returns once the server has accepted it. */
  Watch<T> watch(ListOptions options) throws InterruptedException;
}
