package dev.clientgo.leaderelection;

import dev.clientgo.kubernetes.coordination.v1.Lease;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The next action that an {@link Election} asks for, and how it continues. {@link ElectionDriver}
 * does it with threads and a server; a test does it with neither.
 */
sealed interface Step {

  /**
   * Send a request.
   *
   * @param timeout how long to wait for the answer
   * @param then takes the answer; a timeout is a {@link Answer.Failed}
   */
  record Call(Request request, Duration timeout, Function<Answer, Step> then) implements Step {}

  /** Wait. */
  record Pause(Duration duration, Supplier<Step> then) implements Step {}

  /**
   * Wait until the work of the leader has ended.
   *
   * @param then takes whether it has ended in time
   */
  record AwaitWork(Duration timeout, Function<Boolean, Step> then) implements Step {}

  /** Nothing: the election has ended for this process. */
  record Stop() implements Step {}

  /** A request about the Lease. */
  sealed interface Request {

    /** Read it. */
    record Get() implements Request {}

    /** Create it. */
    record Create(Lease lease) implements Request {}

    /** Replace it, unless it has changed since this resourceVersion. */
    record Update(Lease lease) implements Request {}
  }

  /** The answer to a request. */
  sealed interface Answer {

    /** The Lease as read or written. */
    record Found(Lease lease) implements Answer {}

    /** There is no such Lease. */
    record NotFound() implements Answer {}

    /** The Lease has changed meanwhile. */
    record Conflict() implements Answer {}

    /** Any other error. The server may have acted on the request. */
    record Failed(Throwable error) implements Answer {}
  }
}
