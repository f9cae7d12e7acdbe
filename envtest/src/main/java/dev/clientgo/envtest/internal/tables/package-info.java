/** The columns and cells in which {@code kubectl get} prints objects. */
package dev.clientgo.envtest.internal.tables;
