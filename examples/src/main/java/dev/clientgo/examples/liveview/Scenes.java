package dev.clientgo.examples.liveview;

import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.liveview.Part;
import dev.clientgo.liveview.Scene;
import dev.clientgo.liveview.Scene.Step;
import dev.clientgo.liveview.Stage;
import dev.clientgo.liveview.Text;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The scenes of the live view. Each begins with a fresh program and no pods, so they need a server
 * on which only the lesson changes pods.
 */
final class Scenes {

  private static final String WEB_1 = "default/web-1";
  private static final String WEB_2 = "default/web-2";

  /** The scenes that a server plays only if it fails, or reports its version, on demand. */
  private static final Set<String> NEEDS_EMBEDDED =
      Set.of("unseen-delete", "resync-relist", "two-queues", "bookmark", "two-replicas");

  private final PodPipeline pods;

  Scenes(PodPipeline pods) {
    this.pods = pods;
  }

  void addTo(LiveView.Builder builder) {
    if (pods.cluster().isOwn() && !pods.cluster().runsPods()) {
      boolean isEmbedded = pods.cluster().embeddedServer().isPresent();
      all()
          .filter(scene -> isEmbedded || !NEEDS_EMBEDDED.contains(scene.id()))
          .forEach(builder::scene);
    }
  }

  private Stream<Scene> all() {
    return Stream.of(
        unseenDelete(),
        tenChanges(),
        slowHandler(),
        resyncAndRelist(),
        twoQueues(),
        backoff(),
        index(),
        ownWrite(),
        bookmark(),
        new ReplicasScene(pods).scene());
  }

  static Step step(Set<Part> about, String en, String zh, Scene.Body body) {
    return new Step(new Text(en, zh), about, body);
  }

  private Scene unseenDelete() {
    return new Scene(
        "unseen-delete",
        new Text("A delete nobody saw", "没人看见的删除"),
        List.of(
            step(
                Set.of(Part.REFLECTOR, Part.STORE),
                "Two pods are in the cache. The Reflector has read them, and follows them with a"
                    + " watch.",
                "缓存里有两个 Pod。Reflector 已经读取了它们，并用 watch 跟踪后续变化。",
                () -> {
                  pods.begin(false);
                  createTwo();
                }),
            step(
                Set.of(Part.WIRE, Part.REFLECTOR, Part.STORE),
                "The server cannot be reached. The cache stays as it is: readers get the last known"
                    + " state, not an error. The Reflector asks again, here after two seconds at"
                    + " most; by default its pauses grow to a minute.",
                "服务器连不上了。缓存保持原样：读取者得到最后已知的状态，而不是错误。" + "Reflector 不断重试，这里最多停顿两秒；默认的停顿会逐渐增加到一分钟。",
                () -> {
                  pods.server().stop();
                  pods.await(() -> pods.server().watches().isEmpty());
                }),
            step(
                Set.of(Part.SERVER),
                "Meanwhile default/web-1 is deleted, and the server forgets its old versions. No"
                    + " event will ever report this deletion.",
                "与此同时 default/web-1 被删除，服务器也丢弃了旧版本。再也不会有事件报告这次删除。",
                () -> {
                  pods.writer().delete(WEB_1);
                  pods.server().faults().expireResourceVersions();
                }),
            step(
                Set.of(Part.WIRE, Part.FIFO),
                "The server is back. It refuses the old version with 410, so the Reflector reads the"
                    + " whole collection. The list waits in the RealFIFO as one delta, REPLACED_ALL;"
                    + " the store still has both pods.",
                "服务器恢复了。它用 410 拒绝旧版本，于是 Reflector 重新读取整个集合。"
                    + "这份列表作为一个 delta（REPLACED_ALL）在 RealFIFO 中等待；存储里仍有两个 Pod。",
                () -> {
                  String before = pods.informer().lastSyncResourceVersion();
                  pods.view().pause(Stage.POP);
                  pods.server().restart();
                  pods.await(() -> !pods.informer().lastSyncResourceVersion().equals(before));
                }),
            step(
                Set.of(Part.STORE, Part.LISTENERS),
                "The Controller compares the list with the store and finds that default/web-1 is"
                    + " gone. Handlers hear onDelete, and its finalStateUnknown() is true: the state that"
                    + " they get is the last one the cache knew.",
                "Controller 把列表与存储比较，发现 default/web-1 不见了。处理函数收到 onDelete，"
                    + "它的 finalStateUnknown() 为 true：得到的是缓存里最后已知的状态。",
                () -> {
                  int before = pods.enqueued();
                  pods.view().resume(Stage.POP);
                  pods.await(() -> size() == 1 && pods.enqueued() > before);
                })));
  }

  private Scene tenChanges() {
    return new Scene(
        "ten-changes",
        new Text("Ten changes, one key", "十次修改，一个 key"),
        List.of(
            step(
                Set.of(Part.QUEUE),
                "A pod is created. Its key goes through the work queue once: add, get, done.",
                "创建一个 Pod。它的 key 在工作队列中走一遍：add、get、done。",
                () -> {
                  pods.begin(false);
                  pods.create("default", "web-1", "node-1");
                  pods.await(() -> pods.reconciled() == 1);
                }),
            step(
                Set.of(Part.QUEUE),
                "The workers are paused, and the pod changes once. One worker has taken the key: it"
                    + " is in the processing set.",
                "worker 被暂停，Pod 修改一次。一个 worker 已经取走了 key：它在 processing 集合里。",
                () -> {
                  pods.view().pause(Stage.WORK);
                  pods.writer().change(WEB_1);
                  pods.await(() -> pods.enqueued() == 2 && pods.queued() == 0);
                }),
            step(
                Set.of(Part.LISTENERS, Part.QUEUE),
                "Nine more changes. The handlers hear of each one, but the work queue holds the key"
                    + " once: it is dirty, and no second worker may have it while the first is not"
                    + " done. Eight adds were merged.",
                "再修改九次。处理函数每次都会收到通知，但工作队列只保存这个 key 一次：它是 dirty 的，"
                    + "而且在第一个 worker 完成之前，别的 worker 拿不到它。其中八次 add 被合并。",
                () -> {
                  for (int i = 0; i < 9; i++) {
                    pods.writer().change(WEB_1);
                  }
                  pods.await(() -> pods.enqueued() == 11);
                }),
            step(
                Set.of(Part.QUEUE, Part.WORKERS),
                "The workers go on. The first is done, so the key enters the queue, and is processed"
                    + " once more. Ten changes cost two reconciles, after the first one of the new"
                    + " pod; the last reads the newest state from the cache.",
                "worker 继续。第一个完成后，key 进入队列并再处理一次。" + "新建时调谐过一次，之后十次修改只用了两次调谐；最后一次从缓存读到最新状态。",
                () -> {
                  pods.view().resume(Stage.WORK);
                  pods.await(() -> pods.reconciled() == 3);
                })));
  }

  private Scene slowHandler() {
    return new Scene(
        "slow-handler",
        new Text("A slow handler", "一个慢处理函数"),
        List.of(
            step(
                Set.of(Part.LISTENERS),
                "Two handlers listen. Each has a ProcessorListener: a buffer and a thread of its"
                    + " own. The handler “audits” now hangs in each call, as if its disk were full.",
                "有两个处理函数在监听。每个都有自己的 ProcessorListener：一个缓冲区和一个线程。"
                    + "处理函数 “audits” 现在每次调用都会卡住，就像磁盘满了。",
                () -> {
                  pods.begin(false);
                  pods.auditSlowly(Duration.ofDays(1));
                }),
            step(
                Set.of(Part.LISTENERS),
                "Six pods are created. They are in the store, and “enqueues” has heard of all of"
                    + " them. For “audits” they wait in its buffer. Nothing else waits: not the"
                    + " watch, not the store, not the other handler.",
                "创建六个 Pod。它们已在存储里，“enqueues” 也全部收到。"
                    + "给 “audits” 的通知则在它的缓冲区里等待。其他都不受影响：watch、存储、另一个处理函数。",
                () -> {
                  createSix();
                  pods.await(() -> size() == 6 && pods.enqueued() == 6);
                }),
            step(
                Set.of(Part.LISTENERS),
                "The handler is fast again, and its buffer drains in order. The buffer has no bound,"
                    + " so a handler should do little: put a key into a work queue.",
                "处理函数恢复正常，缓冲区按顺序清空。缓冲区没有上限，所以处理函数应当只做很少的事：把 key 放进工作队列。",
                () -> {
                  pods.auditSlowly(Duration.ZERO);
                  pods.await(() -> pods.audited() == 6);
                })));
  }

  private Scene resyncAndRelist() {
    return new Scene(
        "resync-relist",
        new Text("Resync is not relist", "resync 不是 relist"),
        List.of(
            step(
                Set.of(Part.STORE),
                "Two pods are in the cache.",
                "缓存里有两个 Pod。",
                () -> {
                  pods.begin(false);
                  createTwo();
                }),
            step(
                Set.of(Part.FIFO, Part.LISTENERS),
                "A resync sends no request. One delta, SYNC_ALL, goes through the queue; the store"
                    + " does not change. Handlers hear onUpdate of each object, with the same object"
                    + " twice. It reminds them of the cache, and cannot correct the cache.",
                "resync 不发送任何请求。一个 delta（SYNC_ALL）经过队列，存储不变。"
                    + "处理函数收到每个对象的 onUpdate，新旧是同一个对象。它只是用缓存提醒处理函数，不能纠正缓存。",
                () -> {
                  int before = pods.enqueued();
                  pods.informer().resync();
                  pods.await(() -> pods.enqueued() == before + 2);
                }),
            step(
                Set.of(Part.WIRE, Part.REFLECTOR),
                "A relist asks the server. The watch has ended with 410, so the Reflector requests"
                    + " the whole collection: see the request among the events. It corrects the"
                    + " cache if that differs from the server.",
                "relist 会询问服务器。watch 以 410 结束，于是 Reflector 请求整个集合：请看事件里的请求。" + "如果缓存与服务器不同，它会被纠正。",
                () -> {
                  long before = lists();
                  pods.relist();
                  pods.await(() -> lists() > before && pods.server().watches().size() == 1);
                })));
  }

  private Scene twoQueues() {
    return new Scene(
        "two-queues",
        new Text("RealFIFO beside DeltaFIFO", "RealFIFO 与 DeltaFIFO 并排"),
        List.of(
            step(
                Set.of(Part.FIFO),
                "Two informers follow the same pods, one with a RealFIFO, one with a DeltaFIFO. Both"
                    + " Controllers are paused.",
                "两个 informer 跟踪相同的 Pod，一个用 RealFIFO，一个用 DeltaFIFO。两个 Controller 都已暂停。",
                () -> {
                  pods.begin(true);
                  pods.view().pause(Stage.POP);
                }),
            step(
                Set.of(Part.FIFO),
                "web-1 is created, web-2 is created, web-1 changes twice, web-2 is deleted. The"
                    + " RealFIFO has five deltas in the order of the events. The DeltaFIFO has two"
                    + " entries: each object with all its deltas. The order between the objects is"
                    + " lost.",
                "创建 web-1，创建 web-2，修改 web-1 两次，删除 web-2。RealFIFO 有五个 delta，保持事件的顺序。"
                    + "DeltaFIFO 有两个条目：每个对象带着它的全部 delta。对象之间的顺序丢失了。",
                () -> {
                  pods.create("default", "web-1", "node-1");
                  pods.create("default", "web-2", "node-2");
                  pods.writer().change(WEB_1);
                  pods.writer().change(WEB_1);
                  pods.writer().delete(WEB_2);
                  awaitRead();
                }),
            step(
                Set.of(Part.STORE),
                "The Controllers go on. Both stores end in the same state. The RealFIFO has handed"
                    + " over the deltas in the order of the events; the DeltaFIFO first all of"
                    + " web-1, then all of web-2.",
                "Controller 继续。两个存储最终状态相同。RealFIFO 按事件的顺序交出 delta；"
                    + "DeltaFIFO 先交出 web-1 的全部 delta，再交出 web-2 的。",
                () -> {
                  pods.view().resume(Stage.POP);
                  for (SharedIndexInformer<?> informer : pods.informers()) {
                    pods.await(() -> informer.indexer().listKeys().equals(List.of(WEB_1)));
                  }
                })));
  }

  private Scene backoff() {
    return new Scene(
        "backoff",
        new Text("A failed reconcile backs off", "失败的调谐会退避"),
        List.of(
            step(
                Set.of(Part.WORKERS, Part.QUEUE),
                "The reconcile of default/web-1 throws. The worker calls addRateLimited and done:"
                    + " the key waits outside the queue, first for 0.5 s, and is tried again.",
                "default/web-1 的调谐抛出异常。worker 调用 addRateLimited 和 done：key 在队列之外等待，首次 0.5 秒，然后重试。",
                () -> {
                  pods.begin(false);
                  pods.fail(WEB_1);
                  pods.create("default", "web-1", "node-1");
                  pods.await(() -> pods.failures() >= 1);
                }),
            step(
                Set.of(Part.QUEUE),
                "Each failure doubles the wait: 0.5 s, 1 s, 2 s, and here 8 s at most. So a broken object"
                    + " costs little.",
                "每次失败等待加倍：0.5 秒、1 秒、2 秒，这里最多 8 秒。所以一个有问题的对象代价很小。",
                () -> pods.await(() -> pods.failures() >= 3)),
            step(
                Set.of(Part.QUEUE, Part.WORKERS),
                "Other keys do not wait for it: default/web-2 is created and reconciled at once.",
                "其他 key 不会等它：创建 default/web-2，立刻就被调谐。",
                () -> {
                  pods.create("default", "web-2", "node-2");
                  pods.await(() -> pods.reconciled() == 1);
                }),
            step(
                Set.of(Part.QUEUE, Part.WORKERS),
                "The cause is repaired. The next try succeeds, and forget() makes the rate limiter"
                    + " begin at 0.5 s again.",
                "原因已修复。下一次尝试成功，forget() 让限速器重新从 0.5 秒开始。",
                () -> {
                  pods.repair();
                  pods.await(() -> pods.reconciled() == 2);
                })));
  }

  private Scene index() {
    return new Scene(
        "index",
        new Text("Index at work", "索引如何工作"),
        List.of(
            step(
                Set.of(Part.STORE),
                "Beside the objects, the Indexer keeps two indices: namespace and node. An index"
                    + " function gives the values of an object; the index maps each value to the objects that have it.",
                "除了对象，Indexer 还保存两个索引：namespace 和 node。索引函数从对象算出索引值；索引记录每个值对应哪些对象。",
                () -> {
                  pods.begin(false);
                  createSix();
                  pods.create("default", "web-7", null);
                  pods.await(() -> size() == 7);
                }),
            step(
                Set.of(Part.STORE),
                "default/web-7 has no node yet, so the index “node” does not have it. The index"
                    + " “namespace” has.",
                "default/web-7 还没有节点，所以索引 “node” 里没有它，而索引 “namespace” 里有。",
                () -> pods.await(() -> keysOnNode("node-2") == 2)),
            step(
                Set.of(Part.STORE),
                "The pod is bound to node-2. The store changes the object and both indices in one"
                    + " step, so no reader sees one without the other.",
                "Pod 被绑定到 node-2。存储以一次原子操作更新对象和两个索引，读取者不会看到只改了一半的状态。",
                () -> {
                  pods.writer().bind("default/web-7", "node-2");
                  pods.await(() -> keysOnNode("node-2") == 3);
                }),
            step(
                Set.of(Part.STORE),
                "byIndex(\"node\", \"node-2\") now gives three objects and looks at no other: a question"
                    + " costs as much as its answer. The price: an update calls each index"
                    + " function twice.",
                "byIndex(\"node\", \"node-2\") 现在返回三个对象，不扫描其余对象：查询的开销只与结果的多少有关。"
                    + "代价在写入时：每次更新都要调用每个索引函数两次。",
                () ->
                    pods.await(
                        () -> pods.informer().indexer().byIndex("node", "node-2").size() == 3))));
  }

  private Scene ownWrite() {
    return new Scene(
        "own-write",
        new Text("My own write comes back", "自己的写入回来了"),
        List.of(
            step(
                Set.of(Part.WRITE, Part.WORKERS),
                "The worker now writes: it notes on the pod which change it has seen. Its own write"
                    + " comes back over the watch like any other change, and the second reconcile"
                    + " finds nothing to do.",
                "现在 worker 会写入：它在 Pod 上记下见到的是哪次修改。自己的写入像其他变化一样经 watch 回来，第二次调谐发现无事可做。",
                () -> {
                  pods.begin(false);
                  pods.write();
                  pods.create("default", "web-1", "node-1");
                  pods.await(() -> pods.reconciled() == 2 && cachedIsNoted());
                }),
            step(
                Set.of(Part.FIFO, Part.STORE, Part.WRITE),
                "The pod changes, and the worker writes again. But the stage from the RealFIFO to"
                    + " the store is paused: the own write waits there, and the cache is behind the"
                    + " server.",
                "Pod 被修改，worker 再次写入。但从 RealFIFO 到存储的阶段已暂停：自己的写入在那里等待，缓存落后于服务器。",
                () -> {
                  pods.view().pause(Stage.WORK);
                  pods.writer().change(WEB_1);
                  pods.await(() -> pods.enqueued() == 3);
                  pods.view().pause(Stage.POP);
                  pods.view().resume(Stage.WORK);
                  pods.await(() -> pods.reconciled() == 3);
                }),
            step(
                Set.of(Part.WORKERS, Part.WRITE, Part.QUEUE),
                "A timer adds the key again. The worker reads the old pod from the cache, takes its"
                    + " own write for missing, and sends it with the old resourceVersion. The server"
                    + " refuses: 409 Conflict. The key is delayed, and tried again.",
                "定时器再次加入这个 key。worker 从缓存读到旧的 Pod，以为自己还没有写入，于是带着旧的 resourceVersion 再写一次。"
                    + "服务器拒绝：409 Conflict。key 被延迟，稍后重试。",
                () -> {
                  pods.enqueue(WEB_1);
                  pods.await(() -> pods.failures() >= 1);
                }),
            step(
                Set.of(Part.STORE, Part.WORKERS),
                "The own write reaches the cache. The next try reads it, and finds nothing to do. A"
                    + " conflict needs no code: return the error, and the queue tries again.",
                "自己的写入到达缓存。下一次尝试读到它，发现无事可做。冲突不需要专门的代码：返回错误，队列会重试。",
                () -> {
                  pods.view().resume(Stage.POP);
                  pods.await(() -> cachedIsNoted() && pods.reconciled() >= 4);
                })));
  }

  private Scene bookmark() {
    return new Scene(
        "bookmark",
        new Text("A bookmark saves a quiet watch", "书签让沉寂的 watch 不过期"),
        List.of(
            step(
                Set.of(Part.REFLECTOR),
                "Two pods are in the cache. Nothing happens to them for a long time, so the watch is"
                    + " quiet.",
                "缓存里有两个 Pod。它们很久没有变化，所以 watch 很安静。",
                () -> {
                  pods.begin(false);
                  createTwo();
                }),
            step(
                Set.of(Part.SERVER, Part.REFLECTOR),
                "Elsewhere in the cluster much is written. No event of a pod comes, so the Reflector"
                    + " remembers an old version, which the server will soon forget.",
                "集群的其他地方有很多写入。没有 Pod 的事件，所以 Reflector 记着一个旧版本，而服务器很快就会丢弃它。",
                () -> {
                  for (int i = 0; i < 20; i++) {
                    pods.server().put(configMap(i));
                  }
                }),
            step(
                Set.of(Part.WIRE, Part.REFLECTOR),
                "The server sends a bookmark: an event without an object. It says that the watch has"
                    + " seen everything up to this version, and the Reflector remembers that.",
                "服务器发来一个书签（bookmark）：一种不带对象变化的事件。它表示 watch 已经看到这个版本为止的全部变化，Reflector 记住这个版本。",
                () -> {
                  String version = pods.server().resourceVersion();
                  pods.server()
                      .watches()
                      .forEach(watch -> watch.send(new WatchEvent.Bookmark<>(version, false)));
                  pods.await(() -> pods.informer().lastSyncResourceVersion().equals(version));
                }),
            step(
                Set.of(Part.WIRE, Part.REFLECTOR),
                "The server forgets its old versions, and the connection breaks. The Reflector asks"
                    + " from the version of the bookmark, which the server still knows: no 410, no"
                    + " list.",
                "服务器丢弃旧版本，连接断开。Reflector 从书签的版本继续请求，服务器还保留着这个版本：没有 410，也不必重新读取。",
                () -> {
                  pods.expire();
                  pods.await(() -> pods.server().watches().size() == 1);
                })));
  }

  static Unstructured configMap(int number) {
    return Unstructured.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            Map.of("namespace", "default", "name", "busy-" + number)));
  }

  // ---- parts of steps

  private boolean cachedIsNoted() {
    return pods.informer().indexer().getByKey(WEB_1).filter(PodWriter::isNoted).isPresent();
  }

  private void createTwo() throws InterruptedException {
    pods.create("default", "web-1", "node-1");
    pods.create("default", "web-2", "node-2");
    pods.await(() -> size() == 2 && pods.enqueued() == 2 && pods.audited() == 2);
  }

  private void createSix() throws InterruptedException {
    for (int i = 1; i <= 6; i++) {
      pods.create(i % 2 == 0 ? "shop" : "default", "web-" + i, "node-" + (i % 3 + 1));
    }
  }

  private int size() {
    return pods.informer().indexer().listKeys().size();
  }

  private int keysOnNode(String node) {
    return pods.informer().indexer().indexKeys("node", node).size();
  }

  /** Returns the time of the last list, or of the last stream of objects. */
  private long lists() {
    return pods.informer().health().lastList().map(time -> time.toEpochMilli()).orElse(0L);
  }

  /** Waits until the Reflectors have read everything that has happened. */
  private void awaitRead() throws InterruptedException {
    String version = pods.server().resourceVersion();
    for (SharedIndexInformer<?> informer : pods.informers()) {
      pods.await(() -> informer.lastSyncResourceVersion().equals(version));
    }
  }
}
