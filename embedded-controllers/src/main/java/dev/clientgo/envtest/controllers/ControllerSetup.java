package dev.clientgo.envtest.controllers;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.Controller;
import dev.clientgo.controller.ControllerBuilder;
import dev.clientgo.controller.Reconciler;
import dev.clientgo.envtest.controllers.internal.pods.Alarm;
import dev.clientgo.envtest.controllers.pods.PodScript;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.workqueue.RateLimiter;
import java.time.Duration;

/**
 * The things of which a built-in controller is made.
 *
 * @param name the name of the controller
 * @param client reaches the server, without caches
 * @param alarm wakes controllers at moments of the clock
 * @param pods defines how pods run
 */
record ControllerSetup(String name, RESTClient client, Alarm alarm, PodScript pods) {

  /** How often a request that fails is tried again at once. */
  private static final int PROMPT_RETRIES = 20;

  /** Returns the clock on whose time controllers act. */
  Clock clock() {
    return alarm.clock();
  }

  /** Returns the same for another controller. */
  ControllerSetup named(String name) {
    return new ControllerSetup(name, client, alarm, pods);
  }

  /**
   * Returns a builder of a controller of that name.
   *
   * <p>A request that fails is tried again at once, and only after many failures by the clock: most
   * failures are conflicts, and with a fake clock no time passes unless the test says so.
   */
  ControllerBuilder controller(Reconciler reconciler) {
    return Controller.builder(reconciler)
        .named(name)
        .rateLimiter(
            RateLimiter.itemFastSlow(Duration.ZERO, Duration.ofSeconds(1), PROMPT_RETRIES));
  }
}
