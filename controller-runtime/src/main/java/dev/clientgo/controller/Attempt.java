package dev.clientgo.controller;

import static java.util.Objects.requireNonNull;

import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.controller.internal.reconcile.ActiveReconcile;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that a worker has taken, and what the {@linkplain Step steps} note about it. Used by
 * the thread of the worker; a reconciler may call {@link #check} in any thread.
 */
final class Attempt {

  /**
   * One concern of a reconcile, such as the metrics. The steps of a controller stand in a row, and
   * each one is around those that follow; the last one calls the reconciler.
   */
  @FunctionalInterface
  interface Step {

    /**
     * Does its part, and calls {@link #proceed} for the steps that follow, unless the request
     * should not be reconciled now.
     *
     * @throws InterruptedException if the thread is interrupted outside of the reconciler; the
     *     request comes again
     */
    void run(Attempt attempt) throws InterruptedException;
  }

  /** A condition of the reconcile: the process leads, or owns the object's slot. */
  private record Claim(BooleanSupplier isOver, Runnable check) {}

  final Request request;
  final int priority;

  /** How often in a row the request had failed before. */
  final int failures;

  final ActiveReconcile reconcile;
  private final PriorityQueue<Request> queue;
  private final List<Step> steps;
  private int next;
  private List<Claim> claims = List.of();

  /** The number of this reconcile among those of the controller, once it begins. */
  long id;

  /** The client of the reconciler; steps may replace it. */
  Client client;

  /** The result of the reconciler; null if it returned none. */
  @Nullable Result result;

  /** The error of the reconciler; null if it returned. */
  @Nullable Throwable error;

  private @Nullable Outcome outcome;

  Attempt(
      WorkItem<Request> work,
      ActiveReconcile reconcile,
      Client client,
      PriorityQueue<Request> queue,
      List<Step> steps) {
    this.request = work.value();
    this.priority = work.priority();
    this.failures = queue.numRequeues(request);
    this.reconcile = reconcile;
    this.client = client;
    this.queue = queue;
    this.steps = steps;
  }

  /** Runs the steps that follow. */
  void proceed() throws InterruptedException {
    steps.get(next++).run(this);
  }

  /** Forgets the failures of the request, which another process reconciles now. */
  void leaveToOthers() {
    queue.forget(request);
  }

  /** Adds a condition of the reconcile; called before the reconciler is. */
  void claim(BooleanSupplier isOver, Runnable check) {
    claims = new ArrayList<>(claims);
    claims.add(new Claim(isOver, check));
  }

  /** Returns whether a condition fails, so that another process may reconcile the object. */
  boolean isOver() {
    return claims.stream().anyMatch(claim -> claim.isOver.getAsBoolean());
  }

  /** Throws the error of the election or of the shard group if {@link #isOver}. */
  void check() {
    claims.forEach(claim -> claim.check.run());
  }

  /** Sets how the reconcile has ended. */
  void end(Outcome how) {
    outcome = how;
  }

  /** Returns how the reconcile has ended. */
  Outcome outcome() {
    return requireNonNull(outcome, "outcome");
  }
}
