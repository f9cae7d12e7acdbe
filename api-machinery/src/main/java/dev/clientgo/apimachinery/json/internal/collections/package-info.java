/** Compact unmodifiable lists and maps, and the stack on which a reader collects their elements. */
package dev.clientgo.apimachinery.json.internal.collections;
