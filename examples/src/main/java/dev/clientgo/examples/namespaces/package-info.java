/**
 * Informers of parts of a cluster. One factory follows pods and a kind of our own, in some
 * namespaces and with some labels only, so the program needs no rights for the whole cluster.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.namespaces;
