package dev.clientgo.simulation;

import dev.clientgo.simulation.internal.run.FaultPlan;
import dev.clientgo.simulation.internal.run.History;
import dev.clientgo.simulation.internal.state.Normalizer;
import dev.clientgo.simulation.internal.threads.Scheduler;
import dev.clientgo.simulation.plan.Plan;

/**
 * The parts of one run that the other parts share.
 *
 * @param settings the settings of the simulation
 * @param plan the plan of the run
 * @param faults the faults of the plan that have not happened yet
 * @param scheduler runs the threads
 * @param history records the run
 * @param salt makes the random numbers others than those of a replay; 0 usually
 * @param normalizer leaves out what differs from run to run
 */
record World(
    Settings settings,
    Plan plan,
    FaultPlan faults,
    Scheduler scheduler,
    History history,
    long salt,
    Normalizer normalizer) {}
