package dev.clientgo.cache;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.ScriptedSource.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;

/** A Reflector on a scripted source, run by the test's own thread until the script is over. */
final class ReflectorFixture {

  /** Makes threads that never run: the test runs the timers. */
  static final ThreadFactory NO_THREADS =
      runnable ->
          new Thread(runnable) {
            @Override
            public synchronized void start() {}
          };

  /** Long enough that a watch which ends then has not ended too soon. */
  static final Duration LONG = Duration.ofSeconds(2);

  /** The first request, if the state is not streamed. */
  static final String ANY = "LIST {resourceVersion=0, limit=500}";

  final ScriptedSource source = new ScriptedSource();
  final SimClock clock = new SimClock();
  final Indexer<ApiObject> store = Indexer.create(KeyFunction.metaNamespace());
  final RecordingStore recorded = new RecordingStore(store);
  final List<RuntimeException> errors = new ArrayList<>();

  UnaryOperator<ReflectorOptions.Builder> options = builder -> builder;
  UnaryOperator<Reflector.Builder<ApiObject>> settings = builder -> builder;

  /** Runs a reflector through the script and returns it. */
  Reflector<ApiObject> run() {
    return run(source);
  }

  /** Runs a reflector on another source, until that interrupts it, and returns it. */
  Reflector<ApiObject> run(ListerWatcher<ApiObject> source) {
    ReflectorOptions.Builder common =
        ReflectorOptions.builder()
            .useWatchList(true)
            .clock(clock)
            .random(new Random(1))
            .threadFactory(NO_THREADS);
    Reflector<ApiObject> reflector =
        settings
            .apply(
                Reflector.builder(source, recorded)
                    .options(options.apply(common).build())
                    .lastKnown(store)
                    .watchErrorHandler((r, error) -> errors.add(error)))
            .build();
    clock.afterMove(() -> reflector.timers().runDue());
    assertThatThrownBy(reflector::run).isInstanceOf(InterruptedException.class);
    return reflector;
  }

  List<String> stored() {
    return store.list().stream().map(RecordingHandler::describe).sorted().toList();
  }

  // ---- requests

  static String listFrom(String version) {
    return "LIST {resourceVersion=" + version + "}";
  }

  static String watchFrom(String version) {
    return "WATCH {allowWatchBookmarks=true, resourceVersion=" + version + "}";
  }

  // ---- objects, events, errors

  static ApiObject pod(String name, String version) {
    return ApiObject.of(name, version).withUid("uid-" + name);
  }

  static Step added(String name, String version) {
    return Step.event(new WatchEvent.Added<>(pod(name, version)));
  }

  static Step modified(String name, String version) {
    return Step.event(new WatchEvent.Modified<>(pod(name, version)));
  }

  static Step deleted(String name, String version) {
    return Step.event(new WatchEvent.Deleted<>(pod(name, version)));
  }

  static Step bookmark(String version) {
    return Step.event(new WatchEvent.Bookmark<>(version, false));
  }

  static Step initialEventsEnd(String version) {
    return Step.event(new WatchEvent.Bookmark<>(version, true));
  }

  static Step failed(KubernetesException error) {
    return Step.event(new WatchEvent.Failed<>(error));
  }

  Step wait(Duration duration) {
    return Step.then(() -> clock.advance(duration));
  }

  static ApiStatusException expired() {
    return FakeServer.error(StatusReason.EXPIRED, 410, "too old resource version");
  }

  static ApiStatusException tooManyRequests() {
    return FakeServer.error(StatusReason.TOO_MANY_REQUESTS, 429, "busy");
  }

  static ApiStatusException internalError() {
    return FakeServer.error(StatusReason.INTERNAL_ERROR, 500, "etcd");
  }

  static ApiStatusException forbidden() {
    return FakeServer.error(StatusReason.FORBIDDEN, 403, "no");
  }

  static TransportException refused() {
    return new TransportException(TransportException.Kind.CONNECTION_REFUSED, "refused", null);
  }

  static CodecException undecodable(String name) {
    return CodecException.mismatch("expected a number", "/spec/replicas", 17, null)
        .inObject(null, name);
  }

  /** Passes everything on to a store, and writes it down. */
  static final class RecordingStore implements ReflectorStore<ApiObject> {

    final List<String> calls = new ArrayList<>();
    RuntimeException resyncError;
    Runnable beforeReplace = () -> {};
    private final Store<ApiObject> store;

    RecordingStore(Store<ApiObject> store) {
      this.store = store;
    }

    @Override
    public void add(ApiObject object) {
      calls.add("add " + RecordingHandler.describe(object));
      store.add(object);
    }

    @Override
    public void update(ApiObject object) {
      calls.add("update " + RecordingHandler.describe(object));
      store.update(object);
    }

    @Override
    public void delete(ApiObject object) {
      calls.add("delete " + RecordingHandler.describe(object));
      store.delete(object);
    }

    @Override
    public void deleteByKey(String key) {
      calls.add("delete " + key);
      store.deleteByKey(key);
    }

    @Override
    public void replace(List<ApiObject> objects, String resourceVersion) {
      throw new AssertionError("the Reflector passes the unreadable keys");
    }

    @Override
    public void replace(List<ApiObject> objects, Set<String> unreadable, String resourceVersion) {
      beforeReplace.run();
      calls.add(
          "replace "
              + resourceVersion
              + " "
              + objects.stream().map(RecordingHandler::describe).toList()
              + (unreadable.isEmpty() ? "" : " and " + unreadable));
      store.replace(objects, unreadable, resourceVersion);
    }

    @Override
    public void resync() {
      calls.add("resync");
      if (resyncError != null) {
        throw resyncError;
      }
    }

    @Override
    public void bookmark(String resourceVersion) {
      calls.add("bookmark " + resourceVersion);
      store.bookmark(resourceVersion);
    }
  }
}
