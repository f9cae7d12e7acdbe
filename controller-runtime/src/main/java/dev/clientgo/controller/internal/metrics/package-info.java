/** The metrics of a manager's parts, under the names of client-go and controller-runtime. */
package dev.clientgo.controller.internal.metrics;
