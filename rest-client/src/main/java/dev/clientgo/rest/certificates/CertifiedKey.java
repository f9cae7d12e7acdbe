package dev.clientgo.rest.certificates;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.internal.pem.Pem;
import dev.clientgo.rest.internal.pem.PrivateKeys;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A private key with the certificate of its public half. Immutable. The text form does not show the
 * key. Corresponds to Go's {@code tls.Certificate}.
 *
 * @param chain the certificate, then the certificates of the authorities that lead to a trusted one
 * @param privateKey the key
 */
public record CertifiedKey(List<X509Certificate> chain, PrivateKey privateKey) {

  /** Throws an {@link IllegalArgumentException} if the chain is empty. */
  public CertifiedKey {
    chain = List.copyOf(chain);
    requireNonNull(privateKey, "privateKey");
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("the chain has no certificate");
    }
  }

  /**
   * Reads a certificate and its key. An encrypted key needs BouncyCastle on the class path.
   *
   * @param role the role of the pair, for errors: {@code server}
   * @param passphrase the passphrase of the key, null if it is not encrypted
   * @throws ConfigException if one of them cannot be read, or they do not belong together; the
   *     message names the file
   */
  public static CertifiedKey read(
      String role, PemSource certificate, PemSource key, @Nullable String passphrase) {
    List<X509Certificate> chain = Pem.certificates(certificate, role + " certificate");
    if (chain.isEmpty()) {
      throw new ConfigException(
          "the " + role + " certificate " + certificate + " has no PEM block BEGIN CERTIFICATE");
    }
    PrivateKey privateKey = PrivateKeys.read(role + " key", key, passphrase);
    if (!PrivateKeys.belongTogether(privateKey, chain.get(0).getPublicKey())) {
      throw new ConfigException(
          String.format(
              "the %1$s key %2$s does not belong to the %1$s certificate %3$s",
              role, key, certificate));
    }
    return new CertifiedKey(chain, privateKey);
  }

  /** Returns the certificate, without its chain. */
  public X509Certificate certificate() {
    return chain.get(0);
  }

  /** Returns the subject and the validity of the certificate. */
  @Override
  public String toString() {
    return certificate().getSubjectX500Principal().getName()
        + ", valid from "
        + certificate().getNotBefore().toInstant()
        + " to "
        + certificate().getNotAfter().toInstant();
  }
}
