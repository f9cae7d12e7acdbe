package dev.clientgo.cache.internal.reflector;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.status.ApiStatusException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lists a collection page by page, so that neither side holds all of it at once.
 *
 * <p>All pages show the version of the first page, which the server keeps for a few minutes. If
 * that version expires before the last page is read, {@link #list} starts over and requests
 * everything at once.
 *
 * <pre>{@code
 * List<Pod> all = Pager.<Pod>of(pods::list).list(ListOptions.NONE);
 * }</pre>
 *
 * <p>Immutable. Corresponds to client-go's {@code tools/pager.ListPager}. Unlike client-go's, it
 * fetches no pages ahead: the sink receives the items of a page while the page is still arriving.
 *
 * @param <T> the type of the items
 */
public final class Pager<T> {

  /** The default number of items in a page: {@value}. */
  public static final long DEFAULT_PAGE_SIZE = 500;

  /**
   * Makes one request; see {@link dev.clientgo.cache.ListerWatcher#list}.
   *
   * @param <T> the type of the items
   */
  @FunctionalInterface
  public interface PageFunction<T> {

    /** Makes one request and passes each item to the sink when it arrives. */
    ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException;
  }

  private final PageFunction<T> source;
  private final long pageSize;

  private Pager(PageFunction<T> source, long pageSize) {
    this.source = requireNonNull(source, "source");
    this.pageSize = pageSize;
  }

  /** Returns a pager with pages of {@value #DEFAULT_PAGE_SIZE} items. */
  public static <T> Pager<T> of(PageFunction<T> source) {
    return new Pager<>(source, DEFAULT_PAGE_SIZE);
  }

  /**
   * Returns a pager with pages of another size.
   *
   * @param pageSize the number of items in one request; zero requests all
   */
  public Pager<T> withPageSize(long pageSize) {
    if (pageSize < 0) {
      throw new IllegalArgumentException("the page size must not be negative: " + pageSize);
    }
    return new Pager<>(source, pageSize);
  }

  /**
   * The result of a list.
   *
   * @param <S> the type of the sink
   * @param sink the sink that received all items
   * @param metadata the metadata of the first page: its resourceVersion is that of the whole list
   * @param paginated whether the server sent more than one page
   */
  public record Listed<S>(S sink, ListMeta metadata, boolean paginated) {}

  /** Returns all items. */
  public List<T> list(ListOptions options) throws InterruptedException {
    List<T> items = list(options, () -> new Collector<T>(new ArrayList<>())).sink().items();
    return Collections.unmodifiableList(items);
  }

  private record Collector<T>(List<T> items) implements ListSink<T> {
    @Override
    public void accept(T item) {
      items.add(item);
    }
  }

  /**
   * Passes all items to a sink. If the version expires, starts over with another sink.
   *
   * @param options the options of the list; a limit in them overrides the page size
   * @param sinks returns a new, empty sink for each start
   * @return the sink that received the whole list
   * @throws InterruptedException if the thread is interrupted
   */
  public <S extends ListSink<? super T>> Listed<S> list(
      ListOptions options, Supplier<? extends S> sinks) throws InterruptedException {
    S sink = sinks.get();
    ListOptions page = limited(options);
    ListMeta first = source.list(page, sink);
    if (isEmpty(first.continueToken())) {
      return new Listed<>(sink, first, false);
    }
    try {
      readFollowingPages(page, first, sink);
      return new Listed<>(sink, first, true);
    } catch (ApiStatusException e) {
      if (!e.isResourceExpired()) {
        throw e;
      }
    }
    S another = sinks.get();
    ListMeta all = source.list(options.toBuilder().limit(null).build(), another);
    return new Listed<>(another, all, true);
  }

  /**
   * Passes all items to the sink, in pages. If the version expires in between, this fails, because
   * the sink already has the items of the first pages.
   *
   * @param options the options of the list; a limit in them overrides the page size
   * @return the metadata of the first page
   * @throws InterruptedException if the thread is interrupted
   */
  public ListMeta eachListItem(ListOptions options, ListSink<? super T> sink)
      throws InterruptedException {
    ListOptions page = limited(options);
    ListMeta first = source.list(page, sink);
    readFollowingPages(page, first, sink);
    return first;
  }

  private void readFollowingPages(ListOptions page, ListMeta first, ListSink<? super T> sink)
      throws InterruptedException {
    String next = first.continueToken();
    while (!isEmpty(next)) {
      // The token contains the version; a request that also names a version is an error.
      ListOptions following =
          page.toBuilder()
              .resourceVersion(null)
              .resourceVersionMatch(null)
              .continueToken(next)
              .build();
      next = source.list(following, sink).continueToken();
    }
  }

  private ListOptions limited(ListOptions options) {
    Long limit = options.limit();
    return limit != null && limit != 0
        ? options
        : options.toBuilder().limit(pageSize == 0 ? null : pageSize).build();
  }

  private static boolean isEmpty(@Nullable String text) {
    return text == null || text.isEmpty();
  }
}
