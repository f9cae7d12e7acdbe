package dev.clientgo.controller.internal.reconcile;

import dev.clientgo.controller.debug.ReconcileRecord.Outcome;
import dev.clientgo.controller.internal.cache.ReconcileWrites;
import dev.clientgo.leaderelection.shard.ShardWork;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.workqueue.PriorityQueue;
import dev.clientgo.workqueue.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request that a worker has taken, and what the {@linkplain Step steps} note about it. Used by
 * the thread of the worker; a reconciler may call {@link #check} in any thread.
 *
 * @param <R> the type of the requests
 */
public final class Attempt<R> {

  /**
   * One concern of a reconcile, such as the metrics. The steps of a controller stand in a row, and
   * each one is around those that follow; the {@linkplain LastStep last one} calls the reconciler.
   *
   * @param <R> the type of the requests
   */
  @FunctionalInterface
  public interface Step<R> {

    /**
     * Does its part, and calls {@link #proceed} for the steps that follow, unless the request
     * should not be reconciled now.
     *
     * @throws InterruptedException if the thread is interrupted outside of the reconciler; the
     *     request comes again
     */
    void run(Attempt<R> attempt) throws InterruptedException;
  }

  /** A condition of the reconcile: the process leads, or owns the object's slot. */
  private record Claim(BooleanSupplier isOver, Runnable check) {}

  /** Causes may form a circle. */
  private static final int MAX_CAUSES = 50;

  public final R request;
  public final int priority;

  /** How often in a row the request had failed before. */
  public final int failures;

  /** How long the request was in the queue, ready for a worker. */
  public final Duration queued;

  public final ActiveReconcile reconcile;

  private final PriorityQueue<R> queue;
  private final List<Step<R>> steps;
  private int next;
  private List<Claim> claims = List.of();

  private RESTClient client;
  private @Nullable ShardWork shard;

  /** The number of this reconcile among those of the controller, once it begins. */
  long id;

  /** Receives the writes of the reconcile; null if no step asks for them. */
  @Nullable ReconcileWrites writes;

  /** When the reconciler asks to come again, zero for not by time; null if it failed. */
  @Nullable Duration requeueAfter;

  /** The priority of the next reconcile, if the reconciler asks for one. */
  int nextPriority;

  /** The error of the reconciler; null if it returned a result. */
  @Nullable Throwable error;

  /** Whether {@link #error} stands for an interruption after the timeout. */
  boolean timedOut;

  /** Stays if a step around the reconciler throws: the request comes again. */
  private Outcome outcome = Outcome.FAILED;

  /** Creates an attempt, whose reconcile writes with the client unless a step replaces it. */
  Attempt(
      WorkItem<R> work,
      ActiveReconcile reconcile,
      RESTClient client,
      PriorityQueue<R> queue,
      List<Step<R>> steps) {
    this.request = work.value();
    this.priority = work.priority();
    this.queued = work.queued();
    this.failures = queue.numRequeues(request);
    this.reconcile = reconcile;
    this.client = client;
    this.queue = queue;
    this.steps = steps;
  }

  /** Runs the steps that follow. */
  public void proceed() throws InterruptedException {
    steps.get(next++).run(this);
  }

  /** Forgets how often the request has failed, so that it has all retries when it comes again. */
  public void forgetFailures() {
    queue.forget(request);
  }

  /** Adds a condition of the reconcile; called before the reconciler is. */
  void claim(BooleanSupplier isOver, Runnable check) {
    claims = new ArrayList<>(claims);
    claims.add(new Claim(isOver, check));
  }

  /** Lets the reconcile last, and write, only while the object belongs to this replica. */
  public void claim(ShardWork work) {
    claim(work::isOver, work::check);
    shard = work;
    client = work.fence(client);
  }

  /** Returns whether a condition fails, so that another process may reconcile the object. */
  boolean isOver() {
    return claims.stream().anyMatch(claim -> claim.isOver.getAsBoolean());
  }

  /** Throws the error of the election or of the shard group if a condition fails. */
  public void check() {
    claims.forEach(claim -> claim.check.run());
  }

  /** Returns the number of this reconcile among those of the controller. */
  public long id() {
    return id;
  }

  /** Returns the client with which the reconcile writes. */
  public RESTClient client() {
    return client;
  }

  /** Returns what receives the writes of the reconcile; null if no step asks for them. */
  public @Nullable ReconcileWrites writes() {
    return writes;
  }

  /** Returns what knows whether the object belongs to this replica; null if none share it. */
  public @Nullable ShardWork shard() {
    return shard;
  }

  /**
   * Sets the result of the reconciler.
   *
   * @param after when to reconcile again; zero for not before the next event
   * @param next the priority of that reconcile
   */
  public void succeed(Duration after, int next) {
    requeueAfter = after;
    nextPriority = next;
  }

  /** Sets the error of the reconciler. */
  public void fail(Throwable cause) {
    error = cause;
  }

  /** Returns the error of the reconciler; null if it has returned a result. */
  public @Nullable Throwable error() {
    return error;
  }

  /**
   * Returns whether the error comes from an interruption at the end of the controller, its term or
   * the slot, and not from the timeout: then the reconciler has not failed.
   */
  public boolean isInterrupted(Throwable cause) {
    return isOver() || (!reconcile.isTimedOut() && isInterruption(cause));
  }

  /** Returns whether an error is an interruption, or has one as its cause. */
  static boolean isInterruption(@Nullable Throwable error) {
    return isOrHasCause(error, InterruptedException.class);
  }

  /** Returns whether an error, or one in the chain of its causes, is of that class. */
  public static boolean isOrHasCause(@Nullable Throwable error, Class<? extends Throwable> type) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
        .limit(MAX_CAUSES)
        .anyMatch(type::isInstance);
  }

  /** Sets how the reconcile has ended. */
  void end(Outcome how) {
    outcome = how;
  }

  /** Returns how the reconcile has ended. */
  public Outcome outcome() {
    return outcome;
  }
}
