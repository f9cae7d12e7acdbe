package dev.clientgo.examples.guide;

import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.cache.Lister;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.cache.SharedInformerFactory;
import dev.clientgo.cache.Store;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.Clientset;
import dev.clientgo.kubernetes.InformerFactory;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Lesson 0 of the guide: the parts that a program sees, from the clientset to the lister. */
@Command(
    name = "factory",
    description =
        "Takes a factory of informers from its creation to its end, reads its caches, and"
            + " ends. It starts its own server.")
public final class FactoryLesson extends Lesson {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The command line parser calls this. */
  public FactoryLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    cluster.requireOwn();
    Clientset clients = Clientset.of(client);
    for (Pod pod : List.of(pod("web-0", "web"), pod("web-1", "web"), pod("db-0", "db"))) {
      clients.core().v1().pods().create(pod);
    }
    SharedInformerFactory shared = SharedInformerFactory.builder(clients).build();
    InformerFactory factory = InformerFactory.of(shared);
    Lister<Pod> lister;
    try (factory) {
      lister = start(factory, shared, out);
      read(factory.core().v1().pods().informer(), lister, out);
      unchangeable(lister, out);
      late(factory, shared, out);
    }
    afterTheEnd(factory, lister, out);
    store(out);
  }

  private static Lister<Pod> start(
      InformerFactory factory, SharedInformerFactory shared, PrintWriter out)
      throws InterruptedException {
    out.println("== Ask, start, wait");
    SharedIndexInformer<Pod> pods = factory.core().v1().pods().informer();
    Lister<Pod> lister = factory.core().v1().pods().lister();
    out.println("asked twice, one informer: " + (factory.core().v1().pods().informer() == pods));
    out.println("informers: " + shared.health().keySet());
    out.println("running: " + pods.isRunning() + ", in the cache: " + lister.list().size());
    factory.start();
    out.println("wait: " + factory.awaitSynced(TIMEOUT));
    out.println("running: " + pods.isRunning() + ", in the cache: " + lister.list().size());
    return lister;
  }

  @SuppressWarnings("ReferenceEquality") // It prints that there is one object, not two equal ones.
  private static void read(SharedIndexInformer<Pod> pods, Lister<Pod> lister, PrintWriter out) {
    out.println("== The lister reads the indexer of the informer");
    out.println("app=web: " + names(lister.inNamespace("default").list(Selector.parse("app=web"))));
    out.println("keys: " + pods.indexer().listKeys().stream().sorted().toList());
    Pod byName = lister.inNamespace("default").get("db-0");
    Pod byKey = pods.indexer().getByKey("default/db-0").orElseThrow();
    out.println("by name and by key, one object: " + (byName == byKey));
  }

  private static void unchangeable(Lister<Pod> lister, PrintWriter out) {
    out.println("== A cached object cannot be changed");
    Pod cached = lister.inNamespace("default").get("db-0");
    try {
      cached.metadata().labels().put("app", "web");
    } catch (UnsupportedOperationException e) {
      out.println("put: " + e.getClass().getSimpleName());
    }
    Pod copy = cached.with(pod -> pod.editMetadata(m -> m.labels(Map.of("app", "web"))));
    out.println("the copy: " + copy.metadata().labels());
    out.println("the cache: " + lister.inNamespace("default").get("db-0").metadata().labels());
  }

  private static void late(InformerFactory factory, SharedInformerFactory shared, PrintWriter out)
      throws InterruptedException {
    out.println("== An informer that is asked for after the start");
    factory.apps().v1().deployments().informer();
    out.println("informers: " + shared.health().keySet());
    out.println("wait: " + factory.awaitSynced(TIMEOUT));
    factory.start();
    out.println("wait: " + factory.awaitSynced(TIMEOUT));
  }

  private static void afterTheEnd(InformerFactory factory, Lister<Pod> lister, PrintWriter out) {
    out.println("== After close");
    out.println("in the cache: " + lister.list().size());
    try {
      factory.core().v1().nodes().informer();
    } catch (IllegalStateException e) {
      out.println(e.getMessage());
    }
  }

  private static void store(PrintWriter out) {
    out.println("== The nine methods of a Store");
    Store<Pod> store = Indexer.create(KeyFunction.metaNamespace(), Map.of());
    store.add(pod("web-0", "web"));
    store.add(pod("web-1", "web"));
    store.update(pod("web-1", "canary"));
    store.delete(pod("web-0", "whatever"));
    out.println("list: " + names(store.list()) + ", listKeys: " + store.listKeys());
    out.println("getByKey: " + labels(store, "default/web-1"));
    out.println("get: " + store.get(pod("web-1", "anything")).isPresent());
    store.replace(List.of(pod("db-0", "db")), "7");
    out.println("replace: " + store.listKeys() + " at " + store.lastStoreSyncResourceVersion());
    store.resync();
  }

  private static Map<String, String> labels(Store<Pod> store, String key) {
    return store.getByKey(key).orElseThrow().metadata().labels();
  }

  private static List<String> names(Collection<Pod> pods) {
    return pods.stream().map(pod -> ObjectName.of(pod).name()).sorted().toList();
  }

  private static Pod pod(String name, String app) {
    return Pod.of(
        "default",
        name,
        pod ->
            pod.editMetadata(m -> m.labels(Map.of("app", app)))
                .editSpec(s -> s.editContainers("main", c -> c.image("nginx:1.29"))));
  }
}
