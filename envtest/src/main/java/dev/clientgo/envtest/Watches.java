package dev.clientgo.envtest;

import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.errors.ApiStatusException;
import dev.clientgo.envtest.Resource.Version;
import dev.clientgo.envtest.Store.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The verb {@code watch}. */
final class Watches {

  /** A watch without a timeout of its own ends after once to twice this time. */
  private static final Duration MIN_TIMEOUT = Duration.ofMinutes(30);

  private final Store store;
  private final Clock clock;
  private final RandomGenerator random;
  private final Duration bookmarkInterval;

  Watches(Store store, Clock clock, RandomGenerator random, Duration bookmarkInterval) {
    this.store = store;
    this.clock = clock;
    this.random = random;
    this.bookmarkInterval = bookmarkInterval;
  }

  Response watch(ApiRequest request, Resource resource, Version version) {
    Encoding encoding = Encoding.of(request, resource, version);
    ListQuery query = ListQuery.of(request, version);
    Long after =
        query.isAnyVersion() || query.wantsInitialEvents()
            ? null
            : (Long) Reads.parse(query.resourceVersion());
    Response.Stream stream;
    try {
      Subscription subscription =
          store.subscribe(resource.groupResource(), resource.prefix(request), after);
      stream =
          new WatchStream(subscription, query, encoding, clock, bookmarkInterval, timeout(query));
    } catch (ApiStatusException e) {
      // By now the answer has begun: what is wrong comes as an event.
      stream = new Failed(e);
    }
    return Response.of(200, "application/json", stream);
  }

  private Duration timeout(ListQuery query) {
    Long seconds = query.timeoutSeconds();
    if (seconds != null && seconds > 0) {
      return Duration.ofSeconds(seconds);
    }
    return MIN_TIMEOUT.plusMillis(random.nextLong(MIN_TIMEOUT.toMillis()));
  }

  /** The one event of a watch that cannot begin. */
  private record Failed(ApiStatusException failure) implements Response.Stream {
    @Override
    public void writeTo(Response.Sink sink) throws IOException {
      for (byte[] part : Encoding.error(Response.tree(failure.status()))) {
        sink.write(part);
      }
      sink.flush();
    }

    @Override
    public void stop() {}
  }
}
