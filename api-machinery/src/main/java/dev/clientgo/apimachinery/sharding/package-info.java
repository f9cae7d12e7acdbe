/**
 * A share of the objects for each replica of a controller.
 *
 * <p>A controller that watches more than one process can hold runs as several, each with its part.
 * The parts are ranges of a hash of the object's uid, or of its namespace, so that every object
 * belongs to exactly one of them:
 *
 * <pre>{@code
 * ShardSelector lower =
 *     ShardSelector.of(new ShardRange(ShardRange.UID, ShardRange.FIRST, "0x8000000000000000"));
 * ListOptions options = ListOptions.builder().shardSelector(lower.toString()).build();
 * }</pre>
 *
 * <p>This is alpha in Kubernetes 1.36, and a server that does not know it sends all objects. It
 * says in {@link dev.clientgo.apimachinery.meta.ListMeta#shardInfo} which selector it has applied;
 * where that is absent, the client drops what {@link
 * dev.clientgo.apimachinery.sharding.ShardSelector#matches} does not select.
 */
package dev.clientgo.apimachinery.sharding;
