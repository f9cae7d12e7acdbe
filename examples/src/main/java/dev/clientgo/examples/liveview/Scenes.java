package dev.clientgo.examples.liveview;

import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.liveview.Scene;
import dev.clientgo.liveview.Scene.Step;
import dev.clientgo.liveview.Stage;
import dev.clientgo.liveview.Text;
import java.util.List;
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
      Set.of("unseen-delete", "resync-relist", "two-queues");

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
        index());
  }

  private static Step step(String en, String zh, Scene.Body body) {
    return new Step(new Text(en, zh), body);
  }

  private Scene unseenDelete() {
    return new Scene(
        "unseen-delete",
        new Text("A delete nobody saw", "没人看见的删除"),
        List.of(
            step(
                "Two pods are in the cache. The Reflector has read them, and follows them with a"
                    + " watch.",
                "缓存里有两个 Pod。Reflector 已经读取了它们，并用 watch 跟踪后续变化。",
                () -> {
                  pods.begin(false);
                  createTwo();
                }),
            step(
                "The server cannot be reached. The cache stays as it is: readers get the last known"
                    + " state, not an error.",
                "服务器连不上了。缓存保持原样：读取者得到最后已知的状态，而不是错误。",
                () -> pods.server().stop()),
            step(
                "Meanwhile default/web-1 is deleted, and the server forgets its old versions. No"
                    + " event will ever report this deletion.",
                "与此同时 default/web-1 被删除，服务器也丢弃了旧版本。再也不会有事件报告这次删除。",
                () -> {
                  pods.writer().delete(WEB_1);
                  pods.server().faults().expireResourceVersions();
                }),
            step(
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
                "The Controller compares the list with the store and finds that default/web-1 is"
                    + " gone. Handlers hear onDelete with finalStateUnknown: the last state they get"
                    + " is the last one the cache knew.",
                "Controller 把列表与存储比较，发现 default/web-1 不见了。处理函数收到 onDelete，"
                    + "并带有 finalStateUnknown：它们得到的是缓存里最后已知的状态。",
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
                "A pod is created. Its key goes through the work queue once: add, get, done.",
                "创建一个 Pod。它的 key 在工作队列中走一遍：add、get、done。",
                () -> {
                  pods.begin(false);
                  pods.create("default", "web-1", "node-1");
                  pods.await(() -> pods.reconciled() == 1);
                }),
            step(
                "The workers are paused, and the pod changes once. One worker has taken the key: it"
                    + " is in the processing set.",
                "worker 被暂停，Pod 修改一次。一个 worker 已经取走了 key：它在 processing 集合里。",
                () -> {
                  pods.view().pause(Stage.WORK);
                  pods.writer().change(WEB_1);
                  pods.await(() -> pods.enqueued() == 2 && pods.queued() == 0);
                }),
            step(
                "Nine more changes. The handlers hear of each one, but the work queue holds the key"
                    + " once: it is dirty, and no second worker may have it while the first is not"
                    + " done. Eight adds were merged.",
                "再修改九次。处理函数每次都会收到通知，但工作队列只保存这个 key 一次：它是 dirty 的，"
                    + "而且在第一个 worker 完成之前，别的 worker 拿不到它。八次 add 被合并。",
                () -> {
                  for (int i = 0; i < 9; i++) {
                    pods.writer().change(WEB_1);
                  }
                  pods.await(() -> pods.enqueued() == 11);
                }),
            step(
                "The workers go on. The first is done, so the key enters the queue, and is processed"
                    + " once more. Ten changes cost two reconciles; the second reads the newest"
                    + " state from the cache.",
                "worker 继续。第一个完成后，key 进入队列并再处理一次。" + "十次修改只用了两次调谐；第二次从缓存读到最新状态。",
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
                "Two handlers listen. Each has a ProcessorListener: a buffer and a thread of its"
                    + " own. The handler “audits” now takes 2 s for each call.",
                "有两个处理函数在监听。每个都有自己的 ProcessorListener：一个缓冲区和一个线程。" + "处理函数 “audits” 现在每次调用要 2 秒。",
                () -> {
                  pods.begin(false);
                  pods.auditSlowly(true);
                }),
            step(
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
                "The handler is fast again, and its buffer drains in order. The buffer has no bound,"
                    + " so a handler should do little: put a key into a work queue.",
                "处理函数恢复正常，缓冲区按顺序清空。缓冲区没有上限，所以处理函数应当只做很少的事：把 key 放进工作队列。",
                () -> {
                  pods.auditSlowly(false);
                  pods.await(() -> pods.audited() == 6);
                })));
  }

  private Scene resyncAndRelist() {
    return new Scene(
        "resync-relist",
        new Text("Resync is not relist", "resync 不是 relist"),
        List.of(
            step(
                "Two pods are in the cache.",
                "缓存里有两个 Pod。",
                () -> {
                  pods.begin(false);
                  createTwo();
                }),
            step(
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
                "A relist asks the server. The watch has ended with 410, so the Reflector requests"
                    + " the whole collection: see the request among the frames. It corrects the"
                    + " cache if that differs from the server.",
                "relist 会询问服务器。watch 以 410 结束，于是 Reflector 请求整个集合：请看事件帧里的请求。" + "如果缓存与服务器不同，它会被纠正。",
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
                "Two informers follow the same pods, one with a RealFIFO, one with a DeltaFIFO. Both"
                    + " Controllers are paused.",
                "两个 informer 跟踪相同的 Pod，一个用 RealFIFO，一个用 DeltaFIFO。两个 Controller 都已暂停。",
                () -> {
                  pods.begin(true);
                  pods.view().pause(Stage.POP);
                }),
            step(
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
                "The reconcile of default/web-1 throws. The worker calls addRateLimited and done:"
                    + " the key waits for 0.5 s, outside the queue.",
                "default/web-1 的调谐抛出异常。worker 调用 addRateLimited 和 done：key 在队列之外等待 0.5 秒。",
                () -> {
                  pods.begin(false);
                  pods.fail(WEB_1);
                  pods.create("default", "web-1", "node-1");
                  pods.await(() -> pods.failures() >= 1);
                }),
            step(
                "Each failure doubles the wait: 0.5 s, 1 s, 2 s. So a broken object costs little.",
                "每次失败等待加倍：0.5 秒、1 秒、2 秒。所以一个有问题的对象代价很小。",
                () -> pods.await(() -> pods.failures() >= 3)),
            step(
                "Other keys do not wait for it: default/web-2 is created and reconciled at once.",
                "其他 key 不会等它：创建 default/web-2，立刻就被调谐。",
                () -> {
                  pods.create("default", "web-2", "node-2");
                  pods.await(() -> pods.reconciled() == 1);
                }),
            step(
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
                "Beside the objects, the Indexer keeps two indices: namespace and node. An index"
                    + " function gives the values of an object; the index maps each value to the objects that have it.",
                "除了对象，Indexer 还保存两个索引：namespace 和 node。索引函数给出对象的值；索引把每个值映射到具有它的对象。",
                () -> {
                  pods.begin(false);
                  createSix();
                  pods.create("default", "web-7", null);
                  pods.await(() -> size() == 7);
                }),
            step(
                "default/web-7 has no node yet, so the index “node” does not have it. The namespace"
                    + " index has.",
                "default/web-7 还没有节点，所以索引 “node” 里没有它，但 namespace 索引里有。",
                () -> pods.await(() -> keysOnNode("node-2") == 2)),
            step(
                "The pod is bound to node-2. The store changes the object and both indices in one"
                    + " step, so no reader sees one without the other.",
                "Pod 被绑定到 node-2。存储在一步之内修改对象和两个索引，所以读取者不会只看到其中之一。",
                () -> {
                  pods.writer().bind("default/web-7", "node-2");
                  pods.await(() -> keysOnNode("node-2") == 3);
                }),
            step(
                "byIndex(\"node\", \"node-2\") now gives three objects and looks at no other: a question"
                    + " costs as much as its answer. The price: an update calls each index"
                    + " function twice.",
                "byIndex(\"node\", \"node-2\") 现在返回三个对象，不看其余的：一次查询的代价与答案大小相当。"
                    + "代价在写入时：每次更新都要调用每个索引函数两次。",
                () ->
                    pods.await(
                        () -> pods.informer().indexer().byIndex("node", "node-2").size() == 3))));
  }

  // ---- parts of steps

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
