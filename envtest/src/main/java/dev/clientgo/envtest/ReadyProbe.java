package dev.clientgo.envtest;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Asks a server whether it is ready. */
final class ReadyProbe {

  private static final int TIMEOUT_MILLIS = 2000;

  private final URI url;
  private final SSLSocketFactory sockets;

  ReadyProbe(URI server, X509Certificate authority) {
    url = server.resolve("/readyz");
    try {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", authority);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      sockets = context.getSocketFactory();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot speak TLS", e);
    }
  }

  boolean isReady() {
    try {
      HttpsURLConnection connection = (HttpsURLConnection) url.toURL().openConnection();
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
