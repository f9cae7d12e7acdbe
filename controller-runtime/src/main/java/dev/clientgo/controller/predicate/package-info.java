/**
 * Predicates: which events of an informer reach the queue of a controller.
 *
 * <p>Corresponds to controller-runtime's {@code pkg/predicate}.
 */
package dev.clientgo.controller.predicate;
