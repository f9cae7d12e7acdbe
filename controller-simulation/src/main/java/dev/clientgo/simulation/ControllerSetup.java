package dev.clientgo.simulation;

/** Starts a controller, as its {@code main} method does. Called again after each crash. */
@FunctionalInterface
public interface ControllerSetup {

  /**
   * Starts the controller with the client, the clock and the threads of the process. It may return
   * or keep running, as {@code manager.run()} does; if it throws, the process ends and starts
   * again.
   *
   * @throws Exception if the controller cannot start or has failed
   */
  void start(SimulatedProcess process) throws Exception;
}
