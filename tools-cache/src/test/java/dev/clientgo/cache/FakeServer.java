package dev.clientgo.cache;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.CauseType;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusDetails;
import dev.clientgo.apimachinery.status.StatusReason;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongBinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A collection as a server keeps it: objects, a version that grows with each change, and a history
 * for watches that can be compacted. It follows the rules of the API for lists, pages, watches and
 * streaming lists, and can be made to answer from a stale cache, to forget, and to hang up.
 *
 * <p>Corresponds to client-go's {@code FakeControllerSource}, which knows neither versions in lists
 * nor pages nor streaming lists.
 */
final class FakeServer implements ListerWatcher<ApiObject> {

  /** A request as it came in. */
  record Request(boolean isWatch, ListOptions options) {
    @Override
    public String toString() {
      return (isWatch ? "WATCH " : "LIST ") + options;
    }
  }

  private record Change(long version, WatchEvent<ApiObject> event) {}

  private final List<Request> requests = new ArrayList<>();
  private final List<FakeWatch> watches = new ArrayList<>();
  private final List<Change> history = new ArrayList<>();
  private final TreeMap<Long, Map<String, ApiObject>> states = new TreeMap<>();
  private final Map<String, List<ApiObject>> pages = new HashMap<>();
  private long version;
  private long compacted;
  private int uids;

  /** Runs when a watch has no event: it waits, unless a simulation replaces it. */
  private Runnable idle = () -> {};

  private boolean isSimulated;
  private Consumer<Object> trace = line -> {};

  /** Chooses which version to answer from, between two. */
  private LongBinaryOperator cacheVersion = (oldest, newest) -> newest;

  private UnaryOperator<Request> fault = request -> request;
  private boolean watchListUnsupported;
  private boolean withholdsInitialEventsEnd;
  private boolean supportsShards;
  private BooleanSupplier breaksList = () -> false;
  private final Set<String> undecodable = new HashSet<>();

  FakeServer() {
    this(0);
  }

  FakeServer(long version) {
    this.version = version;
    this.compacted = version;
    states.put(version, Map.of());
  }

  // ---- control

  /** Has watches call this instead of waiting. */
  synchronized void simulate(Runnable idle) {
    this.idle = idle;
    this.isSimulated = true;
  }

  /** Has everything written down that happens here. */
  synchronized void trace(Consumer<Object> trace) {
    this.trace = trace;
  }

  synchronized void answerFrom(LongBinaryOperator cacheVersion) {
    this.cacheVersion = cacheVersion;
  }

  /** Has each request looked at first; the function may throw, or change the request. */
  synchronized void onRequest(UnaryOperator<Request> fault) {
    this.fault = fault;
  }

  synchronized void watchListUnsupported(boolean unsupported) {
    this.watchListUnsupported = unsupported;
  }

  /** Has streaming lists lack the bookmark at the end of their initial events. */
  synchronized void withholdInitialEventsEnd(boolean withhold) {
    this.withholdsInitialEventsEnd = withhold;
  }

  /** Has the server send only the objects of the shard that a request is for. */
  synchronized void supportShards(boolean supported) {
    this.supportsShards = supported;
  }

  private ShardSelector shard(ListOptions options) {
    String shard = supportsShards ? options.shardSelector() : null;
    return shard == null ? ShardSelector.EVERYTHING : ShardSelector.parse(shard);
  }

  /** Asked before each item of a list whether the connection breaks. */
  synchronized void breakList(BooleanSupplier breaksList) {
    this.breaksList = breaksList;
  }

  /** Makes every appearance of an object undecodable, or no longer. */
  synchronized void undecodable(String key, boolean isUndecodable) {
    if (isUndecodable) {
      undecodable.add(key);
    } else {
      undecodable.remove(key);
    }
  }

  @Override
  public synchronized boolean isWatchListSemanticsUnsupported() {
    return watchListUnsupported;
  }

  synchronized List<Request> requests() {
    return List.copyOf(requests);
  }

  synchronized void forgetRequests() {
    requests.clear();
  }

  synchronized long version() {
    return version;
  }

  synchronized Map<String, ApiObject> objects() {
    return states.lastEntry().getValue();
  }

  /** Creates or changes an object and returns the stored state. */
  synchronized ApiObject put(String key) {
    return put(key, object -> object);
  }

  synchronized ApiObject put(String key, UnaryOperator<ApiObject> change) {
    Map<String, ApiObject> objects = new TreeMap<>(objects());
    ApiObject old = objects.get(key);
    String uid = old == null ? newUid() : old.metadata().uid();
    ApiObject stored = change.apply(ApiObject.of(key, Long.toString(++version)).withUid(uid));
    objects.put(key, stored);
    record(
        objects, old == null ? new WatchEvent.Added<>(stored) : new WatchEvent.Modified<>(stored));
    return stored;
  }

  /** As those of a server, its uids differ in many places, so their hashes are spread evenly. */
  private synchronized String newUid() {
    return "uid-" + Long.toHexString(++uids * 0x9e3779b97f4a7c15L);
  }

  synchronized void delete(String key) {
    deleted(key);
  }

  /** Deletes an object and returns its last state, null if there is none. */
  synchronized @Nullable ApiObject deleted(String key) {
    Map<String, ApiObject> objects = new TreeMap<>(objects());
    ApiObject old = objects.remove(key);
    if (old == null) {
      return null;
    }
    ApiObject last =
        new ApiObject(old.metadata().toBuilder().resourceVersion(Long.toString(++version)).build());
    record(objects, new WatchEvent.Deleted<>(last));
    return last;
  }

  private void record(Map<String, ApiObject> objects, WatchEvent<ApiObject> event) {
    trace.accept(List.of("changed:", event));
    states.put(version, objects);
    history.add(new Change(version, event));
    notifyAll();
  }

  /** Forgets the history. */
  synchronized void compact() {
    trace.accept(List.of("compacted:", version));
    compacted = version;
    history.clear();
    pages.clear();
    states.headMap(version).clear();
  }

  /** Sends a bookmark to all watches that are up to date. */
  synchronized void bookmark() {
    for (FakeWatch watch : watches) {
      if (watch.bookmarks && watch.position == version) {
        watch.prefix.add(new WatchEvent.Bookmark<>(Long.toString(version), false));
      }
    }
    notifyAll();
  }

  /** Sends an event to all watches, out of turn. */
  synchronized void send(WatchEvent<ApiObject> event) {
    watches.forEach(watch -> watch.prefix.add(event));
    notifyAll();
  }

  /** Ends all watches, and drops the events that they have not sent yet. */
  synchronized void disconnect() {
    watches.forEach(watch -> watch.closed = true);
    watches.clear();
    notifyAll();
  }

  /** Does something of which watches do not hear, and ends them. */
  synchronized void silently(Runnable changes) {
    changes.run();
    disconnect();
  }

  synchronized int openWatches() {
    return watches.size();
  }

  /** Waits until a watch is open; the test has a timeout. */
  synchronized void awaitWatch() throws InterruptedException {
    while (watches.isEmpty()) {
      wait();
    }
  }

  /** Returns the versions of the lists asked for. */
  synchronized List<String> listedVersions() {
    return requests.stream()
        .filter(request -> !request.isWatch())
        .map(request -> String.valueOf(request.options().resourceVersion()))
        .toList();
  }

  // ---- list

  @Override
  public ListMeta list(ListOptions options, ListSink<? super ApiObject> sink) {
    List<ApiObject> rest;
    String at;
    ListMeta meta;
    List<ApiObject> items;
    synchronized (this) {
      ListOptions asked = received(false, options).options();
      String token = asked.continueToken();
      ShardSelector shard = shard(asked);
      if (token == null) {
        long from = listVersion(asked);
        at = Long.toString(from);
        rest = states.get(from).values().stream().filter(shard::matches).toList();
      } else {
        rest = pages.get(token);
        if (rest == null) {
          throw error(StatusReason.EXPIRED, 410, "the token has expired");
        }
        at = token.substring(0, token.indexOf('/'));
      }
      // As a server with a watch cache does: it ignores the limit for version 0.
      boolean whole = asked.limit() == null || "0".equals(asked.resourceVersion());
      int size = whole ? rest.size() : (int) Math.min(asked.limit(), rest.size());
      items = rest.subList(0, size);
      String next = null;
      if (size < rest.size()) {
        next = at + "/" + items.get(size - 1).metadata().name();
        pages.put(next, rest.subList(size, rest.size()));
      }
      trace.accept(List.of("listed:", at, items));
      meta =
          ListMeta.builder()
              .resourceVersion(at)
              .continueToken(next)
              .shardInfo(shard.isEverything() ? null : new ListMeta.ShardInfo(shard.toString()))
              .build();
    }
    for (ApiObject item : items) {
      if (breaksList.getAsBoolean()) {
        throw new TransportException(
            TransportException.Kind.CONNECTION_LOST, "the connection broke", null);
      }
      if (undecodable.contains(ObjectName.of(item).toString())) {
        sink.undecodable(decodingError(item));
      } else {
        sink.accept(item);
      }
    }
    return meta;
  }

  private static CodecException decodingError(ApiObject object) {
    return CodecException.mismatch("a broken object", "", -1, null)
        .inObject(null, ObjectName.of(object).toString());
  }

  private long listVersion(ListOptions options) {
    String asked = options.resourceVersion();
    if (asked == null || asked.isEmpty()) {
      return version;
    }
    return stateAt(notOlderThan(Long.parseLong(asked)));
  }

  private long notOlderThan(long asked) {
    if (asked > version) {
      throw new ApiStatusException(
          Status.builder()
              .reason(StatusReason.TIMEOUT)
              .code(504)
              .message("Too large resource version: " + asked + ", current: " + version)
              .details(
                  StatusDetails.builder()
                      .causes(
                          List.of(
                              StatusCause.builder()
                                  .reason(CauseType.RESOURCE_VERSION_TOO_LARGE)
                                  .build()))
                      .build())
              .build());
    }
    return cacheVersion.applyAsLong(Math.max(asked, compacted), version);
  }

  private long stateAt(long at) {
    return states.floorKey(at);
  }

  // ---- watch

  @Override
  public synchronized Watch<ApiObject> watch(ListOptions options) {
    ListOptions asked = received(true, options).options();
    String from = asked.resourceVersion();
    boolean any = from == null || from.isEmpty() || from.equals("0");
    FakeWatch watch = new FakeWatch(asked.allowWatchBookmarks(), shard(asked));
    if (Boolean.TRUE.equals(asked.sendInitialEvents())) {
      long exact = from == null || from.isEmpty() ? version : notOlderThan(Long.parseLong(from));
      long start = any && exact > compacted ? cacheVersion.applyAsLong(compacted, exact) : exact;
      watch.begin(start);
      history.stream()
          .filter(change -> change.version > start && change.version <= exact)
          .filter(watch::selects)
          .forEach(change -> watch.prefix.add(change.event));
      if (!withholdsInitialEventsEnd) {
        watch.prefix.add(new WatchEvent.Bookmark<>(Long.toString(exact), true));
      }
      watch.position = exact;
    } else if (any) {
      long start = cacheVersion.applyAsLong(compacted, version);
      watch.begin(start);
      watch.position = start;
    } else {
      watch.position = Long.parseLong(from);
      if (watch.position < compacted) {
        throw error(StatusReason.EXPIRED, 410, "too old resource version");
      }
    }
    watches.add(watch);
    return watch;
  }

  private Request received(boolean isWatch, ListOptions options) {
    Request request = new Request(isWatch, options);
    requests.add(request);
    trace.accept(request);
    notifyAll();
    return fault.apply(request);
  }

  static ApiStatusException error(String reason, int code, String message) {
    return new ApiStatusException(
        Status.builder().reason(reason).code(code).message(message).build());
  }

  /**
   * A watch that reads the history, so a disconnect or an expired version ends it at its next
   * event.
   */
  private final class FakeWatch implements Watch<ApiObject> {

    private final boolean bookmarks;
    private final ShardSelector shard;
    private final List<WatchEvent<ApiObject>> prefix = new ArrayList<>();
    private long position;
    private boolean closed;

    FakeWatch(boolean bookmarks, ShardSelector shard) {
      this.bookmarks = bookmarks;
      this.shard = shard;
    }

    private boolean selects(Change change) {
      ApiObject object = change.event.value();
      return object == null || shard.matches(object);
    }

    private void begin(long start) {
      states.get(stateAt(start)).values().stream()
          .filter(shard::matches)
          .forEach(object -> prefix.add(new WatchEvent.Added<>(object)));
    }

    @Override
    public Optional<WatchEvent<ApiObject>> next() throws InterruptedException {
      while (true) {
        synchronized (FakeServer.this) {
          if (closed) {
            return Optional.empty();
          }
          Optional<WatchEvent<ApiObject>> event = poll();
          if (event.isPresent()) {
            return event;
          }
          if (!isSimulated) {
            FakeServer.this.wait();
          }
        }
        idle.run();
      }
    }

    private Optional<WatchEvent<ApiObject>> poll() {
      Optional<WatchEvent<ApiObject>> event = read().map(this::decoded);
      event.ifPresent(sent -> trace.accept(List.of("sent:", sent)));
      return event;
    }

    private WatchEvent<ApiObject> decoded(WatchEvent<ApiObject> event) {
      Optional<ApiObject> object =
          event instanceof WatchEvent.Added<ApiObject> added
              ? Optional.of(added.value())
              : event instanceof WatchEvent.Modified<ApiObject> modified
                  ? Optional.of(modified.value())
                  : event instanceof WatchEvent.Deleted<ApiObject> deleted
                      ? Optional.of(deleted.value())
                      : Optional.empty();
      return object
          .filter(broken -> undecodable.contains(ObjectName.of(broken).toString()))
          .<WatchEvent<ApiObject>>map(
              broken ->
                  new WatchEvent.Failed<>(
                      event instanceof WatchEvent.Deleted
                          ? decodingError(broken).inDeleted()
                          : decodingError(broken)))
          .orElse(event);
    }

    private Optional<WatchEvent<ApiObject>> read() {
      if (!prefix.isEmpty()) {
        return Optional.of(prefix.remove(0));
      }
      if (position < compacted) {
        closed = true;
        return Optional.of(
            new WatchEvent.Failed<>(error(StatusReason.EXPIRED, 410, "too old resource version")));
      }
      Optional<Change> next =
          history.stream()
              .filter(change -> change.version > position)
              .filter(this::selects)
              .findFirst();
      position = next.isPresent() ? next.get().version : version;
      return next.map(Change::event);
    }

    @Override
    public void close() {
      synchronized (FakeServer.this) {
        closed = true;
        watches.remove(this);
        FakeServer.this.notifyAll();
      }
    }
  }
}
