package dev.clientgo.remotecommand.copy;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import java.time.Duration;

/** Decides whether a copy resumes after a failure, and waits before it does. For one thread. */
final class Retries {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final int limit;
  private final Clock clock;
  private Duration pause = FIRST_PAUSE;
  private long furthest;
  private int inARow;
  private int count;

  Retries(int limit, Clock clock) {
    this.limit = limit;
    this.clock = clock;
  }

  /**
   * Waits for the next attempt.
   *
   * @param position how far this attempt has come, as a number that grows
   * @throws KubernetesException the failure, if there is no further attempt
   */
  void await(KubernetesException failure, long position) throws InterruptedException {
    if (position > furthest) {
      furthest = position;
      inARow = 0;
      pause = FIRST_PAUSE;
    }
    if (inARow >= limit || !mayPass(failure)) {
      throw failure;
    }
    inARow++;
    count++;
    clock.sleep(pause);
    pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
  }

  private static boolean mayPass(KubernetesException failure) {
    if (failure instanceof TransportException lost) {
      return lost.kind() != Kind.CLIENT_CLOSED && lost.kind() != Kind.CERTIFICATE;
    }
    return failure instanceof ApiStatusException status
        && status.status().code() != null
        && (status.status().code() >= 500 || status.isTooManyRequests());
  }

  int count() {
    return count;
  }
}
