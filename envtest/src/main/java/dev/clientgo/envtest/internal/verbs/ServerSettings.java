package dev.clientgo.envtest.internal.verbs;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The settings of a server.
 *
 * @param clock the clock
 * @param random the source of names and UIDs
 * @param bookmarkInterval the interval of bookmarks in a watch
 */
public record ServerSettings(Clock clock, RandomGenerator random, Duration bookmarkInterval) {}
