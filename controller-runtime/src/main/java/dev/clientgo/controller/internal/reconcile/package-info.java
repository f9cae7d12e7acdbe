/**
 * The way of a request from the queue to the reconciler: workers send it through steps, each of
 * which is one concern. Beside it stands what guards the reconciles: against functions that fail,
 * against floods, and against time.
 *
 * <p>The type of the requests is a parameter, as in controller-runtime's {@code
 * internal/controller}: nothing here depends on what a request names.
 */
package dev.clientgo.controller.internal.reconcile;
