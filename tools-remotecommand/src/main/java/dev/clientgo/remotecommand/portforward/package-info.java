/**
 * The ports of pods, as {@code kubectl port-forward}: as local ports, or as sockets without one.
 *
 * <p>{@link dev.clientgo.remotecommand.portforward.PortForward} names the pod, or the service or
 * the deployment whose pods take turns when one goes away. Each connection travels in its own
 * WebSocket.
 *
 * <p>Corresponds to client-go's {@code tools/portforward}.
 */
package dev.clientgo.remotecommand.portforward;
