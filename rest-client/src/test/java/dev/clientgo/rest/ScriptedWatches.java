package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Opens watches that send what they are told and end; the last one stays open. */
final class ScriptedWatches implements RetryWatcher.Source<Unstructured> {

  private final Deque<Object> script = new ArrayDeque<>();
  private final List<ListOptions> opened = new CopyOnWriteArrayList<>();

  /** Adds a watch that sends these events and ends. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  final ScriptedWatches then(WatchEvent<Unstructured>... events) {
    script.add(List.of(events));
    return this;
  }

  /** Adds an attempt that fails. */
  ScriptedWatches thenFail(KubernetesException error) {
    script.add(error);
    return this;
  }

  /** Returns what each watch was asked for. */
  List<ListOptions> opened() {
    return opened;
  }

  List<String> versions() {
    return opened.stream().map(ListOptions::resourceVersion).toList();
  }

  static Unstructured object(String version) {
    return Unstructured.parse(
        "{\"kind\":\"Thing\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"t\",\"resourceVersion\":\""
            + version
            + "\"}}");
  }

  static WatchEvent<Unstructured> added(String version) {
    return new WatchEvent.Added<>(object(version));
  }

  static WatchEvent<Unstructured> failed(KubernetesException error) {
    return new WatchEvent.Failed<>(error);
  }

  @Override
  public Watch<Unstructured> watch(ListOptions options) {
    opened.add(options);
    Object next = script.poll();
    if (next instanceof KubernetesException error) {
      throw error;
    }
    return new Scripted(next instanceof List<?> list ? new ArrayDeque<>(list) : null);
  }

  private static final class Scripted implements Watch<Unstructured> {
    private final @Nullable Deque<?> events;
    private final CountDownLatch closed = new CountDownLatch(1);

    Scripted(@Nullable Deque<?> events) {
      this.events = events;
    }

    @Override
    @SuppressWarnings("unchecked") // What "then" has put in.
    public Optional<WatchEvent<Unstructured>> next() throws InterruptedException {
      if (events == null) {
        closed.await();
        return Optional.empty();
      }
      return Optional.ofNullable((WatchEvent<Unstructured>) events.poll());
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }
}
