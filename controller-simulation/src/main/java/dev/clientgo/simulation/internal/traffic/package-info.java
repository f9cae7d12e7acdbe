/** The connection between the processes of a simulation and the server, where faults happen. */
package dev.clientgo.simulation.internal.traffic;
