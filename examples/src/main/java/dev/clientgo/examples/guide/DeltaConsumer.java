package dev.clientgo.examples.guide;

import dev.clientgo.cache.DeletedObject;
import dev.clientgo.cache.Delta;
import dev.clientgo.cache.DeltaFIFO;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.cache.Queue;
import dev.clientgo.cache.RealFIFO;
import dev.clientgo.cache.metrics.InformerMetrics;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A queue and its consumer, which changes a store and prints what handlers would hear. It is the
 * idea of the informer's Controller, without locks and threads.
 */
final class DeltaConsumer implements Delta.Cases<ConfigMap, String> {

  private static final KeyFunction<ConfigMap> KEYS = KeyFunction.metaNamespace();

  /** The number of entries in a queue. */
  private static final class QueueLength implements InformerMetrics {

    private int length;

    @Override
    public void queueLength(int now) {
      length = now;
    }
  }

  private final String name;
  private final Queue<ConfigMap> queue;
  private final QueueLength length;
  private final Indexer<ConfigMap> store;
  private final PrintWriter out;

  private DeltaConsumer(
      String name,
      Queue<ConfigMap> queue,
      QueueLength length,
      Indexer<ConfigMap> store,
      PrintWriter out) {
    this.name = name;
    this.queue = queue;
    this.length = length;
    this.store = store;
    this.out = out;
  }

  static DeltaConsumer ofRealFifo(PrintWriter out) {
    QueueLength length = new QueueLength();
    Queue<ConfigMap> queue = RealFIFO.builder(KEYS).emitBookmarks(true).metrics(length).build();
    return new DeltaConsumer("RealFIFO", queue, length, Indexer.create(KEYS), out);
  }

  static DeltaConsumer ofDeltaFifo(PrintWriter out) {
    QueueLength length = new QueueLength();
    Indexer<ConfigMap> store = Indexer.create(KEYS);
    Queue<ConfigMap> queue = DeltaFIFO.builder(KEYS).knownObjects(store).metrics(length).build();
    return new DeltaConsumer("DeltaFIFO", queue, length, store, out);
  }

  Queue<ConfigMap> queue() {
    return queue;
  }

  /** Takes everything that is in the queue, one entry at a time. */
  void popAll() throws InterruptedException {
    if (length.length == 0) {
      print(name, "is empty");
    }
    while (length.length > 0) {
      queue.pop((deltas, isInInitialList) -> process("pop", deltas));
    }
  }

  /** Takes everything that is in the queue, in batches. */
  void popBatches() throws InterruptedException {
    while (length.length > 0) {
      queue.popBatch(
          (deltas, isInInitialList) -> process("batch", deltas),
          (deltas, isInInitialList) -> process("pop", deltas));
    }
  }

  private void process(String how, List<Delta<ConfigMap>> deltas) {
    String taken = deltas.stream().map(DeltaConsumer::describe).collect(Collectors.joining(", "));
    String heard =
        deltas.stream().map(delta -> delta.match(this)).collect(Collectors.joining(", "));
    print(name, how + " " + taken);
    print("", "-> " + heard);
  }

  void print(String who, String what) {
    out.printf("%-10s %s%n", who, what);
  }

  // ---- what the consumer does with each kind of delta

  @Override
  public String upserted(Delta.Upserted<ConfigMap> delta) {
    String call = callFor(delta.key(), delta.value());
    store.update(delta.value());
    return call;
  }

  /** The store decides: the delta only says what the server reported. */
  private String callFor(String key, ConfigMap object) {
    return (store.getByKey(key).isPresent() ? "onUpdate " : "onAdd ") + describe(object);
  }

  @Override
  public String deleted(Delta.Deleted<ConfigMap> delta) {
    store.deleteByKey(delta.key());
    return "onDelete " + describe(delta.deleted());
  }

  @Override
  public String replacedAll(Delta.ReplacedAll<ConfigMap> list) {
    List<String> calls = new ArrayList<>();
    for (ConfigMap known : store.list()) {
      String key = KEYS.keyOf(known);
      if (!list.objects().containsKey(key)) {
        calls.add("onDelete " + describe(DeletedObject.ofUnknownFinalState(key, known)));
      }
    }
    list.objects().forEach((key, object) -> calls.add(callFor(key, object)));
    store.replace(List.copyOf(list.objects().values()), list.resourceVersion());
    return String.join(", ", calls);
  }

  @Override
  public String syncAll(Delta.SyncAll<ConfigMap> delta) {
    return store.list().stream()
        .map(object -> "onUpdate " + describe(object))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  @Override
  public String bookmark(Delta.Bookmark<ConfigMap> delta) {
    store.bookmark(delta.resourceVersion());
    return "the store is at version " + store.lastStoreSyncResourceVersion();
  }

  // ---- text

  private static String describe(Delta<ConfigMap> delta) {
    if (delta instanceof Delta.Upserted<ConfigMap> upserted) {
      return delta.type() + " " + describe(upserted.value());
    } else if (delta instanceof Delta.Deleted<ConfigMap> deleted) {
      return delta.type() + " " + describe(deleted.deleted());
    } else if (delta instanceof Delta.ReplacedAll<ConfigMap> list) {
      return delta.type()
          + list.objects().values().stream().map(DeltaConsumer::describe).toList().toString();
    }
    return delta.type().toString();
  }

  private static String describe(DeletedObject<ConfigMap> deleted) {
    ConfigMap last = deleted.lastKnown();
    return (last == null ? deleted.key() : describe(last))
        + (deleted.finalStateUnknown() ? " (tombstone)" : "");
  }

  private static String describe(ConfigMap object) {
    return object.metadata().name() + "@" + object.metadata().resourceVersion();
  }
}
