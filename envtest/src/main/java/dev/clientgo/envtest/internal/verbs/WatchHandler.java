package dev.clientgo.envtest.internal.verbs;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.conversion.VersionConverter;
import dev.clientgo.envtest.internal.encoding.ObjectEncoding;
import dev.clientgo.envtest.internal.errors.ApiErrors;
import dev.clientgo.envtest.internal.http.AwaitableList;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.internal.requests.ListQuery;
import dev.clientgo.envtest.internal.storage.ObjectStore;
import dev.clientgo.envtest.internal.storage.ObjectStore.Subscription;
import dev.clientgo.envtest.traffic.ApiRequest;
import dev.clientgo.envtest.traffic.OpenWatch;
import java.io.IOException;
import java.time.Duration;

/** Handles {@code watch}. */
final class WatchHandler {

  /** A watch without a timeout ends after one to two times this duration. */
  private static final Duration MIN_TIMEOUT = Duration.ofMinutes(30);

  private final ObjectStore store;
  private final ServerSettings settings;
  private final AwaitableList<OpenWatch> registry;
  private final VersionConverter versions;

  WatchHandler(
      ObjectStore store,
      ServerSettings settings,
      AwaitableList<OpenWatch> registry,
      VersionConverter versions) {
    this.store = store;
    this.settings = settings;
    this.registry = registry;
    this.versions = versions;
  }

  Response watch(ApiRequest request, ServedKind served) {
    ObjectEncoding encoding = settings.encoding(request, served);
    ListQuery query = ListQuery.of(request, served, settings.shards());
    long named = query.isAnyVersion() ? 0 : ReadHandler.parse(query.resourceVersion());
    return Response.of(200, "application/json", stream(request, served, query, encoding, named));
  }

  private Response.Stream stream(
      ApiRequest request, ServedKind served, ListQuery query, ObjectEncoding encoding, long named) {
    try {
      boolean now = query.isAnyVersion() || query.wantsInitialEvents();
      if (query.wantsInitialEvents() && named > store.revision()) {
        throw ApiErrors.tooLargeResourceVersion(query.resourceVersion(), store.revision());
      }
      Subscription subscription =
          store.subscribe(
              served.groupResource(), served.prefix(request), now ? null : (Long) named);
      return new WatchStream(
          request,
          subscription,
          query,
          object -> versions.read(served, object),
          encoding,
          settings,
          timeout(query),
          registry);
    } catch (ApiStatusException e) {
      return new Failed(e); // The response has started, so the error is sent as an event.
    }
  }

  /** Returns a watch that reports no changes, only the events that a test sends. */
  WatchStream scripted(ApiRequest request, ServedKind served) {
    ListQuery query = ListQuery.of(request, served, settings.shards());
    return new WatchStream(
        request,
        store.subscribeToNothing(),
        query,
        object -> object,
        settings.encoding(request, served),
        settings,
        timeout(query),
        registry);
  }

  private Duration timeout(ListQuery query) {
    Long seconds = query.timeoutSeconds();
    if (seconds != null && seconds > 0) {
      return Duration.ofSeconds(seconds);
    }
    return MIN_TIMEOUT.plusMillis(settings.random().nextLong(MIN_TIMEOUT.toMillis()));
  }

  /** Sends the error of a watch that cannot start, as its only event. */
  private record Failed(ApiStatusException failure) implements Response.Stream {
    @Override
    public void writeTo(Response.Sink sink) throws IOException, InterruptedException {
      for (byte[] part : ObjectEncoding.error(failure.status())) {
        sink.write(part);
      }
      sink.flush();
    }

    @Override
    public void stop() {}
  }
}
