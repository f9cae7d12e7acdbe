/** Threads that run one at a time, and the clock that they wait by. */
package dev.clientgo.simulation.internal.threads;
