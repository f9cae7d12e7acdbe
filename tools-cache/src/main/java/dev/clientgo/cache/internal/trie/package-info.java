/** The immutable map in which a store keeps its objects and its indices. */
package dev.clientgo.cache.internal.trie;
