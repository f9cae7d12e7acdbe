package dev.clientgo.rest.internal.http;

import java.util.function.Supplier;

/**
 * The verb and the path of a request, for errors and metrics.
 *
 * @param verb the HTTP method
 * @param sender describes the credentials of the request
 */
public record RequestTarget(String verb, RequestPath path, Supplier<String> sender) {}
