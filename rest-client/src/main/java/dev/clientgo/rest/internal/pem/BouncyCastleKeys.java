package dev.clientgo.rest.internal.pem;

import dev.clientgo.apimachinery.errors.ConfigException;
import java.io.IOException;
import java.io.StringReader;
import java.security.Provider;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8DecryptorProviderBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMDecryptorProviderBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;
import org.jspecify.annotations.Nullable;

/**
 * Decrypts keys, and converts them to PKCS#8; the only class of this package that uses
 * BouncyCastle. In a JVM that has just started, to load it takes longer than all else that creates
 * a client (docs/cold-start.md).
 */
final class BouncyCastleKeys {

  private BouncyCastleKeys() {}

  static byte[] toPkcs8(Pem block, String key, @Nullable String passphrase) {
    char[] secret = passphrase == null ? new char[0] : passphrase.toCharArray();
    try (PEMParser parser = new PEMParser(new StringReader(block.text()))) {
      return keyInfo(parser.readObject(), secret).getEncoded();
    } catch (IOException | OperatorCreationException | PKCSException e) {
      throw new ConfigException(
          key + (passphrase == null ? " is damaged" : " is damaged, or its passphrase is wrong"),
          e);
    }
  }

  private static PrivateKeyInfo keyInfo(@Nullable Object parsed, char[] secret)
      throws IOException, OperatorCreationException, PKCSException {
    // Not registered, so that it does not affect the rest of the program.
    Provider provider = new BouncyCastleProvider();
    if (parsed instanceof PEMKeyPair pair) {
      return pair.getPrivateKeyInfo();
    } else if (parsed instanceof PEMEncryptedKeyPair pair) {
      return pair.decryptKeyPair(
              new JcePEMDecryptorProviderBuilder().setProvider(provider).build(secret))
          .getPrivateKeyInfo();
    } else if (parsed instanceof PKCS8EncryptedPrivateKeyInfo info) {
      return info.decryptPrivateKeyInfo(
          new JceOpenSSLPKCS8DecryptorProviderBuilder().setProvider(provider).build(secret));
    }
    throw new PEMException("not a private key");
  }
}
