/** The immutable map in which a store keeps its objects, and the indices made of such maps. */
package dev.clientgo.cache.internal.trie;
