/**
 * Bugs of controllers that are published, and a twin of each without the bug. The simulation finds
 * the bugs and passes the twins.
 *
 * <p>All controllers make secrets for a config map, the <i>shop</i>. Classes that extend {@link
 * dev.clientgo.simulation.bugs.ReconcilerBug} run on the runtime, those that extend {@link
 * dev.clientgo.simulation.bugs.HandmadeBug} on an informer and a queue. In each, {@code bug} and
 * {@code twin} are the same controller with the bug and without it.
 */
package dev.clientgo.simulation.bugs;
