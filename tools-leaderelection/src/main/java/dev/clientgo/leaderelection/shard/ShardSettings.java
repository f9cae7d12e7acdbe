package dev.clientgo.leaderelection.shard;

import dev.clientgo.apimachinery.meta.MicroTime;
import dev.clientgo.apimachinery.meta.ObjectMeta;
import dev.clientgo.kubernetes.coordination.v1.Lease;
import dev.clientgo.leaderelection.LeaseLock;
import dev.clientgo.leaderelection.internal.LeaseTimings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of one member of a group, and the Leases that it writes. Immutable. */
record ShardSettings(LeaseLock group, String identity, LeaseTimings timings, Slots slots) {

  /** The label with the name of the group, of all its Leases. */
  static final String GROUP = "shards.clientgo.dev/group";

  /** The annotation of the Lease of a member that wants no slots: not yet, or not any more. */
  static final String LEAVING = "shards.clientgo.dev/leaving";

  /** The longest value of a label. */
  private static final int LONGEST_NAME = 63;

  ShardSettings {
    if (identity.isEmpty()) {
      throw new IllegalArgumentException("the identity is empty: each member needs a unique one");
    }
    if (group.name().length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "the name of a group is the value of a label, so it has at most "
              + LONGEST_NAME
              + " characters: "
              + group.name());
    }
  }

  /** Returns the Lease by which a member joins. */
  Lease joining(String name, boolean wantsSlots, MicroTime now) {
    Lease empty =
        Lease.of(
            group.namespace(),
            name,
            lease -> lease.editMetadata(m -> m.editLabels(this::putLabels)));
    return renewed(empty, wantsSlots, now);
  }

  /** Returns the Lease of a member with a new renewal time. */
  Lease renewed(Lease own, boolean wantsSlots, MicroTime now) {
    MicroTime acquired = own.spec().acquireTime();
    return own.with(
        lease ->
            lease
                .metadata(
                    wantsSlots
                        ? own.metadata().with(m -> m.editAnnotations(all -> all.remove(LEAVING)))
                        : annotated(own.metadata(), Map.of(LEAVING, "true")))
                .editSpec(
                    spec ->
                        spec.holderIdentity(identity)
                            .leaseDurationSeconds(timings.leaseSeconds())
                            .acquireTime(acquired == null ? now : acquired)
                            .renewTime(now)));
  }

  static boolean wantsSlots(Lease lease) {
    return !lease.metadata().annotations().containsKey(LEAVING);
  }

  /** Returns the Lease of the group with an assignment, to create or to update. */
  Lease recorded(@Nullable Lease seen, Assignment assignment, MicroTime now) {
    Lease base = seen == null ? Lease.of(group.namespace(), group.name(), lease -> {}) : seen;
    ObjectMeta labelled = base.metadata().with(m -> m.editLabels(this::putLabels));
    return base.with(
        lease ->
            lease
                .metadata(annotated(labelled, assignment.annotations()))
                .editSpec(spec -> spec.leaseTransitions(assignment.version()).renewTime(now)));
  }

  private static ObjectMeta annotated(ObjectMeta metadata, Map<String, String> annotations) {
    return metadata.with(m -> m.editAnnotations(all -> all.putAll(annotations)));
  }

  private void putLabels(Map<String, String> labels) {
    labels.putAll(group.labels());
    labels.put(GROUP, group.name());
  }
}
