package dev.clientgo.examples.podservice;

import java.time.Duration;

/**
 * The limits of a {@link PodService}.
 *
 * @param history how many changes clients of {@code /watch} may be behind
 * @param maxStreams how many clients of {@code /watch} there may be
 * @param heartbeat how often a stream without changes sends a comment
 * @param writeTimeout how long a client of {@code /watch} may take no bytes
 * @param versionTimeout how long a request waits for a version that the cache has not reached yet
 * @param maxAge how long the API server may be silent until {@code /healthz} says so; it sends a
 *     bookmark about every minute
 */
public record PodServiceOptions(
    int history,
    int maxStreams,
    Duration heartbeat,
    Duration writeTimeout,
    Duration versionTimeout,
    Duration maxAge) {

  /** The default options. */
  public static final PodServiceOptions DEFAULTS =
      new PodServiceOptions(
          10_000,
          100,
          Duration.ofSeconds(15),
          Duration.ofSeconds(10),
          Duration.ofSeconds(3),
          Duration.ofMinutes(5));
}
