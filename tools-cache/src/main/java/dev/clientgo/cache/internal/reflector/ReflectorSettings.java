package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.wait.DelayFunction;
import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The options of a Reflector that its states need.
 *
 * @param name the name of the Reflector in logs
 * @param minWatchTimeout the shortest time for which the server is asked to keep a watch open
 * @param initialEventsTimeout how long the server may be silent before it ends the initial events
 * @param maxInternalErrorRetry for how long a watch that ends with an internal error is opened
 *     again
 * @param failureDelays makes a new series of waits after failures
 */
public record ReflectorSettings(
    String name,
    Duration minWatchTimeout,
    Duration initialEventsTimeout,
    Duration maxInternalErrorRetry,
    Supplier<DelayFunction> failureDelays,
    Clock clock,
    RandomGenerator random) {}
