package dev.clientgo.cache;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.watch.Watch;

/**
 * Lists and watches one collection of the API server: all that a {@link Reflector} needs to know of
 * a client. {@link ListWatch#of} makes one from two functions.
 *
 * <p>Both calls block, and both end with an {@link InterruptedException} when their thread is
 * interrupted, whatever they wait for: this is how a reflector is stopped. Selectors are the
 * implementation's business; it adds them to the options that it is given.
 *
 * <p>Used by one thread at a time. Corresponds to client-go's {@code tools/cache.ListerWatcher}.
 *
 * @param <T> the type of the objects
 */
public interface ListerWatcher<T> {

  /**
   * Makes one request for a list, or for one page of it.
   *
   * @param options which version, which page
   * @param sink takes the items one by one, while the rest of the answer is still on its way
   * @return the metadata of the list
   * @throws InterruptedException if the thread is interrupted
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if the list cannot be had, or ends
   *     in the middle; the sink may have been given a part of it
   */
  ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException;

  /**
   * Opens a watch and returns once the server has accepted it.
   *
   * @param options from which version, for how long
   * @throws InterruptedException if the thread is interrupted
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if the watch cannot be opened
   */
  Watch<T> watch(ListOptions options) throws InterruptedException;

  /**
   * Returns this source for one reader, a {@link Reflector}: all that the lists and watches of the
   * one returned decode has its equal strings and values in common. The default decodes as it
   * always does.
   *
   * @param context what the reader keeps for as long as it reads
   */
  default ListerWatcher<T> sharing(DecodeContext context) {
    return this;
  }

  /**
   * Returns whether this source is known not to understand {@code sendInitialEvents}: it would
   * never send the bookmark that ends a streaming list. Servers that do not support it are found
   * out anyway, but this spares the attempt. Test doubles usually return true.
   *
   * <p>Corresponds to client-go's {@code IsWatchListSemanticsUnSupported}.
   */
  default boolean isWatchListSemanticsUnsupported() {
    return false;
  }
}
