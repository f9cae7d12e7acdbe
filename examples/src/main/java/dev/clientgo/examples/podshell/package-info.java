/**
 * Commands in a pod: one that runs to its end, one whose failure differs from an error of the
 * connection, and a shell that a program talks to.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.podshell;
