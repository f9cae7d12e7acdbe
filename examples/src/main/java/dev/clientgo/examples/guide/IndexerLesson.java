package dev.clientgo.examples.guide;

import dev.clientgo.cache.IndexFunction;
import dev.clientgo.cache.IndexSnapshot;
import dev.clientgo.cache.Indexer;
import dev.clientgo.cache.KeyFunction;
import dev.clientgo.examples.lesson.LocalLesson;
import dev.clientgo.kubernetes.core.v1.Pod;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** Lesson 6 of the guide: how an Indexer finds objects, and what an index costs. */
@Command(
    name = "indexer",
    description = "Fills an Indexer, asks its indices, counts what they cost, and ends.")
public final class IndexerLesson extends LocalLesson {

  private static final int PODS = 10_000;
  private static final int NODES = 100;

  /** The command line parser calls this. */
  public IndexerLesson() {}

  @Override
  protected void run(PrintWriter out) {
    indices(out);
    snapshot(out);
    refusal(out);
    cost(out);
  }

  private static IndexFunction<Pod> byNode() {
    return IndexFunction.ofNullable(pod -> pod.spec().nodeName());
  }

  /** An object can have several values in one index. */
  private static IndexFunction<Pod> byLabel() {
    return pod ->
        pod.metadata().labels().entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .toList();
  }

  private static Indexer<Pod> threePods() {
    Indexer<Pod> pods =
        Indexer.create(KeyFunction.metaNamespace(), Map.of("node", byNode(), "label", byLabel()));
    pods.add(pod("web-0", "node-1", Map.of("app", "web", "tier", "front")));
    pods.add(pod("web-1", "node-2", Map.of("app", "web", "tier", "front")));
    pods.add(pod("db-0", null, Map.of("app", "db")));
    return pods;
  }

  private static void indices(PrintWriter out) {
    out.println("== Indices");
    Indexer<Pod> pods = threePods();
    printIndex(pods, "node", out);
    printIndex(pods, "label", out);
    out.println("web-0 moves to node-2");
    pods.update(pod("web-0", "node-2", Map.of("app", "web", "tier", "front")));
    printIndex(pods, "node", out);
  }

  private static void printIndex(Indexer<Pod> pods, String index, PrintWriter out) {
    pods.listIndexFuncValues(index).stream()
        .sorted()
        .forEach(value -> out.printf("%s %s -> %s%n", index, value, pods.indexKeys(index, value)));
  }

  private static void snapshot(PrintWriter out) {
    out.println("== A snapshot");
    Indexer<Pod> pods = threePods();
    IndexSnapshot<Pod> before = pods.snapshot();
    pods.deleteByKey("shop/web-0");
    out.println("now:      node-1 -> " + pods.indexKeys("node", "node-1"));
    out.println("snapshot: node-1 -> " + before.indexKeys("node", "node-1"));
  }

  private static void refusal(PrintWriter out) {
    out.println("== An index function that fails");
    Indexer<Pod> pods =
        Indexer.create(
            KeyFunction.metaNamespace(), Map.of("node", pod -> List.of(pod.spec().nodeName())));
    try {
      pods.add(pod("db-0", null, Map.of()));
    } catch (IllegalStateException e) {
      out.println(e.getMessage());
    }
    out.println("objects in the store: " + pods.list().size());
  }

  private static void cost(PrintWriter out) {
    out.println("== The cost, with " + PODS + " pods on " + NODES + " nodes");
    AtomicInteger calls = new AtomicInteger();
    IndexFunction<Pod> byNode = byNode();
    IndexFunction<Pod> counting =
        pod -> {
          calls.incrementAndGet();
          return byNode.indexValues(pod);
        };
    Indexer<Pod> pods = Indexer.create(KeyFunction.metaNamespace(), Map.of("node", counting));

    List<Pod> all = new ArrayList<>();
    for (int i = 0; i < PODS; i++) {
      all.add(pod("web-" + i, "node-" + i % NODES, Map.of()));
    }
    pods.replace(all, "1");
    print(out, "a list of all pods", calls);

    pods.update(pod("web-7", "node-7", Map.of("version", "2")));
    print(out, "an update on the same node", calls);

    pods.update(pod("web-7", "node-8", Map.of()));
    print(out, "an update to another node", calls);

    int found = pods.byIndex("node", "node-7").size();
    print(out, "byIndex of node-7, " + found + " pods", calls);

    int looked = 0;
    for (Pod pod : pods.list()) {
      looked++;
      found -= "node-7".equals(pod.spec().nodeName()) ? 1 : 0;
    }
    out.println("the same by a loop: " + looked + " pods looked at, " + found + " missed");

    pods.addIndexers(Map.of("again", counting));
    print(out, "another index on the full store", calls);
  }

  private static void print(PrintWriter out, String what, AtomicInteger calls) {
    out.println(what + ": " + calls.getAndSet(0) + " calls of the index function");
  }

  private static Pod pod(String name, @Nullable String node, Map<String, String> labels) {
    return Pod.of(
        "shop",
        name,
        pod -> pod.editMetadata(m -> m.labels(labels)).editSpec(spec -> spec.nodeName(node)));
  }
}
