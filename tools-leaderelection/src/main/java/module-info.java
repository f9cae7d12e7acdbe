/**
 * Leader election by a Lease, and shards that replicas share by Leases.
 *
 * <p>Corresponds to client-go's {@code tools/leaderelection}.
 */
@org.jspecify.annotations.NullMarked
module dev.clientgo.leaderelection {
  requires static com.google.errorprone.annotations;
  requires transitive dev.clientgo.clock;
  requires transitive dev.clientgo.kubernetes;

  exports dev.clientgo.leaderelection;
  exports dev.clientgo.leaderelection.shard;
}
