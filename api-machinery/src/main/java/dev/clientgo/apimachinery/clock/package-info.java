/**
 * Time as a dependency.
 *
 * <p>Informers, queues and clients wait a lot: for backoff, resync, bookmarks, tokens to expire.
 * All of them take a {@link dev.clientgo.apimachinery.clock.Clock}, and in a test that clock is a
 * {@link dev.clientgo.apimachinery.clock.FakeClock}, which moves only when told:
 *
 * <pre>{@code
 * FakeClock clock = FakeClock.create();
 * Thread worker = new Thread(() -> backOff(clock)); // sleeps 30 s on that clock
 * worker.start();
 * clock.awaitWaiters(1);
 * clock.advance(Duration.ofSeconds(30)); // worker goes on at once
 * }</pre>
 */
package dev.clientgo.apimachinery.clock;
