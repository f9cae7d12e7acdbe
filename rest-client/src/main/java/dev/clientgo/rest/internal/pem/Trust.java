package dev.clientgo.rest.internal.pem;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.PemSource;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Makes trust managers, which check the certificates of servers and clients. */
public final class Trust {

  private Trust() {}

  /** Returns a manager that trusts the certificates of the JDK. */
  public static X509TrustManager system() {
    return inStore(null);
  }

  /**
   * Returns a manager that trusts the certificates of a PEM source and those that they signed. If
   * the source is empty, it trusts none.
   *
   * @throws ConfigException if the source is not empty and has no certificates
   */
  public static X509TrustManager in(PemSource source) {
    List<X509Certificate> certificates = Pem.authorities(source, "certificate authority");
    if (certificates.isEmpty()) {
      if (source.read("certificate authority").length == 0) {
        return new Blind(false);
      }
      throw new ConfigException(
          "the certificate authority " + source + " has no PEM block BEGIN CERTIFICATE");
    }
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < certificates.size(); i++) {
        store.setCertificateEntry("ca-" + i, certificates.get(i));
      }
      return inStore(store);
    } catch (GeneralSecurityException | IOException e) {
      throw new ConfigException("cannot trust the certificate authority " + source, e);
    }
  }

  /** Returns a manager that trusts every certificate. */
  public static X509TrustManager inAnybody() {
    return new Blind(true);
  }

  private static X509TrustManager inStore(@Nullable KeyStore store) {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager trust) {
          return trust;
        }
      }
    } catch (GeneralSecurityException e) {
      throw new ConfigException("this JDK cannot check certificates: " + e.getMessage(), e);
    }
    throw new ConfigException("this JDK cannot check X.509 certificates");
  }

  /** Extends this class because the JDK would otherwise check the certificate's algorithms. */
  private static final class Blind extends X509ExtendedTrustManager {
    private final boolean trusting;

    Blind(boolean trusting) {
      this.trusting = trusting;
    }

    private void check() throws CertificateException {
      if (!trusting) {
        throw new CertificateException("no authority is trusted");
      }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      check();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      check();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      check();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      check();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      check();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      check();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
