package dev.clientgo.controller;

/**
 * Checks one part of a program, for {@code /healthz} or {@code /readyz}.
 *
 * <p>Corresponds to controller-runtime's {@code healthz.Checker}.
 */
@FunctionalInterface
public interface HealthCheck {

  /**
   * Returns if the part is well. It must be quick, and safe for use by many threads.
   *
   * @throws Exception if it is not; the page at {@link ManagerBuilder#metricsBindAddress} shows its
   *     message
   */
  void check() throws Exception;
}
