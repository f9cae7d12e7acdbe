package dev.clientgo.rest.internal.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Adds TLS to connected sockets for OkHttp, with two options that OkHttp does not have: a server
 * name other than that of the URL, and a timeout of the handshake alone.
 */
final class HandshakeSocketFactory extends SSLSocketFactory {

  private final SSLSocketFactory delegate;
  private final @Nullable String serverName;
  private final Duration timeout;

  HandshakeSocketFactory(SSLSocketFactory delegate, @Nullable String serverName, Duration timeout) {
    this.delegate = delegate;
    this.serverName = serverName;
    this.timeout = timeout;
  }

  @Override
  public Socket createSocket(Socket socket, String host, int port, boolean autoClose)
      throws IOException {
    // OkHttp sets the timeout of the connection after the handshake.
    socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
    return delegate.createSocket(socket, serverName == null ? host : serverName, port, autoClose);
  }

  /** For a proxy with an https URL. */
  @Override
  public Socket createSocket() throws IOException {
    return delegate.createSocket();
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return delegate.getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return delegate.getSupportedCipherSuites();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw notLayered();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw notLayered();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw notLayered();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw notLayered();
  }

  private static IllegalStateException notLayered() {
    return new IllegalStateException("TLS is only put on connected sockets");
  }
}
