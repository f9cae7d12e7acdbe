/** Plans: the seed and the faults that a run depends on, with a text form that replays it. */
package dev.clientgo.simulation.plan;
