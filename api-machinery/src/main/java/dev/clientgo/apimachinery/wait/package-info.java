/**
 * Waiting: how long, how often, and when to give up.
 *
 * <p>Whatever talks to a server must be ready to try again, and must not do so too often: after a
 * failure it waits, after another one longer, and with a bit of chance in it, lest all clients of a
 * server that has come back come at the same moment. A {@link
 * dev.clientgo.apimachinery.wait.Backoff} says how such waits grow. It is a value; asked for its
 * delays, it gives an object that counts the steps:
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
 * <p>Two loops are ready-made. {@link dev.clientgo.apimachinery.wait.Poll} looks until something is
 * so, or gives up. {@link dev.clientgo.apimachinery.wait.Loop} does something for ever. Both take
 * their time from a {@link dev.clientgo.clock.Clock}, and both end at once when their thread is
 * interrupted: interruption is what a cancelled context is in Go.
 */
package dev.clientgo.apimachinery.wait;
