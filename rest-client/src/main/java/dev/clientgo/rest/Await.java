package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.rest.internal.http.DeadlineTimer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Waits until one object meets a condition: lists it, watches it from there, and lists it again if
 * the server no longer has the version of the watch.
 *
 * @param resource the resource, for messages
 */
record Await<T extends KubernetesObject>(
    String resource,
    Lister<T> lister,
    Function<ListOptions, RetryWatcher<T>> watcher,
    Clock clock) {

  /** Lists the objects that the options select. */
  interface Lister<T> {
    ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException;
  }

  /** The state of the object after an event; empty if it is deleted. */
  private record State<T>(Optional<T> object) {}

  Optional<T> run(String name, Predicate<? super Optional<T>> condition, Duration timeout)
      throws InterruptedException, TimeoutException {
    Deadline deadline = clock.deadline(timeout);
    ListOptions one =
        ListOptions.builder()
            .fieldSelector(FieldSelector.equal("metadata.name", name).toString())
            .build();
    while (true) {
      List<T> found = new ArrayList<>();
      String version = lister.list(one, found::add).resourceVersion();
      State<T> state = new State<>(found.stream().findFirst());
      if (condition.test(state.object())) {
        return state.object();
      }
      RetryWatcher<T> watch = watcher.apply(one.toBuilder().resourceVersion(version).build());
      try (watch;
          DeadlineTimer timer = DeadlineTimer.start(clock, deadline.left(), watch::close)) {
        Optional<State<T>> next = next(watch);
        while (next.isPresent() && !condition.test(next.get().object())) {
          state = next.get();
          next = next(watch);
        }
        if (next.isPresent()) {
          return next.get().object();
        }
        if (timer.hasExpired()) {
          throw new TimeoutException(
              name + " of " + resource + " did not meet the condition in time; " + state(state));
        }
      }
    }
  }

  /** Returns the next state, empty if the watch has ended. */
  private Optional<State<T>> next(RetryWatcher<T> watch) throws InterruptedException {
    Optional<WatchEvent<T>> event = watch.next();
    return event.isPresent() ? event.get().match(new StateOf<>()) : Optional.empty();
  }

  private String state(State<T> last) {
    return last.object()
        .map(it -> "it exists, at resourceVersion " + it.metadata().resourceVersion())
        .orElse("it does not exist");
  }

  private static final class StateOf<T> implements WatchEvent.Cases<T, Optional<State<T>>> {

    @Override
    public Optional<State<T>> added(T object) {
      return Optional.of(new State<>(Optional.of(object)));
    }

    @Override
    public Optional<State<T>> modified(T object) {
      return added(object);
    }

    @Override
    public Optional<State<T>> deleted(T object) {
      return Optional.of(new State<>(Optional.empty()));
    }

    @Override
    public Optional<State<T>> bookmark(String resourceVersion, boolean initialEventsEnd) {
      throw new AssertionError("a RetryWatcher returns no bookmarks");
    }

    @Override
    public Optional<State<T>> failed(KubernetesException error) {
      if (error instanceof ApiStatusException status && RetryWatcher.isUnreachable(status)) {
        return Optional.empty(); // The server no longer has the version.
      }
      throw error;
    }
  }
}
