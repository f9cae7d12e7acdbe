/** One connection to a port of a pod, in a WebSocket of its own, in either protocol of servers. */
package dev.clientgo.remotecommand.internal.forward;
