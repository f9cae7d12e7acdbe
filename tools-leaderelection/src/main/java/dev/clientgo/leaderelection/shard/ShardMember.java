package dev.clientgo.leaderelection.shard;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A member of a group as the other members see it, for people to read. Immutable.
 *
 * @param identity the identity of the process
 * @param lease the name of its Lease
 * @param slots the slots that the Lease of the group gives to it
 * @param leaving whether it wants no slots: it leaves, or is not ready yet
 */
public record ShardMember(
    String identity, String lease, SortedSet<Integer> slots, boolean leaving) {

  /** Copies the slots. */
  public ShardMember {
    slots = Collections.unmodifiableSortedSet(new TreeSet<>(slots));
  }
}
