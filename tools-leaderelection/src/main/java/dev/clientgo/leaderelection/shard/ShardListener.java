package dev.clientgo.leaderelection.shard;

import java.util.SortedSet;

/**
 * Receives the slots that a member takes and leaves. A thread of the group calls the methods one
 * after the other; while one runs, the group continues to renew its Lease. The group logs and
 * ignores their exceptions.
 */
public interface ShardListener {

  /**
   * This member should own these slots, as the members are now, and takes those of them that it
   * does not own yet as soon as their owners give them away. So a cache can begin to read their
   * objects. Called first of all methods, with all slots each time, and not while the member
   * leaves. If the member loses its slots because it cannot reach the server, it still expects
   * them.
   */
  default void expects(SortedSet<Integer> slots) {}

  /**
   * This member owns these slots from now on. A controller looks at all their objects, because it
   * has ignored them up to now. Slots can be taken again that were not {@linkplain #left left}.
   */
  default void taken(SortedSet<Integer> slots) {}

  /**
   * This member no longer owns these slots. There is nothing to tidy up: the objects exist, and
   * another member looks after them.
   *
   * @param reason for people to read
   */
  default void left(SortedSet<Integer> slots, String reason) {}

  /** This member cannot take part, and the group has ended. */
  default void failed(RuntimeException error) {}
}
