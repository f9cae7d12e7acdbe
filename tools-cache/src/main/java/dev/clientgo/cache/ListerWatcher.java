package dev.clientgo.cache;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.watch.Watch;

/**
 * Lists and watches one collection of the API server. It is the only part of a client that a {@link
 * Reflector} uses. {@link ListWatch#of} makes one from two functions.
 *
 * <p>Both calls block, and both must end with an {@link InterruptedException} when their thread is
 * interrupted: this is how a reflector is stopped. The implementation adds selectors to the options
 * that it receives.
 *
 * <p>Used by one thread at a time. Corresponds to client-go's {@code tools/cache.ListerWatcher}.
 *
 * @param <T> the type of the objects
 */
public interface ListerWatcher<T> {

  /**
   * Makes one request for a list, or for one page of it.
   *
   * @param options the version and the page
   * @param sink receives the items one by one, while the rest of the response is still arriving
   * @return the metadata of the list
   * @throws InterruptedException if the thread is interrupted
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if the request fails, or the list
   *     is cut off; the sink may have received a part of it
   */
  ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException;

  /**
   * Opens a watch and returns once the server has accepted it.
   *
   * @param options the version to begin at, and how long to watch
   * @throws InterruptedException if the thread is interrupted
   * @throws dev.clientgo.apimachinery.errors.KubernetesException if the watch cannot be opened
   */
  Watch<T> watch(ListOptions options) throws InterruptedException;

  /**
   * Returns this source for one {@link Reflector}: all objects that its lists and watches decode
   * share equal strings and values. The default returns this source unchanged.
   *
   * @param context holds the shared strings and values
   */
  default ListerWatcher<T> sharing(DecodeContext context) {
    return this;
  }

  /**
   * Returns whether this source does not understand {@code sendInitialEvents}, so that it would
   * never send the bookmark that ends a streaming list. A reflector also notices this itself, but
   * only after an attempt. Test doubles usually return true.
   *
   * <p>Corresponds to client-go's {@code IsWatchListSemanticsUnSupported}.
   */
  default boolean isWatchListSemanticsUnsupported() {
    return false;
  }
}
