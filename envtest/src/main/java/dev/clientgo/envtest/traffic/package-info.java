/** The requests and watches of clients, as the embedded server sees them. */
package dev.clientgo.envtest.traffic;
