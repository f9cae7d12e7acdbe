/** The steps of a user of the cluster, and the conditions that must hold meanwhile. */
package dev.clientgo.simulation.workload;
