package dev.clientgo.simulation.workload;

import dev.clientgo.rest.RESTClient;

/** One step of the user of a cluster, such as to create an object. */
@FunctionalInterface
public interface Step {

  /**
   * Takes the step.
   *
   * @param client the client of the user, which no fault hits
   * @throws Exception if the step fails, which fails the simulation
   */
  void run(RESTClient client) throws Exception;
}
