package dev.clientgo.leaderelection.shard;

import dev.clientgo.leaderelection.internal.Fence;
import java.util.HashSet;
import java.util.Set;

/**
 * The time during which this member owns a slot. The lock of the group guards it, except the fence,
 * which any thread may ask.
 */
final class SlotTerm {

  final int slot;
  final Fence fence;

  /** The work that has begun and not ended. */
  final Set<ShardWork> active = new HashSet<>();

  /** Whether no further work may begin, because the slot goes to another member. */
  boolean draining;

  /** The reading of the clock when draining began. */
  long drainingSince;

  SlotTerm(int slot, Fence fence) {
    this.slot = slot;
    this.fence = fence;
  }

  void drain(long now) {
    draining = true;
    drainingSince = now;
  }

  @Override
  public String toString() {
    return "slot " + slot;
  }
}
