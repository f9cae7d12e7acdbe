package dev.clientgo.benchmarks.shards;

import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.benchmarks.informer.ProcessFigures;
import dev.clientgo.cache.InformerHealth;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.controller.CachedResource;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.Manager;
import dev.clientgo.controller.Result;
import dev.clientgo.kubernetes.core.v1.Pod;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.shard.ShardGroup;
import dev.clientgo.leaderelection.shard.ShardMember;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.kubeconfig.KubeConfigLoader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One of several processes of a shard group, with a controller of pods: {@code KUBECONFIG GROUP
 * INDEX COUNT SHARDED_CACHE}. It prints its figures when all processes have their slots, and then
 * again for each version that it reads from its input, when its cache shows that.
 */
final class GroupReplica {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private GroupReplica() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    long heapBefore = ProcessFigures.usedHeap();
    boolean shardedCache = Boolean.parseBoolean(arguments[4]);
    BlockingQueue<CachedResource<Pod>> caches = new LinkedBlockingQueue<>();
    try (RESTClient client =
            RESTClient.create(
                KubeConfigLoader.builder().file(Path.of(arguments[0])).build().load());
        Manager manager =
            Manager.builder(client)
                .shards(
                    LeaseLock.of("default", arguments[1]),
                    group -> group.identity("replica-" + arguments[2]))
                .build();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in))) {
      manager.add(
          Controller.builder(
                  (request, context) -> {
                    if (caches.isEmpty()) {
                      caches.add(context.client().resource(Pod.TYPE));
                    }
                    return Result.done();
                  })
              .forKind(Pod.TYPE)
              .shardedCache(shardedCache)
              .build());
      manager.start();
      ShardGroup group = manager.shards().orElseThrow();
      String identity = "replica-" + arguments[2];
      int count = Integer.parseInt(arguments[3]);
      await(
          () ->
              isSettled(group, identity, count)
                  && shows(
                      manager.informerHealth(),
                      shardedCache ? group.selector(group.slots()) : ShardSelector.EVERYTHING));
      ShardSelector own = group.selector(group.slots());
      CachedResource<Pod> pods = caches.take();
      ShardReplica.print(pods.list().size(), ProcessFigures.usedHeap() - heapBefore, own);
      for (String version = input.readLine(); version != null; version = input.readLine()) {
        String wanted = version;
        await(() -> ResourceVersion.compare(pods.view().resourceVersion(), wanted) >= 0);
        ShardReplica.print(pods.list().size(), 0, own);
      }
    }
  }

  /** Returns whether all slots belong to that many members, and this one has what is its own. */
  private static boolean isSettled(ShardGroup group, String identity, int count) {
    return group.members().size() == count
        && group.members().stream().noneMatch(member -> member.slots().isEmpty())
        && group.members().stream().map(ShardMember::slots).mapToInt(slots -> slots.size()).sum()
            == group.slotCount()
        && group.members().stream()
            .filter(member -> member.identity().equals(identity))
            .allMatch(member -> member.slots().equals(group.slots()));
  }

  private static boolean shows(Map<String, InformerHealth> informers, ShardSelector shard) {
    return informers.values().stream()
        .allMatch(
            health ->
                health.hasSynced()
                    && health
                        .shard()
                        .map(InformerHealth.Shard::selector)
                        .orElse(ShardSelector.EVERYTHING)
                        .equals(shard));
  }

  /** A condition on what other threads do. */
  private interface Condition {
    boolean holds() throws InterruptedException;
  }

  private static void await(Condition condition) throws InterruptedException {
    Deadline deadline = Clock.system().deadline(PATIENCE);
    while (!condition.holds()) {
      if (!deadline.sleep(Duration.ofMillis(50))) {
        throw new IllegalStateException("the replica has not got there within " + PATIENCE);
      }
    }
  }
}
