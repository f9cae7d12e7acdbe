/** The history of a run and the faults that are still to come, which all parts of it share. */
package dev.clientgo.simulation.internal.run;
