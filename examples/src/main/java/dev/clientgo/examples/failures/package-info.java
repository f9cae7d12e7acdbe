/**
 * What goes wrong between a program and a cluster, and what the library says then: a bad
 * kubeconfig, missing permissions, a watch that is cut, versions that have expired, a server that
 * goes away, an object that cannot be read, and a handler that throws.
 */
@org.jspecify.annotations.NullMarked
package dev.clientgo.examples.failures;
