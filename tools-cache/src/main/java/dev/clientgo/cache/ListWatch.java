package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.watch.Watch;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A {@link ListerWatcher} that calls two functions, usually methods of a client. So the cache does
 * not depend on the client:
 *
 * <pre>{@code
 * ListWatch<Pod> everyPod = ListWatch.of(pods::list, pods::watch);
 * ListWatch<Pod> onNode1 =
 *     everyPod.filtered(options -> options.toBuilder().fieldSelector("spec.nodeName=node-1").build());
 * }</pre>
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/cache.ListWatch} and {@code
 * NewFilteredListWatchFromClient}.
 *
 * @param <T> the type of the objects
 */
public final class ListWatch<T> implements ListerWatcher<T> {

  /**
   * Makes one request for a list; see {@link ListerWatcher#list}.
   *
   * @param <T> the type of the objects
   */
  @FunctionalInterface
  public interface ListFunction<T> {

    /** Makes one request and passes each item to the sink when it arrives. */
    ListMeta list(ListOptions options, DecodeContext context, ListSink<? super T> sink)
        throws InterruptedException;
  }

  /**
   * Opens a watch; see {@link ListerWatcher#watch}.
   *
   * @param <T> the type of the objects
   */
  @FunctionalInterface
  public interface WatchFunction<T> {

    /** Opens a watch and returns once the server has accepted it. */
    Watch<T> watch(ListOptions options, DecodeContext context) throws InterruptedException;
  }

  private final ListFunction<T> list;
  private final WatchFunction<T> watch;
  private final UnaryOperator<ListOptions> tweak;

  /** Returns the decode context of the next request. */
  private final Supplier<DecodeContext> contexts;

  private ListWatch(
      ListFunction<T> list,
      WatchFunction<T> watch,
      UnaryOperator<ListOptions> tweak,
      Supplier<DecodeContext> contexts) {
    this.list = requireNonNull(list, "list");
    this.watch = requireNonNull(watch, "watch");
    this.tweak = tweak;
    this.contexts = contexts;
  }

  /** Returns a ListerWatcher that calls the given functions. */
  public static <T> ListWatch<T> of(ListFunction<T> list, WatchFunction<T> watch) {
    return new ListWatch<>(list, watch, UnaryOperator.identity(), DecodeContext::create);
  }

  /**
   * Returns a ListerWatcher of a part of the collection.
   *
   * @param tweak sets selectors in the options of each request; it must not change other options
   */
  public ListWatch<T> filtered(UnaryOperator<ListOptions> tweak) {
    requireNonNull(tweak, "tweak");
    UnaryOperator<ListOptions> before = this.tweak;
    return new ListWatch<>(list, watch, options -> tweak.apply(before.apply(options)), contexts);
  }

  @Override
  public ListWatch<T> sharing(DecodeContext context) {
    requireNonNull(context, "context");
    return new ListWatch<>(list, watch, tweak, () -> context);
  }

  @Override
  public ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException {
    return list.list(tweak.apply(options), contexts.get(), sink);
  }

  @Override
  public Watch<T> watch(ListOptions options) throws InterruptedException {
    return watch.watch(tweak.apply(options), contexts.get());
  }
}
