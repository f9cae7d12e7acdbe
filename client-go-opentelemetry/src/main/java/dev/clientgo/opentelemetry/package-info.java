/** Traces with OpenTelemetry, from the change of an object to the writes of its reconcile. */
package dev.clientgo.opentelemetry;
