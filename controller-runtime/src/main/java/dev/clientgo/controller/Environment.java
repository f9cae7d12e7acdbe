package dev.clientgo.controller;

import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.cache.Informers;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.rest.RESTClient;

/**
 * The objects that a manager shares with its controllers.
 *
 * @param client reaches the server
 * @param leadership has the client of controllers that need leadership
 * @param informers the informers that all controllers share
 * @param clock measures delays and timeouts
 * @param metrics receives the metrics
 * @param events makes the recorders of events
 * @param manager hears when a controller has reached another state
 */
record Environment(
    RESTClient client,
    Leadership leadership,
    Informers informers,
    Clock clock,
    MetricsRegistry metrics,
    EventRecorders events,
    Manager manager) {}
