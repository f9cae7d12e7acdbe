package dev.clientgo.controller;

import dev.clientgo.leaderelection.LeaseLock;

/**
 * This process has led, and could not renew its Lease. Its controllers were ended without grace,
 * and it should end, so that its environment starts it again as a candidate.
 */
public final class LeaderElectionLostException extends RuntimeException {

  private static final long serialVersionUID = 1;

  LeaderElectionLostException(LeaseLock lock) {
    super("leader election lost: the lease " + lock + " could not be renewed; end this process");
  }
}
