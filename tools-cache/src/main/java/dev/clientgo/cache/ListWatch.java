package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.json.DecodeContext;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.watch.Watch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ListerWatcher} made of two functions, so that the cache need not know the client:
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

    /** Makes one request and hands the items to the sink as they come. */
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
  private final @Nullable UnaryOperator<ListOptions> tweak;

  /** What all that is read shares; null if each answer has its own. */
  private final @Nullable DecodeContext context;

  private ListWatch(
      ListFunction<T> list,
      WatchFunction<T> watch,
      @Nullable UnaryOperator<ListOptions> tweak,
      @Nullable DecodeContext context) {
    this.list = requireNonNull(list, "list");
    this.watch = requireNonNull(watch, "watch");
    this.tweak = tweak;
    this.context = context;
  }

  /** Returns a ListerWatcher that calls these functions. */
  public static <T> ListWatch<T> of(ListFunction<T> list, WatchFunction<T> watch) {
    return new ListWatch<>(list, watch, null, null);
  }

  /**
   * Returns a ListerWatcher of a part of the collection.
   *
   * @param tweak sets selectors in the options of each call; it must leave the rest as it is
   */
  public ListWatch<T> filtered(UnaryOperator<ListOptions> tweak) {
    requireNonNull(tweak, "tweak");
    return new ListWatch<>(list, watch, options -> tweak.apply(tweaked(options)), context);
  }

  @Override
  public ListWatch<T> sharing(DecodeContext context) {
    return new ListWatch<>(list, watch, tweak, context);
  }

  @Override
  public ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException {
    return list.list(tweaked(options), context(), sink);
  }

  @Override
  public Watch<T> watch(ListOptions options) throws InterruptedException {
    return watch.watch(tweaked(options), context());
  }

  private ListOptions tweaked(ListOptions options) {
    return tweak == null ? options : tweak.apply(options);
  }

  private DecodeContext context() {
    return context == null ? DecodeContext.create() : context;
  }
}
