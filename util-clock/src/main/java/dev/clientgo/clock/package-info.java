/**
 * Time and threads as dependencies.
 *
 * <p>Informers, queues and clients wait often: for a backoff, a resync, a bookmark, the expiry of a
 * token. All of them take a {@link dev.clientgo.clock.Clock}, and bound a wait by its {@link
 * dev.clientgo.clock.Deadline}. In a test, that clock is a {@link dev.clientgo.clock.FakeClock},
 * which moves only when the test says so:
 *
 * <pre>{@code
 * FakeClock clock = FakeClock.create();
 * Thread worker = new Thread(() -> backOff(clock)); // sleeps 30 s on that clock
 * worker.start();
 * clock.awaitWaiters(1);
 * clock.advance(Duration.ofSeconds(30)); // the worker continues at once
 * }</pre>
 *
 * <p>Each part that needs a thread takes a {@link java.util.concurrent.ThreadFactory}, so that a
 * program chooses its threads and a test can hold them. The default is {@link
 * dev.clientgo.clock.DaemonThreads#named}:
 *
 * <pre>{@code
 * ThreadFactory threads = DaemonThreads.named("reflector-pods-");
 * threads.newThread(this::listAndWatch).start(); // reflector-pods-0, virtual on Java 21
 * }</pre>
 *
 * <p>Such a thread does not keep the program running. The part that starts a thread also ends it:
 * it interrupts the thread and waits for its end.
 *
 * <p>{@link dev.clientgo.clock.Interruptible} calls methods that block from functions that cannot
 * throw {@link InterruptedException}; {@link dev.clientgo.clock.ShutdownSignal} ends a program in
 * order on SIGTERM; {@link dev.clientgo.clock.CrashLog} keeps a loop alive that calls a user's
 * code.
 */
package dev.clientgo.clock;
