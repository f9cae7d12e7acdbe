package dev.clientgo.leaderelection;

import dev.clientgo.leaderelection.internal.LeaseRequest;
import dev.clientgo.leaderelection.internal.LeaseRequest.Answer;
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
  record Call(LeaseRequest request, Duration timeout, Function<Answer, Step> then)
      implements Step {}

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
}
