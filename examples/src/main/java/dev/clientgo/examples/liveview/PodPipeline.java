package dev.clientgo.examples.liveview;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.HandlerOptions;
import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.EmbeddedApiServer;
import dev.clientgo.envtest.ServedObjects;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.liveview.LiveView;
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
 * <p>The scenes and the buttons of the page use it, one at a time.
 */
public final class PodPipeline implements AutoCloseable {

  static final Duration SLOW_CALL = Duration.ofSeconds(2);

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration FIRST_RETRY = Duration.ofMillis(500);
  private static final Duration LAST_RETRY = Duration.ofSeconds(30);
  private static final int WORKERS = 2;
  private static final int CHANGED_PODS = 200;
  private static final String NODE = "node";

  private final Clock clock = Clock.system();
  private final EmbeddedApiServer server;
  private final RESTClient client;
  private final ServedObjects objects;
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger enqueued = new AtomicInteger();
  private final AtomicInteger audited = new AtomicInteger();
  private final AtomicInteger reconciled = new AtomicInteger();
  private volatile Duration auditTime = Duration.ZERO;

  private @Nullable LiveView view;
  private final List<SharedIndexInformer<Pod>> informers = new ArrayList<>();
  private @Nullable RateLimitingQueue<String> queue;
  private @Nullable Workers workers;

  /** Creates a pipeline on a server, without starting it. */
  public PodPipeline(EmbeddedApiServer server) {
    this.server = server;
    client = RESTClient.create(server.restConfig());
    objects = server.objects(Pod.TYPE.resource());
  }

  // ---- the program

  /** Starts the program, observed by the view. */
  public void show(LiveView shown) throws InterruptedException {
    view = shown;
    begin(false);
  }

  /** Ends the program, deletes all pods, and starts it again. */
  void begin(boolean withDeltaFIFO) throws InterruptedException {
    end();
    for (Unstructured pod : objects.list()) {
      ObjectName name = ObjectName.of(pod);
      objects.delete(name.namespace(), name.name());
    }
    created.set(0);
    failing.clear();
    auditTime = Duration.ZERO;
    start(withDeltaFIFO);
  }

  private void start(boolean withDeltaFIFO) throws InterruptedException {
    LiveView shown = requireNonNull(view, "show() comes first");
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
            handler
                .onAdd(this::enqueue)
                .onUpdate((old, pod) -> enqueue(pod))
                .onDelete(gone -> enqueue(gone.key())),
        HandlerOptions.builder().name("enqueues").build());
    pods.addEventHandler(
        handler ->
            handler.onAdd(pod -> audit()).onUpdate((old, pod) -> audit()).onDelete(gone -> audit()),
        HandlerOptions.builder().name("audits").build());
    if (withDeltaFIFO) {
      informer("pods, with a DeltaFIFO", true);
    }
    for (SharedIndexInformer<Pod> informer : informers) {
      informer.start();
      informer.awaitSynced(TIMEOUT);
    }
    await(() -> server.watches().size() == informers.size());
  }

  private SharedIndexInformer<Pod> informer(String name, boolean useDeltaFIFO) {
    ResourceClient<Pod> pods = client.resource(Pod.TYPE);
    SharedIndexInformer<Pod> informer =
        SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch))
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

  private void enqueue(String key) {
    requireNonNull(queue).add(key);
    enqueued.incrementAndGet();
  }

  private void audit() {
    Duration time = auditTime;
    try {
      if (!time.isZero()) {
        clock.sleep(time);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    audited.incrementAndGet();
  }

  private void reconcile(String key) throws IOException {
    if (failing.contains(key)) {
      throw new IOException("cannot reconcile " + key);
    }
    reconciled.incrementAndGet();
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
    informers.forEach(SharedIndexInformer::close);
    informers.clear();
    shown.forget();
  }

  @Override
  public void close() {
    if (view != null) {
      end();
    }
    client.close();
  }

  // ---- the cluster

  /** Creates a pod. */
  void create(String namespace, String name, @Nullable String node) {
    created.incrementAndGet();
    Unstructured pod =
        Unstructured.of(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Map.of(
                    "namespace",
                    namespace,
                    "name",
                    name,
                    "labels",
                    Map.of("app", "web"),
                    "annotations",
                    Map.of("changes", "0")),
                "spec",
                Map.of("containers", List.of(Map.of("name", "web", "image", "nginx:1")))));
    objects.put(node == null ? pod : pod.with(node, "spec", "nodeName"));
  }

  /** Changes a pod. */
  void change(String key) {
    Unstructured pod = pod(key);
    int changes =
        Integer.parseInt(pod.nestedString("metadata", "annotations", "changes").orElse("0")) + 1;
    objects.put(pod.with(Integer.toString(changes), "metadata", "annotations", "changes"));
  }

  /** Assigns a pod to a node, as the scheduler does. */
  void bind(String key, String node) {
    objects.put(pod(key).with(node, "spec", "nodeName"));
  }

  private Unstructured pod(String key) {
    ObjectName name = ObjectName.parse(key);
    return objects
        .get(name.namespace(), name.name())
        .orElseThrow(() -> new IllegalArgumentException("the server has no pod " + key));
  }

  void delete(String key) {
    ObjectName name = ObjectName.parse(key);
    objects.delete(name.namespace(), name.name());
  }

  /** Changes pods, so many a second, until the thread is interrupted. */
  public void change(int perSecond) throws InterruptedException {
    for (int i = 0; i < CHANGED_PODS; i++) {
      create("load", "pod-" + i, "node-" + i % 3);
    }
    long start = clock.nanoTime();
    for (long count = 0; ; count++) {
      change("load/pod-" + count % CHANGED_PODS);
      long due = start + count * 1_000_000_000L / perSecond;
      long early = due - clock.nanoTime();
      if (early > 1_000_000) {
        clock.sleep(Duration.ofNanos(early));
      }
    }
  }

  // ---- what scenes and buttons use

  EmbeddedApiServer server() {
    return server;
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

  void auditSlowly(boolean slowly) {
    auditTime = slowly ? SLOW_CALL : Duration.ZERO;
  }

  void fail(String key) {
    failing.add(key);
  }

  void repair() {
    failing.clear();
  }

  /** Breaks the connections of the watches. */
  void cut() {
    server.watches().forEach(watch -> watch.cut());
  }

  /** Makes the server forget its old versions and break the watches, so they end with 410. */
  void expire() {
    server.faults().expireResourceVersions();
    cut();
  }

  /** Ends the watches with the event that says the version is too old. */
  void relist() {
    server
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
    long start = clock.nanoTime();
    while (!condition.getAsBoolean()) {
      if (clock.nanoTime() - start > TIMEOUT.toNanos()) {
        throw new IllegalStateException("it has not happened within " + TIMEOUT.toSeconds() + " s");
      }
      clock.sleep(Duration.ofMillis(10));
    }
  }

  // ---- the buttons

  /** Adds the buttons that cause something. */
  public void addActions(LiveView.Builder builder) {
    builder
        .action("create", new Text("create", "创建"), key -> createNext())
        .action("change", new Text("change", "修改"), key -> change(chosen(key)))
        .action("delete", new Text("delete", "删除"), key -> delete(chosen(key)))
        .action("cut", new Text("cut the connection", "切断连接"), key -> cut())
        .action("expire", new Text("expire the version (410)", "使版本过期（410）"), key -> expire())
        .action("relist", new Text("relist", "relist（重新列举）"), key -> relist())
        .action("resync", new Text("resync", "resync（重新同步）"), key -> resync())
        .action(
            "slow",
            new Text("slow handler on/off", "慢处理函数 开/关"),
            key -> auditSlowly(auditTime.isZero()))
        .action("fail", new Text("fail reconciles on/off", "调谐失败 开/关"), this::toggleFailure)
        .action("restart", new Text("restart", "重启"), key -> restart());
  }

  private void createNext() {
    int number = created.get() + 1;
    create(number % 3 == 0 ? "shop" : "default", "web-" + number, "node-" + number % 3);
  }

  /** Returns the key that is selected on the page, else the newest pod's. */
  private String chosen(Optional<String> key) {
    return key.orElseGet(
        () ->
            objects.list().stream()
                .map(pod -> ObjectName.of(pod).toString())
                .reduce((first, second) -> second)
                .orElseThrow(() -> new IllegalArgumentException("there is no pod; create one")));
  }

  private void resync() {
    informers.forEach(SharedIndexInformer::resync);
  }

  private void toggleFailure(Optional<String> key) {
    if (failing.isEmpty()) {
      String failed = chosen(key);
      fail(failed);
      change(failed);
    } else {
      repair();
    }
  }

  private void restart() throws InterruptedException {
    boolean withDeltaFIFO = informers.size() > 1;
    end();
    start(withDeltaFIFO);
  }
}
