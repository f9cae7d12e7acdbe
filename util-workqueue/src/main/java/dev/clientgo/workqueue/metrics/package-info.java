/**
 * The metrics of work queues.
 *
 * <p>A {@link dev.clientgo.workqueue.metrics.MetricsProvider} connects queues with a metrics
 * library. A {@link dev.clientgo.workqueue.metrics.MetricsRecorder} keeps the metrics in memory.
 *
 * <p>Corresponds to the metrics of client-go's {@code util/workqueue}.
 */
package dev.clientgo.workqueue.metrics;
