/** The states of the cluster, and what of them is the same in each run. */
package dev.clientgo.simulation.internal.state;
