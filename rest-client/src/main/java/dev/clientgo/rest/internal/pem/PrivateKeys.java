package dev.clientgo.rest.internal.pem;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.PemSource;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads private keys.
 *
 * <p>The JDK reads unencrypted PKCS#8, {@link Pkcs8} wraps unencrypted keys of older forms in it,
 * and BouncyCastle decrypts. Only {@link BouncyCastleKeys} uses that library, and only when a key
 * needs it, so a program without encrypted keys can exclude it.
 */
public final class PrivateKeys {

  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");

  private static final byte[] PROBE = {1, 2, 3};

  private PrivateKeys() {}

  /**
   * Reads a key.
   *
   * @param what the kind of key, for the error
   * @param passphrase the passphrase of an encrypted key
   * @throws ConfigException if there is no key, or it cannot be read
   */
  public static PrivateKey read(String what, PemSource source, @Nullable String passphrase) {
    String key = "the " + what + " " + source;
    for (Pem block : Pem.parse(source.read(what))) {
      if (block.type().endsWith("PRIVATE KEY")) {
        return decode(pkcs8(block, key, passphrase), key);
      }
    }
    throw new ConfigException(key + " has no PEM block that ends with PRIVATE KEY");
  }

  private static byte[] pkcs8(Pem block, String key, @Nullable String passphrase) {
    boolean encrypted = isEncrypted(block);
    try {
      if (block.type().equals("PRIVATE KEY")) {
        return block.der();
      } else if (block.type().equals("RSA PRIVATE KEY") && !encrypted) {
        return Pkcs8.ofPkcs1(block.der());
      } else if (block.type().equals("EC PRIVATE KEY") && !encrypted) {
        return Pkcs8.ofSec1(block.der());
      }
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key + " is damaged");
    }
    if (passphrase == null && encrypted) {
      throw new ConfigException(key + " is encrypted and no passphrase is configured for it");
    }
    try {
      return BouncyCastleKeys.toPkcs8(block, key, passphrase);
    } catch (NoClassDefFoundError e) {
      throw new ConfigException(
          key
              + " is encrypted, or in the form BEGIN "
              + block.type()
              + ", which the JDK cannot read: add org.bouncycastle:bcpkix-jdk18on to the class"
              + " path, or convert the key by 'openssl pkcs8 -topk8 -nocrypt'",
          e);
    }
  }

  private static boolean isEncrypted(Pem block) {
    return block.type().startsWith("ENCRYPTED ") || block.body().contains("Proc-Type: 4,ENCRYPTED");
  }

  private static PrivateKey decode(byte[] pkcs8, String key) {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (GeneralSecurityException e) {
        // Not a key of this algorithm, or this JDK does not have it: try the next.
      }
    }
    throw new ConfigException(key + " is damaged, or is not one of " + ALGORITHMS);
  }

  /** Returns whether one key verifies the signature of the other. */
  public static boolean belongTogether(PrivateKey privateKey, PublicKey publicKey) {
    // In a JVM that has just started, a signature takes longer than opening a connection.
    if (privateKey instanceof RSAKey one && publicKey instanceof RSAKey other) {
      return one.getModulus().equals(other.getModulus());
    }
    String algorithm = privateKey.getAlgorithm();
    if (!algorithm.equals(publicKey.getAlgorithm())) {
      return false;
    }
    try {
      Signature signature =
          Signature.getInstance(algorithm.equals("EC") ? "SHA256withECDSA" : algorithm);
      signature.initSign(privateKey);
      signature.update(PROBE);
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(PROBE);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
