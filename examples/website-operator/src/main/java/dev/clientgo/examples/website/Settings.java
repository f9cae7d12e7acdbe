package dev.clientgo.examples.website;

import java.time.Duration;
import java.util.Map;

/**
 * The settings of the operator.
 *
 * @param namespace the operator's own namespace, which has its Lease and its registry
 * @param httpPort the port of health and readiness; 0 for any free one
 * @param metricsPort the port of metrics; 0 for any free one
 * @param cacheSyncTimeout how long the operator waits for its caches, before it fails
 * @param leaseDuration how long the other replicas wait for a leader that is silent
 */
record Settings(
    String namespace,
    int httpPort,
    int metricsPort,
    Duration cacheSyncTimeout,
    Duration leaseDuration) {

  /**
   * Reads the settings from environment variables: {@code POD_NAMESPACE}, by default {@code
   * website-system}, {@code HTTP_PORT}, by default 8081, and {@code METRICS_PORT}, by default 8080.
   *
   * @throws IllegalArgumentException if a port is none
   */
  static Settings of(Map<String, String> environment) {
    return new Settings(
        environment.getOrDefault("POD_NAMESPACE", "website-system"),
        port("HTTP_PORT", environment.getOrDefault("HTTP_PORT", "8081")),
        port("METRICS_PORT", environment.getOrDefault("METRICS_PORT", "8080")),
        Duration.ofMinutes(1),
        Duration.ofSeconds(15));
  }

  private static int port(String name, String port) {
    if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65535) {
      throw new IllegalArgumentException(name + "=" + port + " is not a port");
    }
    return Integer.parseInt(port);
  }
}
