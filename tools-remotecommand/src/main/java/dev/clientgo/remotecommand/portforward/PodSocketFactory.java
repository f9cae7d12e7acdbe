package dev.clientgo.remotecommand.portforward;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes sockets that connect to a pod. Local addresses have no meaning for them. */
final class PodSocketFactory extends SocketFactory {

  private final PodConnector connector;

  PodSocketFactory(PodConnector connector) {
    this.connector = connector;
  }

  @Override
  public Socket createSocket() {
    return PodSocket.create(connector);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return createSocket(InetAddress.getLoopbackAddress(), port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    Socket socket = createSocket();
    socket.connect(new InetSocketAddress(host, port));
    return socket;
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(host, port);
  }
}
