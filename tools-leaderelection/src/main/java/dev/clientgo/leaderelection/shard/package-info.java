/**
 * Shards: replicas of one program share its objects.
 *
 * <pre>{@code
 * try (ShardGroup group =
 *     ShardGroup.builder(client, LeaseLock.of("shop", "my-controller-shards")).build()) {
 *   group.addListener(listener);
 *   group.start();
 *   ...
 *   Optional<ShardWork> work = group.begin(map.metadata().uid(), () -> {});
 *   if (work.isPresent()) {
 *     try (ShardWork mine = work.get()) {
 *       mine.fence(client).resource(ConfigMap.TYPE).inNamespace("shop").update(map);
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>{@link dev.clientgo.leaderelection.shard.ShardGroup} is one member. The rules are in {@code
 * Membership}, which neither waits nor starts threads; the threads are in {@code ShardDriver}. The
 * manager of controllers takes a group in one line.
 */
package dev.clientgo.leaderelection.shard;
