package dev.clientgo.rest.internal.net;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Makes sockets that use TLS to a proxy with an https URL. */
final class TlsProxySockets extends UnconnectedSockets {

  private final SSLSocketFactory delegate;
  private final boolean insecure;

  TlsProxySockets(SSLSocketFactory delegate, boolean insecure) {
    this.delegate = delegate;
    this.insecure = insecure;
  }

  @Override
  Socket unconnected() throws IOException {
    SSLSocket socket = (SSLSocket) delegate.createSocket();
    if (!insecure) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
    }
    return socket;
  }
}
