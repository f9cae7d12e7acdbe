/**
 * Leader election: of several processes, one works and the others stand by.
 *
 * <pre>{@code
 * LeaseLock lock = LeaseLock.of("shop", "my-controller");
 * try (LeaderElector elector =
 *     LeaderElector.builder(client, lock, LeaderElector.uniqueIdentity())
 *         .onStartedLeading(term -> runControllers(term.client()))
 *         .onStoppedLeading(() -> System.out.println("no longer the leader"))
 *         .build()) {
 *   elector.run();
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@link dev.clientgo.leaderelection.LeaderElector} is a candidate; {@link
 *       dev.clientgo.leaderelection.LeaseLock} names the Lease that the candidates compete for.
 *   <li>{@link dev.clientgo.leaderelection.LeadershipTerm} hands out clients that can write only
 *       while the process leads.
 *   <li>{@link dev.clientgo.leaderelection.LeaderElectionMetrics} receives metrics.
 * </ul>
 *
 * <p>The rules of an election are in {@code Election}, which neither waits nor starts threads; the
 * threads are in {@code ElectionDriver}.
 */
package dev.clientgo.leaderelection;
