package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.fields.FieldSelector;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * Waits until one object is as it should be: lists it, watches it from there, and begins anew if
 * the server forgets where the watch was.
 */
final class Await<T extends KubernetesObject> {

  private final ResourceClient<T> client;
  private final String name;
  private final Predicate<? super Optional<T>> condition;
  private final Clock clock;

  /** What a wait has come to: empty while it goes on. */
  private record Outcome<T>(Optional<T> object) {}

  Await(
      ResourceClient<T> client,
      String name,
      Predicate<? super Optional<T>> condition,
      Clock clock) {
    this.client = client;
    this.name = name;
    this.condition = condition;
    this.clock = clock;
  }

  Optional<T> run(Duration timeout) throws InterruptedException, TimeoutException {
    Deadline deadline = new Deadline(clock, timeout);
    ListOptions one =
        ListOptions.builder()
            .fieldSelector(FieldSelector.equal("metadata.name", name).toString())
            .build();
    while (true) {
      List<T> found = new ArrayList<>();
      String version = client.list(one, found::add).resourceVersion();
      Optional<T> object = found.stream().findFirst();
      if (condition.test(object)) {
        return object;
      }
      Optional<Outcome<T>> outcome =
          watch(one.toBuilder().resourceVersion(version).build(), object, deadline.left());
      if (outcome.isPresent()) {
        return outcome.get().object();
      }
    }
  }

  private Optional<Outcome<T>> watch(ListOptions options, Optional<T> before, Duration left)
      throws InterruptedException, TimeoutException {
    RetryWatcher<T> watch = RetryWatcher.create(options, client, clock);
    Optional<T> now = before;
    try (watch;
        DeadlineTimer alarm = DeadlineTimer.set(clock, left, watch::close)) {
      for (var event = watch.next(); event.isPresent(); event = watch.next()) {
        Optional<Outcome<T>> change = event.get().match(new Change());
        if (change.isEmpty()) {
          return change; // Forgotten: list again.
        }
        now = change.get().object();
        if (condition.test(now)) {
          return change;
        }
      }
      if (!alarm.hasRung()) {
        throw new AssertionError("a watch that goes on ends with an error or when it is closed");
      }
      throw new TimeoutException(
          name + " of " + client + " did not become what was waited for; it is " + shown(now));
    }
  }

  private String shown(Optional<T> object) {
    return object
        .map(it -> "there, at version " + it.metadata().resourceVersion())
        .orElse("not there");
  }

  private final class Change implements WatchEvent.Cases<T, Optional<Outcome<T>>> {

    @Override
    public Optional<Outcome<T>> added(T object) {
      return Optional.of(new Outcome<>(Optional.of(object)));
    }

    @Override
    public Optional<Outcome<T>> modified(T object) {
      return added(object);
    }

    @Override
    public Optional<Outcome<T>> deleted(T object) {
      return Optional.of(new Outcome<>(Optional.empty()));
    }

    @Override
    public Optional<Outcome<T>> bookmark(String resourceVersion, boolean initialEventsEnd) {
      throw new AssertionError("a watch that goes on hands on no bookmarks");
    }

    @Override
    public Optional<Outcome<T>> failed(KubernetesException error) {
      if (error instanceof ApiStatusException status && RetryWatcher.isUnreachable(status)) {
        return Optional.empty();
      }
      throw error;
    }
  }
}
