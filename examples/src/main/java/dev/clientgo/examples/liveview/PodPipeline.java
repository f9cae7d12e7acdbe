package dev.clientgo.examples.liveview;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.wait.Backoff;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.HandlerOptions;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.ReflectorOptions;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.liveview.LiveView;
import dev.clientgo.liveview.ServerState;
import dev.clientgo.liveview.Stage;
import dev.clientgo.liveview.Text;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.workqueue.QueueConfig;
import dev.clientgo.workqueue.RateLimiter;
import dev.clientgo.workqueue.RateLimitingQueue;
import dev.clientgo.workqueue.Workers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The program that the live view shows: an informer of pods with two handlers. One puts keys into a
 * work queue, where two workers reconcile them; the other writes an audit, and can be slow.
 *
 * <p>The scenes and the buttons of the page use it, one at a time. It changes pods only on a server
 * that the lesson has started; from a cluster of the user it reads.
 */
public final class PodPipeline implements AutoCloseable {

  static final Duration SLOW_CALL = Duration.ofSeconds(2);

  /**
   * How the informers read: after a failure they ask again within 2 s, however long the server was
   * away. The default grows to a minute, and a step of a scene does not wait so long.
   */
  static final ReflectorOptions READING =
      ReflectorOptions.builder()
          .backoff(
              Backoff.builder(Duration.ofMillis(200))
                  .factor(2)
                  .jitter(1)
                  .cap(Duration.ofSeconds(1))
                  .build())
          .build();

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);

  /** Far below {@link #TIMEOUT}: a scene continues soon, however long its reader has waited. */
  private static final Duration LAST_RETRY = Duration.ofSeconds(8);

  private static final Duration LOOK = Duration.ofMillis(10);
  private static final int WORKERS = 2;
  private static final int CHANGED_PODS = 200;
  private static final String NODE = "node";

  private final Clock clock = Clock.system();
  private final Cluster cluster;
  private final ResourceClient<Pod> client;
  private final @Nullable PodWriter writer;
  private final ReflectorOptions reading;
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger enqueued = new AtomicInteger();
  private final AtomicInteger audited = new AtomicInteger();
  private final AtomicInteger reconciled = new AtomicInteger();
  private volatile boolean writes;
  private volatile Duration auditTime = Duration.ZERO;

  private @Nullable LiveView view;
  private final List<SharedIndexInformer<Pod>> informers = new ArrayList<>();
  private final List<Replica> replicas = new ArrayList<>();
  private boolean usesDeltaFIFO;
  private @Nullable RateLimitingQueue<String> queue;
  private @Nullable Workers workers;

  /**
   * Creates a pipeline, without starting it.
   *
   * @param namespace the namespace of the pods, null for all
   */
  public PodPipeline(Cluster cluster, RESTClient client, @Nullable String namespace) {
    this(cluster, client, namespace, READING);
  }

  /** Reads with the options of a test. */
  PodPipeline(
      Cluster cluster, RESTClient client, @Nullable String namespace, ReflectorOptions reading) {
    this.cluster = cluster;
    this.reading = reading;
    ResourceClient<Pod> all = client.resource(Pod.TYPE);
    this.client = namespace == null ? all : all.inNamespace(namespace);
    writer =
        cluster.embeddedServer().isPresent()
            ? new EmbeddedPods(server())
            : cluster.isOwn() ? new RequestedPods(client, cluster.runsPods()) : null;
  }

  // ---- the program

  /** Starts the program, observed by the view. */
  public void show(LiveView shown) throws InterruptedException {
    view = shown;
    if (writer == null) {
      start(false);
    } else {
      begin(false);
    }
  }

  /** Ends the program, deletes all pods, and starts it again. */
  void begin(boolean withDeltaFIFO) throws InterruptedException {
    clear();
    start(withDeltaFIFO);
  }

  /**
   * Ends the program, deletes all pods, and starts two replicas of a controller instead. They do
   * not compete for the Lease yet.
   *
   * @param clock the clock of their election
   */
  List<Replica> beginReplicas(Clock clock) throws InterruptedException {
    clear();
    server().objects(Lease.TYPE.resource()).list().forEach(this::deleteLease);
    for (String name : List.of("replica-a", "replica-b")) {
      Replica replica = new Replica(name, cluster.config(), reading, view(), clock);
      replicas.add(replica);
      informers.add(replica.informer());
      replica.start();
    }
    for (Replica replica : replicas) {
      replica.informer().awaitSynced(TIMEOUT);
    }
    return List.copyOf(replicas);
  }

  private void deleteLease(Unstructured lease) {
    ObjectName name = ObjectName.of(lease);
    server().objects(Lease.TYPE.resource()).delete(name.namespace(), name.name());
  }

  private void clear() throws InterruptedException {
    end();
    cluster.embeddedServer().ifPresent(EmbeddedApiServer::restart); // A scene may have ended early.
    writer().deleteAll();
    created.set(0);
    failing.clear();
    writes = false;
    auditTime = Duration.ZERO;
  }

  private void start(boolean withDeltaFIFO) throws InterruptedException {
    LiveView shown = requireNonNull(view, "show() comes first");
    usesDeltaFIFO = withDeltaFIFO;
    enqueued.set(0);
    audited.set(0);
    reconciled.set(0);
    queue =
        RateLimitingQueue.create(
            RateLimiter.itemExponentialFailure(FIRST_RETRY, LAST_RETRY),
            QueueConfig.builder().name("pods").observer(shown.queue("pods")).build());
    workers = Workers.builder(queue, this::reconcile).count(WORKERS).start();
    SharedIndexInformer<Pod> pods = informer("pods", false);
    pods.addEventHandler(
        handler ->
            handler.onAdd(pod -> audit()).onUpdate((old, pod) -> audit()).onDelete(gone -> audit()),
        HandlerOptions.builder().name("audits").build());
    pods.addEventHandler(
        handler ->
            handler
                .onAdd(this::enqueue)
                .onUpdate((old, pod) -> enqueue(pod))
                .onDelete(gone -> enqueue(gone.key())),
        HandlerOptions.builder().name("enqueues").build());
    if (withDeltaFIFO) {
      informer("pods, with a DeltaFIFO", true);
    }
    informers.forEach(SharedIndexInformer::start);
    if (writer == null) {
      return; // The page shows how the cluster answers, even if it does not.
    }
    for (SharedIndexInformer<Pod> informer : informers) {
      informer.awaitSynced(TIMEOUT);
    }
    if (cluster.embeddedServer().isPresent()) {
      await(() -> server().watches().size() == informers.size());
    }
  }

  private SharedIndexInformer<Pod> informer(String name, boolean useDeltaFIFO) {
    SharedIndexInformer<Pod> informer =
        SharedIndexInformer.builder(ListWatch.of(client::list, client::watch))
            .options(reading)
            .name(name)
            .indexer(NODE, IndexFunction.ofNullable(pod -> pod.spec().nodeName()))
            .useDeltaFIFO(useDeltaFIFO)
            .watchErrorHandler((reflector, error) -> {}) // The page shows them.
            .observer(requireNonNull(view).informer(Pod.TYPE))
            .build();
    informers.add(informer);
    return informer;
  }

  private void enqueue(Pod pod) {
    enqueue(ObjectName.of(pod).toString());
  }

  void enqueue(String key) {
    requireNonNull(queue).add(key);
    enqueued.incrementAndGet();
  }

  private void audit() {
    Deadline deadline = clock.deadline(auditTime);
    try {
      while (!auditTime.isZero() && deadline.sleep(LOOK)) {
        // A scene may let the call end early.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    audited.incrementAndGet();
  }

  private void reconcile(String key) throws IOException, InterruptedException {
    if (failing.contains(key)) {
      throw new IOException("cannot reconcile " + key);
    }
    Pod pod = informer().indexer().getByKey(key).orElse(null);
    if (writes && pod != null && !PodWriter.isNoted(pod)) {
      note(key, pod);
    }
    reconciled.incrementAndGet();
  }

  /** Notes on the server which change of the pod has been seen; refused if the cache is old. */
  private void note(String key, Pod pod) throws InterruptedException {
    try {
      Pod noted = client.inNamespace(ObjectName.of(pod).namespace()).update(PodWriter.noted(pod));
      view().written("pods", "update", key, "200 @" + version(noted));
    } catch (ApiStatusException e) {
      view().written("pods", "update", key, e.code() + " " + e.reason());
      throw e;
    }
  }

  /** Ends the program; the server and its pods stay. */
  private void end() {
    LiveView shown = requireNonNull(view, "show() comes first");
    auditTime = Duration.ZERO;
    for (Stage stage : Stage.values()) {
      shown.resume(stage);
      shown.slow(stage, Duration.ZERO);
    }
    if (workers != null) {
      workers.drain(Duration.ZERO);
    }
    replicas.forEach(Replica::close);
    replicas.clear();
    informers.forEach(SharedIndexInformer::close);
    informers.clear();
    shown.forget();
  }

  @Override
  public void close() {
    if (view != null) {
      end();
    }
  }

  // ---- the cluster

  /** Creates a pod. */
  void create(String namespace, String name, @Nullable String node) throws InterruptedException {
    created.incrementAndGet();
    writer().create(namespace, name, node);
  }

  /**
   * Returns the pods, which may be changed.
   *
   * @throws IllegalStateException if the lesson has not started the server
   */
  PodWriter writer() {
    return requireNonNull(writer, "a cluster of the user is only read");
  }

  /** Changes pods, so many a second, until the thread is interrupted. */
  public void change(int perSecond) throws InterruptedException {
    for (int i = 0; i < CHANGED_PODS; i++) {
      create("load", "pod-" + i, "node-" + i % 3);
    }
    long start = clock.nanoTime();
    for (long count = 0; ; count++) {
      writer().change("load/pod-" + count % CHANGED_PODS);
      long due = start + count * 1_000_000_000L / perSecond;
      long early = due - clock.nanoTime();
      if (early > 1_000_000) {
        clock.sleep(Duration.ofNanos(early));
      }
    }
  }

  // ---- what scenes and buttons use

  Cluster cluster() {
    return cluster;
  }

  /**
   * Returns the embedded server, which can be made to fail.
   *
   * @throws java.util.NoSuchElementException if the server is a different one
   */
  EmbeddedApiServer server() {
    return cluster.embeddedServer().orElseThrow();
  }

  LiveView view() {
    return requireNonNull(view, "show() comes first");
  }

  SharedIndexInformer<Pod> informer() {
    return informers.get(0);
  }

  List<SharedIndexInformer<Pod>> informers() {
    return List.copyOf(informers);
  }

  int enqueued() {
    return enqueued.get();
  }

  int audited() {
    return audited.get();
  }

  int reconciled() {
    return reconciled.get();
  }

  long failures() {
    return requireNonNull(workers).failures();
  }

  int queued() {
    return requireNonNull(queue).size();
  }

  /** Makes each audit take that long; zero ends the one that runs. */
  void auditSlowly(Duration each) {
    auditTime = each;
  }

  /** Lets the workers write what they have seen. */
  void write() {
    writes = true;
  }

  void fail(String key) {
    failing.add(key);
  }

  void repair() {
    failing.clear();
  }

  /** Breaks the connections of the watches. */
  void cut() {
    server().watches().forEach(watch -> watch.cut());
  }

  /** Makes the server forget its old versions and break the watches, so they end with 410. */
  void expire() {
    server().faults().expireResourceVersions();
    cut();
  }

  /**
   * Makes the server forget also the version that the Reflectors have: a write elsewhere is newer.
   */
  private void expireSeen() {
    server().put(Scenes.configMap(0));
    expire();
  }

  /** Ends the watches with the event that says the version is too old. */
  void relist() {
    server()
        .watches()
        .forEach(
            watch -> {
              watch.send(
                  new WatchEvent.Failed<>(
                      ApiStatusException.resourceExpired("the version is too old")));
              watch.end();
            });
  }

  /** Waits until something has happened. */
  void await(BooleanSupplier condition) throws InterruptedException {
    Deadline deadline = clock.deadline(TIMEOUT);
    while (!condition.getAsBoolean()) {
      if (!deadline.sleep(LOOK)) {
        throw new IllegalStateException("it has not happened within " + TIMEOUT.toSeconds() + " s");
      }
    }
  }

  /** Shows what the embedded server has, and adds the buttons that cause something. */
  public void addTo(LiveView.Builder builder) {
    if (cluster.embeddedServer().isPresent()) {
      builder.server(this::serverState);
    }
    addActions(builder);
  }

  private ServerState serverState() {
    Map<String, String> versions = new HashMap<>();
    for (Unstructured pod : server().objects(Pod.TYPE.resource()).list()) {
      versions.put(ObjectName.of(pod).toString(), version(pod));
    }
    return new ServerState(server().resourceVersion(), versions, server().watches().size());
  }

  // ---- the buttons

  /** Adds the buttons, as far as the cluster may be changed. */
  private void addActions(LiveView.Builder builder) {
    if (writer != null) {
      builder
          .action(
              "create",
              new Text("create a pod", "创建 Pod"),
              new Text("Creates one more pod on the server.", "在服务器上再创建一个 Pod。"),
              key -> createNext())
          .action(
              "change",
              new Text("change a pod", "修改 Pod"),
              new Text(
                  "Writes a new annotation to a pod on the server: the selected pod, else the one"
                      + " that changed last.",
                  "给服务器上的一个 Pod 写入新的注解：选中的 Pod，否则是最近变化的那个。"),
              key -> writer.change(chosen(key, client.list().items())))
          .action(
              "delete",
              new Text("delete a pod", "删除 Pod"),
              new Text(
                  "Deletes the selected pod, else the one that changed last.",
                  "删除选中的 Pod，否则是最近变化的那个。"),
              key -> writer.delete(chosen(key, client.list().items())));
    }
    if (cluster.embeddedServer().isPresent()) {
      builder
          .action(
              "cut",
              new Text("cut the connection", "切断连接"),
              new Text(
                  "Breaks the watch. The Reflector asks again from its last version.",
                  "断开 watch。Reflector 从最后的版本继续请求。"),
              key -> cut())
          .action(
              "expire",
              new Text("expire the version (410)", "使版本过期（410）"),
              new Text(
                  "The server forgets its old versions and breaks the watch. The Reflector gets 410"
                      + " and reads everything again.",
                  "服务器丢弃旧版本并断开 watch。Reflector 收到 410，重新读取全部对象。"),
              key -> expireSeen())
          .action(
              "relist",
              new Text("relist", "relist（重新列举）"),
              new Text(
                  "Ends the watch with an error 410. The Reflector reads everything again from the"
                      + " server.",
                  "用 410 错误结束 watch。Reflector 从服务器重新读取全部对象。"),
              key -> relist());
    }
    builder
        .action(
            "resync",
            new Text("resync", "resync（重新同步）"),
            new Text(
                "Notifies the handlers of each object in the cache again. No request is sent.",
                "把缓存里的每个对象再次通知给处理函数，不发送请求。"),
            key -> resync())
        .action(
            "slow",
            new Text("slow handler", "慢处理函数"),
            new Text(
                "On: each call of the handler “audits” takes 2 s.",
                "开启：处理函数 “audits” 的每次调用耗时 2 秒。"),
            new Switch(
                () -> !auditTime.isZero(),
                key -> auditSlowly(auditTime.isZero() ? SLOW_CALL : Duration.ZERO)))
        .action(
            "fail",
            new Text("failing reconcile", "调谐失败"),
            new Text(
                "On: each reconcile of the selected pod, else of the one that changed last, fails.",
                "开启：选中的 Pod（否则是最近变化的那个）每次调谐都失败。"),
            new Switch(() -> !failing.isEmpty(), this::toggleFailure))
        .action(
            "restart",
            new Text("restart the program", "重启程序"),
            new Text(
                "Ends the informer, the queue and the workers, and starts them again with an empty"
                    + " cache. The server and its pods stay.",
                "结束 informer、队列和 worker，再以空缓存启动。服务器和 Pod 保持不变。"),
            key -> restart());
    if (writer != null) {
      builder.action(
          "reset",
          new Text("begin afresh", "从头开始"),
          new Text(
              "Deletes all pods, lets all stages run, and restarts the program.",
              "删除全部 Pod，恢复所有阶段，并重启程序。"),
          key -> begin(false));
    }
  }

  /** A button that is on or off. */
  private record Switch(BooleanSupplier state, LiveView.Action change) implements LiveView.Action {

    @Override
    public void run(Optional<String> key) throws Exception {
      change.run(key);
    }

    @Override
    public Optional<Boolean> isOn() {
      return Optional.of(state.getAsBoolean());
    }
  }

  private void createNext() throws InterruptedException {
    int number = created.get() + 1;
    create(number % 3 == 0 ? "shop" : "default", "web-" + number, "node-" + number % 3);
  }

  /** Returns the key that is selected on the page, else that of the pod that changed last. */
  private static String chosen(Optional<String> key, List<Pod> pods) {
    return key.orElseGet(
        () ->
            pods.stream()
                .max((a, b) -> ResourceVersion.compare(version(a), version(b)))
                .map(pod -> ObjectName.of(pod).toString())
                .orElseThrow(() -> new IllegalArgumentException("there is no pod")));
  }

  private static String version(KubernetesObject pod) {
    return requireNonNull(pod.metadata().resourceVersion(), "resourceVersion");
  }

  private void resync() {
    informers.forEach(SharedIndexInformer::resync);
  }

  private void toggleFailure(Optional<String> key) {
    if (failing.isEmpty()) {
      String failed = chosen(key, informer().indexer().list());
      fail(failed);
      enqueue(failed);
    } else {
      repair();
    }
  }

  private void restart() throws InterruptedException {
    end();
    start(usesDeltaFIFO);
  }
}
