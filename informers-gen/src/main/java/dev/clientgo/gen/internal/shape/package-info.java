/**
 * Reduces schemas to shapes: the structure that matters for Java, without descriptions, defaults
 * and bounds, so that equal structures become one class.
 */
package dev.clientgo.gen.internal.shape;
