/**
 * The requests and watches of clients, as the embedded server sees them, and a proxy that cuts
 * them.
 */
package dev.clientgo.envtest.traffic;
