/**
 * Sharding: each replica of a program holds a part of the objects.
 *
 * <p>If there are more objects of a kind than one process can hold, it runs as several replicas.
 * Each gets a range of the hashes of the objects' uids or namespaces, so every object belongs to
 * exactly one replica:
 *
 * <pre>{@code
 * List<ShardRange> halves = ShardRange.split(2);
 * ShardSelector lower = ShardSelector.of(ShardField.UID, halves.get(0));
 * ListOptions options = ListOptions.builder().shardSelector(lower).build();
 * }</pre>
 *
 * <p>Sharding is alpha in Kubernetes 1.36, behind the feature gate {@code ShardedListAndWatch}. A
 * server without it ignores the selector and sends all objects. A server with it returns the
 * selector in {@link dev.clientgo.apimachinery.meta.ListMeta#shardInfo}; if that is absent, the
 * client must drop the objects that {@link
 * dev.clientgo.apimachinery.sharding.ShardSelector#matches} does not select. Informers do so.
 */
package dev.clientgo.apimachinery.sharding;
