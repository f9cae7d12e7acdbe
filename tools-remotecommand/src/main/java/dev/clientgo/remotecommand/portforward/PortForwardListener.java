package dev.clientgo.remotecommand.portforward;

import java.net.SocketAddress;

/**
 * Receives what happens to the connections of a {@link PortForwarder}. Its methods are called in
 * the threads of the connections, many at once, and should return soon.
 */
public interface PortForwardListener {

  /** A connection to the pod is open. */
  default void opened(ForwardedPort port, SocketAddress client) {}

  /** A connection has ended without an error, or because the forwarder was closed. */
  default void closed(ForwardedPort port, SocketAddress client) {}

  /**
   * A connection could not be opened, or broke. Its client sees a reset connection; the other
   * connections continue.
   *
   * @param error a {@link PortForwardException} if the node could not reach the port, an {@code
   *     ApiStatusException} if the server refused, a {@code TransportException} if the connection
   *     to the server broke, or an {@code IOException} if the one to the client did
   */
  default void failed(ForwardedPort port, SocketAddress client, Exception error) {}
}
