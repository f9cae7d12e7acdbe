package dev.clientgo.benchmarks.shards;

import dev.clientgo.apimachinery.patch.Patch;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.unstructured.Unstructured;
import dev.clientgo.envtest.KubeApiServer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Measures how much each of several processes receives and holds if they share all pods of a real
 * server among themselves, with the server's feature gate ShardedListAndWatch on and off: as
 * informers of fixed shards, and as a group whose members come and go.
 *
 * <p>{@code ./benchmarks/run shards [REPLICAS [PODS [CHANGES]]]}; docs/benchmarks/shards.md
 * explains the figures.
 */
public final class Shards {

  private static final String NAMESPACE = "default";

  private final KubeApiServer server;
  private final ResourceClient<Unstructured> pods;
  private final Path log;

  /** How many changes there were; each writes another number, or the server would do nothing. */
  private int changed;

  /** The hashes of the uids of the pods, by their names. */
  private final Map<String, Long> hashes = new LinkedHashMap<>();

  private Shards(KubeApiServer server, RESTClient client, Path log) {
    this.server = server;
    this.pods = client.dynamic(Pod.TYPE.resource()).inNamespace(NAMESPACE);
    this.log = log;
  }

  /** Runs it once and prints one line for each replica. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int replicas = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 3;
    int pods = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5000;
    int changes = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 5000;
    if (!KubeApiServer.isAvailable()) {
      System.err.println("It needs the binaries of envtest/kube-apiserver/build");
      System.exit(1);
    }
    Path log = Files.createTempDirectory("shards-").resolve("replicas.log");
    System.err.println("The logs of the replicas are in " + log);
    for (boolean on : new boolean[] {true, false}) {
      try (KubeApiServer server =
              KubeApiServer.builder().flag("--feature-gates=ShardedListAndWatch=" + on).start();
          RESTClient client = RESTClient.create(server.restConfig())) {
        Shards shards = new Shards(server, client, log);
        shards.create(pods);
        String gate = "gate " + (on ? "on" : "off");
        if (on) {
          shards.measure("one informer, all pods", informers(1), changes);
        }
        shards.measure(gate + ", informers of shards", informers(replicas), changes);
        shards.measure(gate + ", group with sharded caches", group(replicas, true), changes);
        if (!on) {
          shards.measure(gate + ", group with whole caches", group(replicas, false), changes);
        }
      }
    }
  }

  private void create(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      Unstructured pod = pods.create(pod(i));
      hashes.put("pod-" + i, ShardField.UID.hash(pod));
    }
  }

  /** Returns a pod of about 3 kB, as the server stores it. */
  private static Unstructured pod(int i) {
    List<Object> variables =
        IntStream.range(0, 10)
            .<Object>mapToObj(n -> Map.of("name", "VARIABLE_" + n, "value", "value-" + i + "-" + n))
            .toList();
    List<Object> containers =
        IntStream.range(0, 2)
            .<Object>mapToObj(
                n ->
                    Map.of(
                        "name",
                        "container-" + n,
                        "image",
                        "registry.example.com/team/app-" + i % 50 + ":v1." + i,
                        "env",
                        variables))
            .toList();
    return Unstructured.of(
            Map.of(
                "metadata",
                Map.of(
                    "name",
                    "pod-" + i,
                    "labels",
                    Map.of("app", "app-" + i % 50, "tier", "web", "release", "r" + i % 7)),
                "spec",
                Map.of("containers", containers)))
        .withType("v1", "Pod");
  }

  /**
   * Processes to start.
   *
   * @param program the class to run
   * @param arguments the arguments of each process
   * @param oneByOne whether each waits for the one before, because all share the processors
   */
  private record Processes(Class<?> program, List<List<String>> arguments, boolean oneByOne) {}

  private static Processes informers(int count) {
    List<List<String>> arguments =
        IntStream.range(0, count)
            .mapToObj(i -> List.of(Integer.toString(i), Integer.toString(count)))
            .toList();
    return new Processes(ShardReplica.class, arguments, true);
  }

  /** Returns the members of a group, which wait for one another. */
  private static Processes group(int count, boolean shardedCache) {
    List<List<String>> arguments =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    List.of(
                        "shards-" + shardedCache,
                        Integer.toString(i),
                        Integer.toString(count),
                        Boolean.toString(shardedCache)))
            .toList();
    return new Processes(GroupReplica.class, arguments, false);
  }

  private void measure(String name, Processes processes, int changes)
      throws IOException, InterruptedException {
    List<Replica> replicas = new ArrayList<>();
    List<Replica.Figures> first = new ArrayList<>();
    try {
      for (List<String> arguments : processes.arguments) {
        Replica replica = Replica.start(server, log, processes.program, arguments);
        replicas.add(replica);
        if (processes.oneByOne) {
          first.add(replica.figures());
        }
      }
      while (first.size() < replicas.size()) {
        first.add(replicas.get(first.size()).figures());
      }
      List<String> versions = change(first.stream().map(Replica.Figures::shard).toList(), changes);
      for (int i = 0; i < replicas.size(); i++) {
        replicas.get(i).await(versions.get(i));
      }
      for (int i = 0; i < replicas.size(); i++) {
        print(name, i, first.get(i), replicas.get(i).figures());
      }
    } finally {
      for (Replica replica : replicas) {
        replica.close();
      }
    }
  }

  /** Changes pods, each in its turn, and returns the last version of each shard. */
  private List<String> change(List<ShardSelector> shards, int changes) throws InterruptedException {
    List<String> versions = new ArrayList<>(shards.stream().map(shard -> "").toList());
    List<String> names = List.copyOf(hashes.keySet());
    for (int i = 0; i < changes || versions.contains(""); i++) {
      String name = names.get(i % names.size());
      String version =
          pods.patch(
                  name,
                  Patch.merge(
                      "{\"metadata\":{\"annotations\":{\"change\":\"" + changed++ + "\"}}}"))
              .metadata()
              .resourceVersion();
      for (int s = 0; s < shards.size(); s++) {
        if (shards.get(s).matches(hashes.get(name))) {
          versions.set(s, String.valueOf(version));
        }
      }
    }
    return versions;
  }

  private static void print(
      String name, int index, Replica.Figures listed, Replica.Figures changed) {
    System.out.printf(
        Locale.ROOT,
        "%s, replica %d: pods=%d list_mb=%.2f changes_mb=%.2f heap_mb=%.2f cpu_list_s=%.2f"
            + " cpu_changes_s=%.2f%n",
        name,
        index,
        listed.objects(),
        listed.bytes() / 1e6,
        changed.bytes() / 1e6,
        listed.heap() / 1e6,
        listed.cpuMillis() / 1000.0,
        (changed.cpuMillis() - listed.cpuMillis()) / 1000.0);
  }
}
