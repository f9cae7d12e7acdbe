package dev.clientgo.controller;

import dev.clientgo.clock.FakeClock;
import dev.clientgo.testing.Eventually;
import java.time.Duration;

/** Lets the time that a controller has for its first list run out. */
final class LateCache {

  private LateCache() {}

  /**
   * Runs the controller, whose first list fails, until it has failed. The clock is the manager's.
   */
  static void await(Controller controller, Manager manager, FakeClock clock)
      throws InterruptedException {
    manager.add(controller);
    manager.start();
    Eventually.await(
        "an error of the list",
        () ->
            manager.informerHealth().values().stream()
                .anyMatch(health -> health.lastError().isPresent()));
    Eventually.await(
        "the end of the time",
        () -> {
          clock.advance(Duration.ofSeconds(1));
          return controller.state() == ControllerState.FAILED;
        });
  }
}
