/**
 * {@link dev.clientgo.controller.micrometer.MicrometerMetrics}, which feeds a Micrometer registry.
 */
package dev.clientgo.controller.micrometer;
