/**
 * Pools of strings and caches of values, so that equal parts of objects are in the heap once and
 * are decoded once.
 */
package dev.clientgo.apimachinery.json.internal.intern;
