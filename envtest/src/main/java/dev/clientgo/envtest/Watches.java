package dev.clientgo.envtest;

import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.envtest.Store.Subscription;
import java.io.IOException;
import java.time.Duration;

/** The verb {@code watch}. */
final class Watches {

  /** A watch without a timeout of its own ends after once to twice this time. */
  private static final Duration MIN_TIMEOUT = Duration.ofMinutes(30);

  private final Store store;
  private final Settings settings;
  private final OpenWatches registry;

  Watches(Store store, Settings settings, OpenWatches registry) {
    this.store = store;
    this.settings = settings;
    this.registry = registry;
  }

  Response watch(ApiRequest request, Served served) {
    Encoding encoding = Encoding.of(request, served, settings.clock());
    ListQuery query = ListQuery.of(request, served);
    long named = query.isAnyVersion() ? 0 : Reads.parse(query.resourceVersion());
    return Response.of(200, "application/json", stream(request, served, query, encoding, named));
  }

  private Response.Stream stream(
      ApiRequest request, Served served, ListQuery query, Encoding encoding, long named) {
    try {
      boolean now = query.isAnyVersion() || query.wantsInitialEvents();
      if (query.wantsInitialEvents() && named > store.revision()) {
        throw Failures.tooLargeResourceVersion(query.resourceVersion(), store.revision());
      }
      Subscription subscription =
          store.subscribe(
              served.groupResource(), served.prefix(request), now ? null : (Long) named);
      return new WatchStream(
          request, subscription, query, encoding, settings, timeout(query), registry);
    } catch (ApiStatusException e) {
      return new Failed(e); // The answer has begun: what is wrong comes as an event.
    }
  }

  private Duration timeout(ListQuery query) {
    Long seconds = query.timeoutSeconds();
    if (seconds != null && seconds > 0) {
      return Duration.ofSeconds(seconds);
    }
    return MIN_TIMEOUT.plusMillis(settings.random().nextLong(MIN_TIMEOUT.toMillis()));
  }

  /** The one event of a watch that cannot begin. */
  private record Failed(ApiStatusException failure) implements Response.Stream {
    @Override
    public void writeTo(Response.Sink sink) throws IOException, InterruptedException {
      for (byte[] part : Encoding.error(failure.status())) {
        sink.write(part);
      }
      sink.flush();
    }

    @Override
    public void stop() {}
  }
}
