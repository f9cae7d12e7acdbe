package dev.clientgo.envtest.internal.process;

import dev.clientgo.rest.certificates.CertificateAuthority;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * Asks a server whether it is ready. It also asks for the namespace {@code default}, which appears
 * a moment after the server reports readiness and which the first test will use.
 */
public final class ReadinessProbe {

  private static final int TIMEOUT_MILLIS = 2000;

  private static final List<String> PATHS = List.of("/readyz", "/api/v1/namespaces/default");

  private final URI server;
  private final SSLSocketFactory sockets;

  public ReadinessProbe(
      URI server, X509Certificate authority, CertificateAuthority.Identity client) {
    this.server = server;
    this.sockets = client.socketFactory(authority);
  }

  public boolean isReady() {
    return PATHS.stream().allMatch(this::answersOk);
  }

  private boolean answersOk(String path) {
    try {
      HttpsURLConnection connection =
          (HttpsURLConnection) server.resolve(path).toURL().openConnection();
      connection.setSSLSocketFactory(sockets);
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      try {
        return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false; // The server does not listen or cannot answer yet.
    }
  }
}
