package dev.clientgo.rest.internal.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Creates unconnected sockets for OkHttp, which connects them. */
abstract class UnconnectedSockets extends SocketFactory {

  @Override
  public abstract Socket createSocket() throws IOException;

  @Override
  public Socket createSocket(String host, int port) {
    throw new IllegalStateException("OkHttp connects sockets itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw new IllegalStateException("OkHttp connects sockets itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new IllegalStateException("OkHttp connects sockets itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw new IllegalStateException("OkHttp connects sockets itself");
  }
}
