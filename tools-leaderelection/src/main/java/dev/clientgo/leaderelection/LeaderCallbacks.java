package dev.clientgo.leaderelection;

/**
 * Callbacks for when a program begins to lead, stops leading, or sees another leader.
 *
 * <p>Corresponds to client-go's {@code leaderelection.LeaderCallbacks}.
 */
public interface LeaderCallbacks {

  /** The work of a leader. */
  @FunctionalInterface
  interface Work {

    /** As {@link LeaderCallbacks#onStartedLeading}. */
    void run(LeadershipTerm term) throws InterruptedException;
  }

  /**
   * Runs the work of a leader, in a separate thread. The thread is interrupted when the term ends.
   * If this returns, the process still leads. If it throws anything but an {@link
   * InterruptedException}, the elector stops, and {@link LeaderElector#run} throws the error.
   *
   * @param term hands out the clients for the work
   */
  void onStartedLeading(LeadershipTerm term) throws InterruptedException;

  /**
   * Runs in the thread of {@link LeaderElector#run}, before that returns: also if this process
   * never led. The term has ended then, and the work has been interrupted, but may not have ended.
   */
  void onStoppedLeading();

  /**
   * Runs when the leader is not the one last seen; this process can be the leader too. Calls come
   * one after the other, in threads of the elector.
   *
   * @param identity the identity of the leader; empty if the Lease was given back
   */
  default void onNewLeader(String identity) {}
}
