package dev.clientgo.liveview;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.Delta;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.cache.InformerObserver;
import dev.clientgo.clock.Clock;
import dev.clientgo.liveview.StepLog.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The picture of one informer: its last frames, its queue, its listeners. The store shows itself,
 * by its snapshots.
 *
 * <p>Safe for use by many threads.
 */
final class InformerView<T extends KubernetesObject> implements InformerObserver<T> {

  /*
   * The informer calls the observer with its locks held, so the lock of this class comes last: under
   * it nothing of the informer is called. tree() asks the informer first.
   */

  /** How many entries of a box the page shows. It also shows how many there are. */
  static final int SHOWN = 30;

  private final ResourceType<T> type;
  private final Gates gates;
  private final StepLog log;
  private final ObjectHistory<T> history;
  private final ReentrantLock lock = new ReentrantLock();

  private volatile String name;
  private volatile InformerObserver.@Nullable Informer<? extends T> informer;

  @GuardedBy("lock")
  private final ArrayDeque<Map<String, Object>> frames = new ArrayDeque<>();

  @GuardedBy("lock")
  private long received;

  @GuardedBy("lock")
  private final DeltaMirror<T> queue = new DeltaMirror<>();

  @GuardedBy("lock")
  private final Map<String, ListenerView> listeners = new LinkedHashMap<>();

  @GuardedBy("lock")
  private String lastError = "";

  InformerView(ResourceType<T> type, Gates gates, StepLog log, Clock clock) {
    this.type = type;
    this.gates = gates;
    this.log = log;
    this.name = type.resource().resource();
    this.history = new ObjectHistory<>(clock);
  }

  String name() {
    return name;
  }

  /** Returns whether this shows an informer of the type that has ended. */
  boolean hasEnded(ResourceType<?> ofType) {
    InformerObserver.Informer<? extends T> shown = informer;
    return type.resource().equals(ofType.resource()) && shown != null && shown.isStopped();
  }

  /** Returns how many objects the server and a store have not, or not in the same version. */
  static int differences(Map<String, String> versions, List<? extends KubernetesObject> store) {
    int known = 0;
    int same = 0;
    for (KubernetesObject object : store) {
      String version = versions.get(keyOf(object));
      known += version == null ? 0 : 1;
      same += versionOf(object).equals(version) ? 1 : 0;
    }
    return versions.size() + store.size() - known - same;
  }

  private static String keyOf(@Nullable KubernetesObject object) {
    return object == null ? "" : ObjectName.of(object).toString();
  }

  private static String versionOf(@Nullable KubernetesObject object) {
    String version = object == null ? null : object.metadata().resourceVersion();
    return version == null ? "" : version;
  }

  // ---- the Reflector

  @Override
  public void started(InformerObserver.Informer<? extends T> started) {
    name = started.name();
    informer = started;
    lock.lock();
    try {
      queue.clear();
      listeners.clear();
      lastError = ""; // Of an informer that had this observer before.
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void listing(ListOptions request) {
    request("LIST", "", request);
  }

  @Override
  public void watching(ListOptions request) {
    request("WATCH", Boolean.TRUE.equals(request.sendInitialEvents()) ? " +objects" : "", request);
  }

  private void request(String verb, String suffix, ListOptions request) {
    String version = request.resourceVersion();
    frame(verb + suffix, "", version == null || version.isEmpty() ? "" : version);
    log.step(Kind.REQUEST, name, verb, version == null ? "" : "resourceVersion=" + version);
  }

  @Override
  public void received(WatchEvent<T> event) throws InterruptedException {
    gates.of(Stage.RECEIVE).pass();
    String what;
    String key = keyOf(event.value());
    String version = versionOf(event.value());
    if (event instanceof WatchEvent.Bookmark<T> bookmark) {
      what = "BOOKMARK";
      version = bookmark.resourceVersion();
    } else if (event instanceof WatchEvent.Failed<T> failed) {
      what = "ERROR";
      key = StepLog.shortened(message(failed.error()));
    } else {
      what = event.getClass().getSimpleName().toUpperCase(Locale.ROOT);
      history.step(key, "event " + what, null, null);
    }
    frame(what, key, version);
    log.step(what.equals("ERROR") ? Kind.ERROR : Kind.FRAME, name, what, key);
  }

  private static String message(RuntimeException error) {
    if (error instanceof ApiStatusException status) {
      return status.code() + " " + status.reason() + ": " + error.getMessage();
    }
    return error instanceof KubernetesException && error.getMessage() != null
        ? error.getMessage()
        : error.toString();
  }

  private void frame(String what, String key, String version) {
    lock.lock();
    try {
      Map<String, Object> frame = new LinkedHashMap<>();
      frame.put("number", ++received);
      frame.put("what", what);
      frame.put("key", key);
      frame.put("version", version);
      frames.addLast(frame);
      if (frames.size() > SHOWN / 2) {
        frames.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void failed(RuntimeException error) {
    lock.lock();
    try {
      lastError = StepLog.shortened(message(error));
    } finally {
      lock.unlock();
    }
    log.step(Kind.ERROR, name, error.getClass().getSimpleName(), message(error));
  }

  // ---- the queue and the store

  @Override
  public void queued(Delta<T> delta) {
    lock.lock();
    try {
      lastError = ""; // The server has answered since.
      queue.queued(delta);
    } finally {
      lock.unlock();
    }
    step(Kind.QUEUED, delta);
  }

  @Override
  public void popping() throws InterruptedException {
    gates.of(Stage.POP).pass();
  }

  @Override
  public void popped(List<Delta<T>> deltas) {
    lock.lock();
    try {
      queue.popped(deltas);
    } finally {
      lock.unlock();
    }
    deltas.forEach(delta -> step(Kind.POPPED, delta));
  }

  private void step(Kind kind, Delta<T> delta) {
    String key = DeltaMirror.keyOf(delta);
    log.step(kind, name, delta.type().name(), key);
    if (delta instanceof Delta.ObjectDelta<T>) {
      history.step(key, kind.name().toLowerCase(Locale.ROOT) + " " + delta.type(), null, null);
    }
  }

  @Override
  public void stored(String key, @Nullable T before, @Nullable T after) {
    String change = change(before, after);
    history.step(key, "stored " + change, before, after);
    log.step(Kind.STORED, name, change, key);
  }

  private static String change(@Nullable Object before, @Nullable Object after) {
    return before == null ? "added" : after == null ? "deleted" : "updated";
  }

  // ---- the listeners

  @Override
  public void notified(String handler, @Nullable T before, @Nullable T after) {
    String key = keyOf(after == null ? before : after);
    String what = before != null && before == after ? "resync" : change(before, after);
    lock.lock();
    try {
      listenerLocked(handler).notified(what, key);
    } finally {
      lock.unlock();
    }
    log.step(Kind.NOTIFIED, handler, what, key);
  }

  @Override
  public void delivering(String handler, @Nullable T before, @Nullable T after)
      throws InterruptedException {
    gates.of(Stage.DELIVER).pass();
    String key = keyOf(after == null ? before : after);
    lock.lock();
    try {
      listenerLocked(handler).delivering();
    } finally {
      lock.unlock();
    }
    String name = handler.substring(handler.indexOf(" handler ") + 1);
    history.step(key, "delivered " + change(before, after) + ", " + name, null, null);
    log.step(Kind.DELIVERED, handler, change(before, after), key);
  }

  @Override
  public void delivered(String handler, @Nullable Throwable error) {
    lock.lock();
    try {
      listenerLocked(handler).delivered(error != null);
    } finally {
      lock.unlock();
    }
    if (error != null) {
      log.step(Kind.ERROR, name, "handler", String.valueOf(error.getMessage()));
    }
  }

  @GuardedBy("lock")
  private ListenerView listenerLocked(String handler) {
    return listeners.computeIfAbsent(handler, any -> new ListenerView());
  }

  // ---- the picture

  /** Returns the steps and the changes of an object, the newest first. */
  List<Object> history(String key) {
    return history.tree(key, (before, after) -> FieldChanges.between(type, before, after));
  }

  /**
   * Returns the picture.
   *
   * @param server what the server has, null if that is not known
   */
  Map<String, Object> tree(@Nullable ServerState server) {
    InformerObserver.Informer<? extends T> shown = informer;
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", name);
    tree.put("deltaFIFO", shown != null && shown.usesDeltaFIFO());
    if (shown != null) {
      InformerHealth health = shown.health();
      tree.put("state", shown.isStopped() ? "STOPPED" : health.state().name());
      tree.put("version", shown.lastSyncResourceVersion());
      IndexSnapshot<? extends T> store = shown.indexer().snapshot();
      tree.put("store", store(store));
      if (server != null) {
        tree.put("differs", differences(server.versions(), store.list()));
      }
      lock.lock();
      try {
        listeners.keySet().retainAll(health.handlers().stream().map(h -> h.name()).toList());
        health.handlers().forEach(handler -> listenerLocked(handler.name()));
      } finally {
        lock.unlock();
      }
    }
    lock.lock();
    try {
      tree.put("received", received);
      tree.put("frames", new ArrayList<Object>(frames));
      tree.put("queue", queue.tree(shown != null && shown.usesDeltaFIFO()));
      List<Object> handlers = new ArrayList<>();
      listeners.forEach((handler, listener) -> handlers.add(listener.tree(handler)));
      tree.put("listeners", handlers);
      tree.put("error", lastError);
    } finally {
      lock.unlock();
    }
    return tree;
  }

  private static <T extends KubernetesObject> Map<String, Object> store(IndexSnapshot<T> store) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("size", store.size());
    tree.put("version", store.resourceVersion());
    List<Object> objects = new ArrayList<>();
    store.list().stream()
        .limit(10L * SHOWN)
        .sorted(Comparator.comparing(InformerView::keyOf))
        .limit(SHOWN)
        .forEach(object -> objects.add(Map.of("key", keyOf(object), "version", versionOf(object))));
    tree.put("objects", objects);
    List<Object> indices = new ArrayList<>();
    for (String index : store.indexers().keySet().stream().sorted().toList()) {
      List<Object> values = new ArrayList<>();
      List<String> all = store.listIndexFuncValues(index);
      all.stream()
          .sorted()
          .limit(SHOWN / 3)
          .forEach(
              value -> {
                List<String> keys = store.indexKeys(index, value);
                values.add(
                    Map.of(
                        "value",
                        StepLog.shortened(value),
                        "size",
                        keys.size(),
                        "keys",
                        keys.stream().limit(5).toList()));
              });
      indices.add(Map.of("name", index, "size", all.size(), "values", values));
    }
    tree.put("indices", indices);
    return tree;
  }
}
