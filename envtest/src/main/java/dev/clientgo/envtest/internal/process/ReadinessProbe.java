package dev.clientgo.envtest.internal.process;

import dev.clientgo.envtest.internal.access.CertificateAuthority;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * Asks a server whether it is ready. The namespace {@code default} appears a moment after the
 * server says so, and is what the first test will use.
 */
public final class ReadinessProbe {

  private static final int TIMEOUT_MILLIS = 2000;

  private static final List<String> PATHS = List.of("/readyz", "/api/v1/namespaces/default");

  private final URI server;
  private final SSLSocketFactory sockets;

  public ReadinessProbe(
      URI server, X509Certificate authority, CertificateAuthority.Identity client) {
    this.server = server;
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", authority);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      char[] noPassword = new char[0];
      KeyStore own = KeyStore.getInstance(KeyStore.getDefaultType());
      own.load(null, null);
      own.setKeyEntry(
          "client", client.privateKey(), noPassword, new Certificate[] {client.certificate()});
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, noPassword);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      sockets = context.getSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot speak TLS", e);
    }
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
      return false; // Not yet listening, or not yet able to answer.
    }
  }
}
