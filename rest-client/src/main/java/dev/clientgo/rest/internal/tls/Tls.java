package dev.clientgo.rest.internal.tls;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.pem.Trust;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of connections: a snapshot of the configured files. Immutable; if a file
 * changes, new connections use a new snapshot.
 *
 * @param factory makes sockets for the configured server name, with a timeout of the handshake
 * @param trust checks the certificate of the server
 * @param verifier checks the name in the server's certificate
 */
public record Tls(SSLSocketFactory factory, X509TrustManager trust, HostnameVerifier verifier) {

  /**
   * Creates the settings.
   *
   * @param identity the client certificate, null for none
   */
  public static Tls of(
      RestConfig config,
      @Nullable ClientIdentity identity,
      X509TrustManager trust,
      Duration handshakeTimeout) {
    String serverName = config.tlsServerName();
    return new Tls(
        new HandshakeSocketFactory(
            context(trust, identity).getSocketFactory(), serverName, handshakeTimeout),
        trust,
        verifier(config.insecure(), serverName));
  }

  /**
   * Returns the trust manager of a configuration.
   *
   * @throws ConfigException if a file cannot be read or has no certificates
   */
  public static X509TrustManager trust(RestConfig config) {
    PemSource authority = config.certificateAuthority();
    if (config.insecure()) {
      return Trust.inAnybody();
    }
    return authority == null ? Trust.system() : Trust.in(authority);
  }

  private static HostnameVerifier verifier(boolean insecure, @Nullable String serverName) {
    if (insecure) {
      return (host, session) -> true;
    }
    HostnameVerifier standard = standardVerifier();
    return serverName == null ? standard : (host, session) -> standard.verify(serverName, session);
  }

  /** Takes the verifier from a client without TLS, which does not load the JDK's certificates. */
  private static HostnameVerifier standardVerifier() {
    return new OkHttpClient.Builder()
        .connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))
        .build()
        .hostnameVerifier();
  }

  private static SSLContext context(X509TrustManager trust, @Nullable ClientIdentity identity) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          identity == null ? null : new KeyManager[] {identity}, new TrustManager[] {trust}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new ConfigException("this JDK cannot speak TLS: " + e.getMessage(), e);
    }
  }
}
