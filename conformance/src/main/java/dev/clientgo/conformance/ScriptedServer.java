package dev.clientgo.conformance;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * An API server with ConfigMaps and nothing more, which misbehaves as a script demands.
 *
 * <p>Without faults it serves lists, pages, watches, streaming lists and bookmarks as the
 * kube-apiserver does. Every method that changes it is atomic to clients if the caller holds its
 * monitor.
 */
final class ScriptedServer implements AutoCloseable {

  /** A stored ConfigMap; no client can decode a broken one. */
  record Item(String name, String uid, String value, long version, boolean isBroken) {}

  private record Event(String type, Item item) {}

  private final Map<String, Item> items = new TreeMap<>();
  private final List<Event> history = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private final List<ServerStream> watches = new ArrayList<>();
  private final Map<Fault.Target, Integer> requests = new LinkedHashMap<>();
  private final Map<Long, List<Item>> laterPages = new LinkedHashMap<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Listener listener;
  private final ItemJson json = new ItemJson();
  private long version = 100;
  private long oldestVersion = 100;
  private int uids;
  private boolean servesStreamingLists = true;
  private boolean compresses;
  private boolean tricklesBytes;
  private int pageSize = Integer.MAX_VALUE;
  private boolean hasUsedPages;
  private boolean hasUsedGzip;

  ScriptedServer() throws IOException {
    listener = new Listener(this::serve);
    listener.open();
  }

  String url() {
    return listener.url();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    listener.close();
  }

  // ---- what a script does with it

  /** Returns the objects by their names. */
  synchronized Map<String, Item> items() {
    return new TreeMap<>(items);
  }

  synchronized void put(String name, String value) {
    Item old = items.get(name);
    String uid = old == null ? "uid-" + ++uids : old.uid();
    change(old == null ? "ADDED" : "MODIFIED", new Item(name, uid, value, ++version, false));
  }

  synchronized void breakItem(String name) {
    Item old = items.get(name);
    String uid = old == null ? "uid-" + ++uids : old.uid();
    change(old == null ? "ADDED" : "MODIFIED", new Item(name, uid, "", ++version, true));
  }

  synchronized void delete(String name) {
    Item old = requireNonNull(items.get(name), name);
    change("DELETED", new Item(name, old.uid(), old.value(), ++version, old.isBroken()));
  }

  /** Makes two changes of an object, whose events arrive in the wrong order. */
  synchronized void putReversed(String name, String value, String newerValue) {
    List<ServerStream> open = List.copyOf(watches);
    watches.clear();
    put(name, value);
    put(name, newerValue);
    watches.addAll(open);
    send(history.get(history.size() - 1));
    send(history.get(history.size() - 2));
  }

  /** Sends each event of the history once more. */
  synchronized void repeat() {
    List.copyOf(history).forEach(this::send);
  }

  synchronized void sendBookmark() {
    watches.forEach(watch -> watch.send(json.bookmark(version, false)));
  }

  /** Sends what an API server sends if it cannot continue a watch. */
  synchronized void sendError(int code) {
    watches.forEach(watch -> watch.send(json.errorEvent(code)));
    endWatches();
  }

  /** Forgets the versions until now, as a compaction of etcd does. */
  synchronized void forget() {
    history.clear();
    laterPages.clear();
    oldestVersion = version;
  }

  /** Restores a backup of etcd: old objects, and a lower version. */
  synchronized void restore(Map<String, String> backup) {
    Map<String, Item> before = new TreeMap<>(items);
    items.clear();
    history.clear();
    version = 10;
    oldestVersion = 10;
    backup.forEach(
        (name, value) -> {
          Item old = before.get(name);
          String uid = old == null ? "uid-" + ++uids : old.uid();
          items.put(name, new Item(name, uid, value, ++version, false));
        });
  }

  synchronized void cutWatches() {
    watches.forEach(ServerStream::cut);
    watches.clear();
  }

  synchronized void endWatches() {
    watches.forEach(ServerStream::end);
    watches.clear();
  }

  /** From now on, the open watches stay open and silent, in both directions. */
  synchronized void silenceWatches() {
    watches.forEach(ServerStream::silence);
    watches.clear();
  }

  synchronized void goDown() {
    listener.close();
    watches.clear();
  }

  void comeUp() throws IOException {
    listener.open();
  }

  synchronized void add(Fault fault) {
    faults.add(fault);
  }

  synchronized void removeFaults() {
    faults.clear();
  }

  synchronized void refuseStreamingLists() {
    servesStreamingLists = false;
  }

  synchronized void addUnknownFields() {
    json.addUnknownFields();
  }

  synchronized void compress() {
    compresses = true;
  }

  synchronized void trickle() {
    tricklesBytes = true;
  }

  synchronized void limitPages(int size) {
    pageSize = size;
  }

  /** Returns how many requests of a kind the client has sent. */
  synchronized int requests(Fault.Target target) {
    return requests.getOrDefault(target, 0);
  }

  synchronized int openWatches() {
    return watches.size();
  }

  synchronized boolean hasUsedPages() {
    return hasUsedPages;
  }

  synchronized boolean hasUsedGzip() {
    return hasUsedGzip;
  }

  private void change(String type, Item item) {
    if (type.equals("DELETED")) {
      items.remove(item.name());
    } else {
      items.put(item.name(), item);
    }
    Event event = new Event(type, item);
    history.add(event);
    send(event);
  }

  private void send(Event event) {
    watches.forEach(watch -> watch.send(json.event(event.type(), event.item())));
  }

  // ---- requests

  private synchronized void serve(ServerRequest request, Connection connection) throws IOException {
    if (!request.path().endsWith("/configmaps") || !request.method().equals("GET")) {
      connection.answer(404, json.status(404), false);
      return;
    }
    boolean watch = request.isTrue("watch");
    boolean streamingList = watch && request.isTrue("sendInitialEvents");
    Fault.Target target =
        watch && !streamingList
            ? Fault.Target.WATCH
            : request.has("continue") ? Fault.Target.PAGE : Fault.Target.LIST;
    if (streamingList) {
      requests.merge(Fault.Target.STREAMING_LIST, 1, Integer::sum);
      if (!servesStreamingLists) {
        connection.answer(422, json.status(422), false);
        return;
      }
    }
    requests.merge(target, 1, Integer::sum);
    Fault fault = streamingList ? takeFault(Fault.Target.STREAMING_LIST) : Fault.NONE;
    fault = fault == Fault.NONE ? takeFault(target) : fault;
    if (fault.status() != 0) {
      connection.answer(fault.status(), json.status(fault.status()), false, fault.headers());
    } else if (fault.isKind("html")) {
      connection.answer(200, "<html>Please log in</html>", false);
    } else if (watch) {
      watch(request, connection, streamingList, fault);
    } else {
      list(request, connection, fault);
    }
  }

  private Fault takeFault(Fault.Target target) {
    return takeFault(target, fault -> true);
  }

  private Fault takeFault(Fault.Target target, Predicate<Fault> matches) {
    for (Fault fault : faults) {
      if (fault.target() == target && matches.test(fault) && fault.take()) {
        return fault;
      }
    }
    return Fault.NONE;
  }

  private void list(ServerRequest request, Connection connection, Fault fault) throws IOException {
    if (request.number("resourceVersion") > version) {
      connection.answer(504, json.status(504), false);
      return;
    }
    List<Item> rest = List.copyOf(items.values());
    long listVersion = version;
    if (request.has("continue")) {
      listVersion = request.number("continue") / 1000;
      List<Item> page = laterPages.get(request.number("continue"));
      if (page == null) {
        connection.answer(410, json.status(410), false);
        return;
      }
      rest = page;
    }
    String token = "";
    if (request.has("limit") && rest.size() > Math.min(pageSize, request.number("limit"))) {
      int size = (int) Math.min(pageSize, request.number("limit"));
      long key = listVersion * 1000 + laterPages.size();
      laterPages.put(key, rest.subList(size, rest.size()));
      rest = rest.subList(0, size);
      token = Long.toString(key);
      hasUsedPages = hasUsedPages || request.number("limit") > 1;
    }
    String body = json.list(rest, listVersion, token);
    if (fault.isKind("cut") || fault.isKind("stall")) {
      ServerStream stream = connection.stream(false);
      stream.send(body.substring(0, body.length() / 2));
      if (fault.isKind("cut")) {
        stream.cut();
      } else {
        stream.silence();
      }
      return;
    }
    boolean gzip = compresses && request.header("accept-encoding").contains("gzip");
    hasUsedGzip = hasUsedGzip || gzip;
    connection.answer(200, body, gzip);
  }

  private void watch(
      ServerRequest request, Connection connection, boolean streamingList, Fault fault)
      throws IOException {
    long from = request.number("resourceVersion");
    boolean fromNow = from == 0;
    ServerStream stream = connection.stream(tricklesBytes);
    if (!streamingList && !fromNow && from < oldestVersion) {
      stream.send(
          json.errorEvent(410)); // Not the status of the answer: so does the kube-apiserver.
      stream.end();
      return;
    }
    if (streamingList || fromNow) {
      if (!sendInitialEvents(stream, streamingList, fault)) {
        return;
      }
    } else {
      history.stream()
          .filter(event -> event.item().version() > from)
          .forEach(event -> stream.send(json.event(event.type(), event.item())));
    }
    Fault watchFault = fault;
    if (streamingList) {
      requests.merge(Fault.Target.WATCH, 1, Integer::sum);
      watchFault = takeFault(Fault.Target.WATCH, Fault::breaksStreams);
    }
    if (!breaks(stream, watchFault)) {
      boolean isAhead = !streamingList && from > version;
      if (!isAhead) { // To a client that is ahead, the kube-apiserver sends nothing.
        watches.add(stream);
      }
      endLater(stream, request);
    }
  }

  /** Sends the objects as a watch from now does, and returns whether the watch continues. */
  private boolean sendInitialEvents(ServerStream stream, boolean streamingList, Fault fault) {
    List<Item> all = List.copyOf(items.values());
    boolean isCutShort = fault.isKind("stall") || fault.isKind("cut");
    all.subList(0, isCutShort ? all.size() / 2 : all.size())
        .forEach(item -> stream.send(json.event("ADDED", item)));
    if (breaks(stream, fault)) {
      return false;
    }
    if (streamingList && !fault.isKind("no-bookmark")) {
      stream.send(json.bookmark(version, true));
    }
    return true;
  }

  /** Returns whether a fault has ended a watch. */
  private boolean breaks(ServerStream stream, Fault fault) {
    switch (fault.kind()) {
      case "stall" -> stream.silence();
      case "cut" -> stream.cut();
      case "end" -> stream.end();
      case "error-event" -> {
        stream.send(json.errorEvent(fault.number()));
        stream.end();
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Ends a watch when the time is up for which the client has asked. */
  private void endLater(ServerStream stream, ServerRequest request) {
    if (request.has("timeoutSeconds")) {
      var unused =
          timer.schedule(() -> end(stream), request.number("timeoutSeconds"), TimeUnit.SECONDS);
    }
  }

  private synchronized void end(ServerStream stream) {
    stream.end();
    watches.remove(stream);
  }
}
