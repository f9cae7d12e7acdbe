package dev.clientgo.rest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Makes sockets that speak TLS with what they are connected to: a proxy with an https URL. */
final class TlsProxySockets extends SocketFactory {

  private final SSLSocketFactory delegate;
  private final boolean insecure;

  TlsProxySockets(SSLSocketFactory delegate, boolean insecure) {
    this.delegate = delegate;
    this.insecure = insecure;
  }

  @Override
  public Socket createSocket() throws IOException {
    SSLSocket socket = (SSLSocket) delegate.createSocket();
    if (!insecure) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
    }
    return socket;
  }

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
