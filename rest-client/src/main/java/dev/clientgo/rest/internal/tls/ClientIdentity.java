package dev.clientgo.rest.internal.tls;

import dev.clientgo.rest.certificates.CertifiedKey;
import dev.clientgo.rest.config.PemSource;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A client certificate with its key. Immutable.
 *
 * <p>It is sent whatever authorities the server accepts. The key manager of the JDK sends no
 * certificate if none matches, and the server then treats the client as anonymous, without a
 * reason.
 */
public final class ClientIdentity extends X509ExtendedKeyManager {

  private static final String ALIAS = "client";

  private final List<X509Certificate> chain;
  private final PrivateKey key;

  public ClientIdentity(List<X509Certificate> chain, PrivateKey key) {
    this.chain = List.copyOf(chain);
    this.key = key;
  }

  /**
   * Reads a certificate and its key.
   *
   * @param passphrase the passphrase of the key, null if it is not encrypted
   * @throws dev.clientgo.apimachinery.errors.ConfigException if one of them cannot be read, or they
   *     do not belong together
   */
  public static ClientIdentity read(
      PemSource certificate, PemSource key, @Nullable String passphrase) {
    CertifiedKey pair = CertifiedKey.read("client", certificate, key, passphrase);
    return new ClientIdentity(pair.chain(), pair.privateKey());
  }

  /** Returns whether another identity has the same certificates and the same key. */
  public boolean isSame(ClientIdentity other) {
    return chain.equals(other.chain) && key.equals(other.key);
  }

  /** Returns why the certificate is not valid now, such as "expired at …"; empty if it is. */
  public String validity(Instant now) {
    Instant begin = certificate().getNotBefore().toInstant();
    Instant end = certificate().getNotAfter().toInstant();
    if (now.isAfter(end)) {
      return "expired at " + end;
    }
    return now.isBefore(begin)
        ? "is not valid before " + begin + " (is the clock of this machine right?)"
        : "";
  }

  /** Returns the certificate itself, without its chain. */
  public X509Certificate certificate() {
    return chain.get(0);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyTypes);
  }

  private @Nullable String alias(String[] keyTypes) {
    String ours = certificate().getPublicKey().getAlgorithm();
    for (String keyType : keyTypes) {
      // A key type may also name the signer, as in EC_RSA; the JDK names Ed25519 and Ed448 EdDSA.
      if (keyType.equals(ours) || keyType.startsWith(ours + "_")) {
        return ALIAS;
      }
    }
    return null;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return chain.toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return key;
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }

  /** Returns the subject of the certificate. */
  @Override
  public String toString() {
    return certificate().getSubjectX500Principal().getName();
  }
}
