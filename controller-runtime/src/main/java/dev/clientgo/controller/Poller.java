package dev.clientgo.controller;

import java.util.Collection;

/**
 * Asks another system, or the time, which objects need a reconcile, for causes that no watch shows.
 *
 * <pre>{@code
 * .polls(Duration.ofMinutes(1), client -> databases.changed().stream().map(Request::of).toList())
 * .polls(Duration.ofHours(1), client -> List.of(new Request("", "report"))) // a timer
 * }</pre>
 *
 * <p>A thread of the controller calls it. Corresponds to {@code PollingEventSource} and {@code
 * TimerEventSource} of the Java Operator SDK.
 */
@FunctionalInterface
public interface Poller {

  /**
   * Returns the requests that are due. If it throws, the controller logs and counts that, asks
   * again after the period, and is not ready after three failures in a row.
   *
   * @param client the client of the controller; with {@link ManagerBuilder#shards} each replica
   *     polls, and this client writes no more than {@link Manager#client} does
   * @throws InterruptedException if the thread is interrupted, because the controller is closed
   */
  Collection<Request> poll(Client client) throws InterruptedException;
}
