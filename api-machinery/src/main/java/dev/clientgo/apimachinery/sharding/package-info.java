/**
 * Sharding: each replica of a controller works on a part of the objects.
 *
 * <p>If a controller watches more objects than one process can hold, it runs as several replicas.
 * Each gets a range of the hashes of the objects' uids or namespaces, so every object belongs to
 * exactly one replica:
 *
 * <pre>{@code
 * ShardSelector lower =
 *     ShardSelector.of(new ShardRange(ShardRange.UID, ShardRange.FIRST, "0x8000000000000000"));
 * ListOptions options = ListOptions.builder().shardSelector(lower.toString()).build();
 * }</pre>
 *
 * <p>Sharding is alpha in Kubernetes 1.36; a server that does not support it sends all objects. A
 * server that does returns the selector in {@link
 * dev.clientgo.apimachinery.meta.ListMeta#shardInfo}. If that is absent, the client drops the
 * objects that {@link dev.clientgo.apimachinery.sharding.ShardSelector#matches} does not select.
 */
package dev.clientgo.apimachinery.sharding;
