package dev.clientgo.controller.internal.http;

import dev.clientgo.rest.certificates.CertifiedKey;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents the certificate of a server, which may be replaced: handshakes that begin later see the
 * new one. Safe for use by many threads.
 *
 * <p>A handshake asks for the alias, the chain and the key in turn. So each pair has its own alias,
 * and the last two pairs are kept. Handshakes fail before the first one is set.
 */
final class ServerCertificate extends X509ExtendedKeyManager {

  private final Map<String, CertifiedKey> pairs = new ConcurrentHashMap<>();
  private volatile int version;

  /** Replaces the certificate; called by one thread at a time. */
  void replace(CertifiedKey next) {
    int number = version + 1;
    pairs.put(Integer.toString(number), next);
    version = number;
    pairs.remove(Integer.toString(number - 2));
  }

  /** Returns the alias of the current pair, null if the client cannot use keys of its type. */
  private @Nullable String alias(String keyType) {
    String alias = Integer.toString(version);
    CertifiedKey pair = pairs.get(alias);
    if (pair == null) {
      return null;
    }
    String ours = pair.certificate().getPublicKey().getAlgorithm();
    // A key type may also name the signer, as in EC_RSA; the JDK names Ed25519 and Ed448 EdDSA.
    return keyType.equals(ours) || keyType.startsWith(ours + "_") ? alias : null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return alias(keyType);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return alias(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    String alias = alias(keyType);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    CertifiedKey pair = pairs.get(alias);
    return pair == null ? null : pair.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    CertifiedKey pair = pairs.get(alias);
    return pair == null ? null : pair.privateKey();
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
