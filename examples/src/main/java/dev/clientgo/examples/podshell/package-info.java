/**
 * Commands in a pod: one that is run to its end, one that is told from an error of the connection,
 * and a shell that a program talks to.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.podshell;
