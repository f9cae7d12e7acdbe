/** The policies around each request: rate limit, backoff, warnings, metrics and logs. */
package dev.clientgo.rest.internal.policy;
