/** One connection to a port of a pod, in its own WebSocket, in either protocol of servers. */
package dev.clientgo.remotecommand.internal.forward;
