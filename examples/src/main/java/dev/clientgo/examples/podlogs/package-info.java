/** The log of a pod, followed through a network that breaks connections. */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.podlogs;
