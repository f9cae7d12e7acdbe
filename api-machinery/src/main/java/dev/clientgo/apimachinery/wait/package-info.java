/**
 * Backoff and polling.
 *
 * <p>A client must retry failed requests, but not too often. It waits after a failure, longer after
 * each further one, with a random part, so that clients of a restarted server do not all return at
 * the same moment. A {@link dev.clientgo.apimachinery.wait.Backoff} is a value that defines how the
 * waits grow; its delays are an object that counts the steps:
 *
 * <pre>{@code
 * Backoff backoff =
 *     Backoff.builder(Duration.ofMillis(800))
 *         .factor(2)
 *         .jitter(1)
 *         .steps(10)
 *         .cap(Duration.ofSeconds(30))
 *         .build();
 * DelayFunction delays = backoff.delaysWithReset(clock, random, Duration.ofMinutes(2));
 * while (!connect()) {
 *   clock.sleep(delays.next());
 * }
 * }</pre>
 *
 * <p>{@link dev.clientgo.apimachinery.wait.Poll} checks a condition until it holds or a time limit
 * passes. It uses a {@link dev.clientgo.clock.Clock}, and ends at once when its thread is
 * interrupted, as Go's functions end when their context is cancelled.
 */
package dev.clientgo.apimachinery.wait;
