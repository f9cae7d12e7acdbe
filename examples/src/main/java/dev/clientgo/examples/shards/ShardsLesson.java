package dev.clientgo.examples.shards;

import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.examples.lesson.Cluster;
import dev.clientgo.examples.lesson.Lesson;
import dev.clientgo.kubernetes.core.v1.ConfigMap;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;

/** The lesson of shards: three replicas share the objects, one dies, one leaves. */
@Command(
    name = "shards",
    description =
        "Runs three replicas of a controller that share 60 objects. One dies, one leaves, and the"
            + " others take over. It starts a server of its own.")
public final class ShardsLesson extends Lesson {

  private static final int ORDERS = 60;
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Clock clock = Clock.system();

  /** The command line parser calls this. */
  public ShardsLesson() {}

  @Override
  protected void run(Cluster cluster, RESTClient client, PrintWriter out)
      throws InterruptedException {
    cluster.requireOwn();
    ResourceClient<ConfigMap> maps = client.resource(ConfigMap.TYPE).inNamespace("default");
    for (int i = 0; i < ORDERS; i++) {
      maps.create(ConfigMap.of("default", "order-" + i, map -> {}));
    }
    try (Replica a = new Replica("a", cluster.config());
        Replica b = new Replica("b", cluster.config());
        Replica c = new Replica("c", cluster.config())) {
      awaitShared(a, b, c);
      awaitAllReconciled(maps, a, b, c);
      out.println("three replicas share the slots: " + slots(a, b, c));
      out.println("the orders are with: " + owners(maps));

      c.die();
      out.println("c dies");
      awaitShared(a, b);
      awaitAllReconciled(maps, a, b);
      out.println("two share them after the lease duration: " + slots(a, b));
      out.println("the orders are with: " + owners(maps));

      b.leave();
      out.println("b leaves");
      awaitShared(a);
      awaitAllReconciled(maps, a);
      out.println("one has them at once: " + slots(a));
      out.println("the orders are with: " + owners(maps));
    }
  }

  private static String slots(Replica... replicas) {
    Map<String, Integer> slots = new TreeMap<>();
    for (Replica replica : replicas) {
      slots.put(replica.toString(), replica.group().slots().size());
    }
    return slots.toString();
  }

  /** Returns how many orders each replica has written its name into. */
  private static Map<String, Integer> owners(ResourceClient<ConfigMap> maps)
      throws InterruptedException {
    Map<String, Integer> owners = new TreeMap<>();
    for (ConfigMap map : maps.list()) {
      String owner = map.data().get("by");
      if (owner != null) {
        owners.merge(owner, 1, Integer::sum);
      }
    }
    return owners;
  }

  private void awaitShared(Replica... replicas) throws InterruptedException {
    await(
        () -> {
          int owned = 0;
          for (Replica replica : replicas) {
            owned += replica.group().slots().size();
          }
          return owned == replicas[0].group().slotCount();
        });
  }

  /** Waits until each order has the name of one of these replicas. */
  private void awaitAllReconciled(ResourceClient<ConfigMap> maps, Replica... replicas)
      throws InterruptedException {
    List<String> names = List.of(replicas).stream().map(Replica::toString).toList();
    await(
        () -> {
          Map<String, Integer> owners = owners(maps);
          int all = owners.values().stream().mapToInt(Integer::intValue).sum();
          return all == ORDERS && names.containsAll(owners.keySet());
        });
  }

  /** A condition that asks the server. */
  private interface Condition {
    boolean holds() throws InterruptedException;
  }

  private void await(Condition condition) throws InterruptedException {
    Deadline deadline = clock.deadline(LIMIT);
    while (!condition.holds()) {
      if (!deadline.sleep(Duration.ofMillis(50))) {
        throw new IllegalStateException("the replicas have not agreed within " + LIMIT);
      }
    }
  }
}
