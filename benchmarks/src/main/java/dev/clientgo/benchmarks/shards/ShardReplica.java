package dev.clientgo.benchmarks.shards;

import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardRange;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.benchmarks.informer.ProcessFigures;
import dev.clientgo.cache.ListWatch;
import dev.clientgo.cache.SharedIndexInformer;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.ResourceClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One of several processes with an informer on a shard of all pods: {@code KUBECONFIG INDEX COUNT}.
 * It prints how many pods it has, the heap that they take, the processor time so far, and its
 * shard. Then it waits for each version that it reads from its input, and prints them again.
 */
final class ShardReplica {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private ShardReplica() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    long heapBefore = ProcessFigures.usedHeap();
    ShardRange range =
        ShardRange.split(Integer.parseInt(arguments[2])).get(Integer.parseInt(arguments[1]));
    try (RESTClient client =
        RESTClient.create(KubeConfigLoader.builder().file(Path.of(arguments[0])).build().load())) {
      ResourceClient<Pod> pods = client.resource(Pod.TYPE);
      try (SharedIndexInformer<Pod> informer =
              SharedIndexInformer.builder(ListWatch.of(pods::list, pods::watch))
                  .name("pods")
                  .shard(ShardSelector.of(ShardField.UID, range))
                  .build();
          BufferedReader input = new BufferedReader(new InputStreamReader(System.in))) {
        informer.start();
        if (!informer.awaitShard(PATIENCE)) {
          throw new IllegalStateException("not synced: " + informer.health());
        }
        long heap = ProcessFigures.usedHeap() - heapBefore;
        print(informer.indexer().listKeys().size(), heap, informer.shard());
        for (String version = input.readLine(); version != null; version = input.readLine()) {
          if (!informer.awaitResourceVersion(version, PATIENCE)) {
            throw new IllegalStateException("not seen: " + version + " " + informer.health());
          }
          print(informer.indexer().listKeys().size(), 0, informer.shard());
        }
      }
    }
  }

  /** Prints the figures of this process; {@link Replica} reads them. */
  static void print(long objects, long heap, ShardSelector shard) {
    long cpuMillis = ProcessFigures.cpu().toMillis();
    System.out.println(objects + " " + heap + " " + cpuMillis + " " + shard);
  }
}
