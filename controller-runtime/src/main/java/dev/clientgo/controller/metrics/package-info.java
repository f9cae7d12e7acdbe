/**
 * The metrics of controllers.
 *
 * <p>A {@link dev.clientgo.controller.metrics.MetricsRegistry} connects controllers with a metrics
 * library. {@link dev.clientgo.controller.metrics.PrometheusMetrics} needs none. The names of the
 * metrics are those of controller-runtime, so that dashboards fit.
 *
 * <p>Corresponds to controller-runtime's {@code pkg/metrics}.
 */
package dev.clientgo.controller.metrics;
