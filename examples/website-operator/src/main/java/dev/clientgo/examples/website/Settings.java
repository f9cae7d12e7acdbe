package dev.clientgo.examples.website;

import java.time.Duration;
import java.util.Map;

/**
 * The settings of the operator.
 *
 * @param namespace the operator's own namespace, which has its Lease and its registry
 * @param httpPort the port of health, readiness and metrics; 0 for any free one
 * @param cacheSyncTimeout how long the operator waits for its caches, before it fails
 * @param leaseDuration how long the other replicas wait for a leader that is silent
 */
record Settings(String namespace, int httpPort, Duration cacheSyncTimeout, Duration leaseDuration) {

  private static final int HTTP_PORT = 8080;

  /**
   * Reads the settings from environment variables: {@code POD_NAMESPACE}, by default {@code
   * website-system}, and {@code HTTP_PORT}, by default 8080.
   *
   * @throws IllegalArgumentException if the port is none
   */
  static Settings of(Map<String, String> environment) {
    String port = environment.getOrDefault("HTTP_PORT", String.valueOf(HTTP_PORT));
    if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65535) {
      throw new IllegalArgumentException("HTTP_PORT=" + port + " is not a port");
    }
    return new Settings(
        environment.getOrDefault("POD_NAMESPACE", "website-system"),
        Integer.parseInt(port),
        Duration.ofMinutes(1),
        Duration.ofSeconds(15));
  }
}
