package dev.clientgo.envtest.internal.verbs;

import dev.clientgo.clock.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How a server is set up.
 *
 * @param clock the time
 * @param random what names and identities are made of
 * @param bookmarkInterval how often a watch gets a bookmark
 */
public record ServerSettings(Clock clock, RandomGenerator random, Duration bookmarkInterval) {}
