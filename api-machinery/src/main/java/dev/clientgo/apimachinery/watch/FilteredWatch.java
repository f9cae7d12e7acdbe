package dev.clientgo.apimachinery.watch;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.Function;

/**
 * A watch that changes or drops the events of another one. Closing it closes the other.
 *
 * <p>Corresponds to apimachinery's {@code watch.Filter}.
 *
 * @param <T> the type of the objects watched
 */
public final class FilteredWatch<T> implements Watch<T> {

  private final Watch<T> source;
  private final Function<? super WatchEvent<T>, Optional<WatchEvent<T>>> filter;

  private FilteredWatch(
      Watch<T> source, Function<? super WatchEvent<T>, Optional<WatchEvent<T>>> filter) {
    this.source = requireNonNull(source, "source");
    this.filter = requireNonNull(filter, "filter");
  }

  /**
   * Returns a watch of the events of another one, changed by a function.
   *
   * @param filter returns the event to deliver, or empty to drop it
   */
  public static <T> FilteredWatch<T> of(
      Watch<T> source, Function<? super WatchEvent<T>, Optional<WatchEvent<T>>> filter) {
    return new FilteredWatch<>(source, filter);
  }

  @Override
  public Optional<WatchEvent<T>> next() throws InterruptedException {
    while (true) {
      Optional<WatchEvent<T>> event = source.next();
      if (event.isEmpty()) {
        return event;
      }
      Optional<WatchEvent<T>> filtered = filter.apply(event.get());
      if (filtered.isPresent()) {
        return filtered;
      }
    }
  }

  @Override
  public void close() {
    source.close();
  }
}
