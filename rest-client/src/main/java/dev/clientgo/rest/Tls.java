package dev.clientgo.rest;

import dev.clientgo.apimachinery.errors.ConfigException;
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
 * How connections are secured: a snapshot of the files that the configuration names. Immutable;
 * when a file has changed, a new snapshot makes new connections.
 *
 * @param factory makes sockets for the configured server name, and bounds the handshake
 * @param trust which servers are believed
 * @param verifier checks the name in the server's certificate
 */
record Tls(SSLSocketFactory factory, X509TrustManager trust, HostnameVerifier verifier) {

  /**
   * Puts together how connections are secured.
   *
   * @param identity the certificate to show, if there is one
   */
  static Tls of(
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
   * Returns the trust that a configuration asks for.
   *
   * @throws ConfigException if a file cannot be read or is not what it should be
   */
  static X509TrustManager trust(RestConfig config) {
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

  /** Asks a client that has nothing to do with TLS, and so does not load what the JDK trusts. */
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
