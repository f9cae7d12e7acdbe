/**
 * A small kubectl. The server prints the tables, discovery finds the types by the names that people
 * use, and {@code tools-kubectl} has the verbs; the program only connects them.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.minikubectl;
