package dev.clientgo.cache;

import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.internal.reflector.Pager;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A source that gives one prepared answer after the other and writes down the requests. When there
 * is no answer left, it interrupts: the test is over.
 */
final class ScriptedSource implements ListerWatcher<ApiObject> {

  /** Opens a watch. */
  @FunctionalInterface
  private interface WatchFunction {
    Watch<ApiObject> watch(ListOptions options) throws InterruptedException;
  }

  /** The answer to a list or to a watch. */
  private record Answer(Pager.PageFunction<ApiObject> list, WatchFunction watch) {

    static Answer toList(Pager.PageFunction<ApiObject> list) {
      return new Answer(
          list,
          options -> {
            throw new AssertionError("a WATCH where a LIST was expected: " + options);
          });
    }

    static Answer toWatch(WatchFunction watch) {
      return new Answer(
          (options, sink) -> {
            throw new AssertionError("a LIST where a WATCH was expected: " + options);
          },
          watch);
    }
  }

  /** Something that a watch does: it gives an event, or it just lets something happen. */
  @FunctionalInterface
  interface Step {
    Optional<WatchEvent<ApiObject>> run() throws InterruptedException;

    static Step event(WatchEvent<ApiObject> event) {
      return () -> Optional.of(event);
    }

    static Step then(Runnable action) {
      return () -> {
        action.run();
        return Optional.empty();
      };
    }

    /** Ends the test. */
    static Step over() {
      return () -> {
        throw new InterruptedException("the script is over");
      };
    }
  }

  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<String> requests = new ArrayList<>();
  private final List<ListOptions> options = new ArrayList<>();
  private final List<ScriptedWatch> watches = new ArrayList<>();
  private boolean watchListUnsupported = true;

  ScriptedSource streaming() {
    watchListUnsupported = false;
    return this;
  }

  @Override
  public boolean isWatchListSemanticsUnsupported() {
    return watchListUnsupported;
  }

  // ---- the script

  ScriptedSource list(String version, ApiObject... items) {
    return page(version, null, items);
  }

  ScriptedSource page(String version, String continueToken, ApiObject... items) {
    return list(
        sink -> {
          List.of(items).forEach(sink::accept);
        },
        ListMeta.builder().resourceVersion(version).continueToken(continueToken).build());
  }

  ScriptedSource list(Consumer<ListSink<? super ApiObject>> items, ListMeta meta) {
    answers.add(
        Answer.toList(
            (options, sink) -> {
              items.accept(sink);
              return meta;
            }));
    return this;
  }

  /** Answers the next request, of either kind, with an error. */
  ScriptedSource fail(RuntimeException error) {
    answers.add(
        new Answer(
            (options, sink) -> {
              throw error;
            },
            options -> {
              throw error;
            }));
    return this;
  }

  /** Opens a watch that does this and then ends. */
  ScriptedSource watch(Step... steps) {
    ScriptedWatch watch = new ScriptedWatch(List.of(steps));
    answers.add(
        Answer.toWatch(
            options -> {
              watches.add(watch);
              return watch;
            }));
    return this;
  }

  // ---- what was asked

  /** Returns the requests without their timeouts: {@code LIST {resourceVersion=0, limit=500}}. */
  List<String> requests() {
    return requests;
  }

  List<ListOptions> options() {
    return options;
  }

  /** Returns how many of the watches that were opened have not been closed. */
  long openWatches() {
    return watches.stream().filter(watch -> !watch.closed).count();
  }

  private Answer answer(String verb, ListOptions asked) throws InterruptedException {
    if (answers.isEmpty()) {
      throw new InterruptedException("the script is over");
    }
    Map<String, String> query = new LinkedHashMap<>(asked.toQuery(false));
    query.remove("timeoutSeconds");
    requests.add(verb + " " + query);
    options.add(asked);
    return answers.remove();
  }

  @Override
  public ListMeta list(ListOptions asked, ListSink<? super ApiObject> sink)
      throws InterruptedException {
    return answer("LIST", asked).list.list(asked, sink);
  }

  @Override
  public Watch<ApiObject> watch(ListOptions asked) throws InterruptedException {
    return answer("WATCH", asked).watch.watch(asked);
  }

  private static final class ScriptedWatch implements Watch<ApiObject> {

    private final Deque<Step> steps;
    private boolean closed;

    ScriptedWatch(List<Step> steps) {
      this.steps = new ArrayDeque<>(steps);
    }

    @Override
    public Optional<WatchEvent<ApiObject>> next() throws InterruptedException {
      while (!closed && !steps.isEmpty()) {
        Optional<WatchEvent<ApiObject>> event = steps.remove().run();
        if (event.isPresent()) {
          return event;
        }
      }
      return Optional.empty();
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
