package dev.clientgo.rest;

import java.util.function.Supplier;

/**
 * The verb and the object of a request, for errors and metrics.
 *
 * @param verb the HTTP method
 * @param sender describes the credentials that the server saw
 */
record RequestTarget(String verb, RequestPath path, Supplier<String> sender) {}
