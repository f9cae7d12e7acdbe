package dev.clientgo.rest.certificates;

import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.internal.pem.Trust;
import javax.net.ssl.X509TrustManager;

/** The authorities whose certificates a peer must have. */
public final class TrustedAuthorities {

  private TrustedAuthorities() {}

  /**
   * Returns a manager that trusts the certificates of a PEM source and those that they signed.
   *
   * @throws dev.clientgo.apimachinery.errors.ConfigException if the source cannot be read, or is
   *     not empty and has no certificates
   */
  public static X509TrustManager read(PemSource source) {
    return Trust.in(source);
  }
}
