/**
 * The figures of informers and queues, for a monitoring system. A library of metrics implements
 * {@link dev.clientgo.cache.metrics.InformerMetrics}, and an informer calls it.
 */
package dev.clientgo.cache.metrics;
