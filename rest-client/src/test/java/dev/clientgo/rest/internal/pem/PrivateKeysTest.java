package dev.clientgo.rest.internal.pem;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.RsaKeys;
import dev.clientgo.rest.config.PemSource;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.MiscPEMGenerator;
import org.bouncycastle.openssl.PEMEncryptor;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMEncryptorBuilder;
import org.bouncycastle.util.io.pem.PemObjectGenerator;
import org.bouncycastle.util.io.pem.PemWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** All forms in which keys come. */
final class PrivateKeysTest {

  private static final String PASSPHRASE = "open sesame";

  /** Returns a key pair, of RSA always the same. */
  private static KeyPair keys(String algorithm) throws Exception {
    if (algorithm.equals("RSA")) {
      return RsaKeys.one();
    }
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("EC")) {
      generator.initialize(256);
    }
    return generator.generateKeyPair();
  }

  private static String pem(PemObjectGenerator object) throws IOException {
    StringWriter text = new StringWriter();
    try (PemWriter writer = new PemWriter(text)) {
      writer.writeObject(object);
    }
    return text.toString();
  }

  /** Returns a key as openssl writes it: the JDK's encoding lacks the curve within SEC1. */
  private static MiscPEMGenerator traditional(KeyPair keys, @Nullable PEMEncryptor encryptor)
      throws IOException {
    PrivateKeyInfo info = PrivateKeyInfo.getInstance(keys.getPrivate().getEncoded());
    if (!(keys.getPrivate() instanceof ECPrivateKey ec)) {
      return new MiscPEMGenerator(info, encryptor);
    }
    var publicKey = SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded());
    return new MiscPEMGenerator(
        new PrivateKeyInfo(
            info.getPrivateKeyAlgorithm(),
            new org.bouncycastle.asn1.sec.ECPrivateKey(
                256,
                ec.getS(),
                publicKey.getPublicKeyData(),
                info.getPrivateKeyAlgorithm().getParameters())),
        encryptor);
  }

  private static String pkcs8(PrivateKey key) {
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(key.getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }

  private static PemSource source(String pem) {
    return new PemSource.Data(pem.getBytes(US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void pkcs8_isRead(String algorithm) throws Exception {
    PrivateKey key = keys(algorithm).getPrivate();

    assertThat(PrivateKeys.read("client key", source(pkcs8(key)), null)).isEqualTo(key);
  }

  /** PKCS#1 and SEC1: what openssl and kubeadm have written for decades. */
  @ParameterizedTest
  @CsvSource({"RSA, RSA PRIVATE KEY", "EC, EC PRIVATE KEY"})
  void traditionalForms_areRead(String algorithm, String type) throws Exception {
    KeyPair keys = keys(algorithm);
    String pem = pem(traditional(keys, null));
    assertThat(pem).contains("BEGIN " + type);

    PrivateKey read = PrivateKeys.read("client key", source(pem), null);
    assertThat(PrivateKeys.belongTogether(read, keys.getPublic())).isTrue();
    KeyPair others = algorithm.equals("RSA") ? RsaKeys.another() : keys(algorithm);
    assertThat(PrivateKeys.belongTogether(read, others.getPublic())).isFalse();
  }

  /** No key goes with a certificate of another algorithm, and each with its own. */
  @Test
  void pair_ofDifferentAlgorithms_doesNotBelongTogether() throws Exception {
    List<String> algorithms = List.of("RSA", "EC", "Ed25519", "Ed448");
    for (String one : algorithms) {
      for (String other : algorithms) {
        KeyPair keys = keys(one);
        KeyPair others = one.equals(other) ? keys : keys(other);
        assertThat(PrivateKeys.belongTogether(keys.getPrivate(), others.getPublic()))
            .as("%s key, %s certificate", one, other)
            .isEqualTo(one.equals(other));
      }
    }
    assertThat(
            PrivateKeys.belongTogether(keys("Ed25519").getPrivate(), keys("Ed25519").getPublic()))
        .isFalse();
  }

  /** A Secret of 1 MiB may say what it likes; reading it takes no longer than its length. */
  @ParameterizedTest
  @ValueSource(
      strings = {"-----BEGIN A-----", "-----BEGIN ", "-----", "-----BEGIN A-----x-----END "})
  @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void pem_ofManyBeginnings_isReadInLinearTime(String part) {
    String many = part.repeat(1_000_000 / part.length());
    String good = "-----BEGIN B-----\nx\n-----END B-----";

    assertThat(Pem.parse((many + "\n" + good).getBytes(US_ASCII)))
        .extracting(Pem::type)
        .containsAnyOf("B");
    assertThat(Pem.parse(many.getBytes(US_ASCII))).isEmpty();
  }

  @Test
  void traditionalForm_cutOffAnywhere_isRefused() throws Exception {
    for (String algorithm : List.of("RSA", "EC")) {
      MiscPEMGenerator whole = traditional(keys(algorithm), null);
      byte[] der = whole.generate().getContent();
      for (int length = 0; length < der.length; length += 1 + length / 40) {
        String type = algorithm + " PRIVATE KEY";
        String body = Base64.getMimeEncoder().encodeToString(Arrays.copyOf(der, length));
        String pem = "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";

        assertThatThrownBy(() -> PrivateKeys.read("client key", source(pem), null))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining("is damaged");
      }
    }
  }

  @Test
  void ecParameters_beforeTheKey_areSkipped() throws Exception {
    String key = pem(traditional(keys("EC"), null));
    String parameters =
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";

    assertThat(
            PrivateKeys.read("client key", source("junk\n" + parameters + key), null)
                .getAlgorithm())
        .isEqualTo("EC");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void encryptedTraditionalForms_areRead(String algorithm) throws Exception {
    String pem =
        pem(
            traditional(
                keys(algorithm),
                new JcePEMEncryptorBuilder("AES-256-CBC")
                    .setProvider(new BouncyCastleProvider())
                    .build(PASSPHRASE.toCharArray())));
    assertThat(pem).contains("Proc-Type: 4,ENCRYPTED");

    assertThat(PrivateKeys.read("client key", source(pem), PASSPHRASE).getAlgorithm())
        .isEqualTo(algorithm);
    assertUnreadable(pem);
  }

  @Test
  void encryptedPkcs8_isRead() throws Exception {
    PrivateKey key = keys("EC").getPrivate();
    String pem =
        pem(
            new JcaPKCS8Generator(
                key,
                new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                    .setProvider(new BouncyCastleProvider())
                    .setPassword(PASSPHRASE.toCharArray())
                    .build()));
    assertThat(pem).contains("BEGIN ENCRYPTED PRIVATE KEY");

    assertThat(PrivateKeys.read("client key", source(pem), PASSPHRASE)).isEqualTo(key);
    assertUnreadable(pem);
  }

  private static void assertUnreadable(String pem) {
    assertThatThrownBy(() -> PrivateKeys.read("client key", source(pem), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("is encrypted and no passphrase is configured for it");
    assertThatThrownBy(() -> PrivateKeys.read("client key", source(pem), "wrong"))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("is damaged, or its passphrase is wrong");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n",
        "-----BEGIN EC PRIVATE KEY-----\n!!!!\n-----END EC PRIVATE KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA",
        "nothing",
        ""
      })
  void damagedKey_isRefusedWithoutBeingShown(String pem) {
    assertThatThrownBy(() -> PrivateKeys.read("client key", source(pem), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("the client key (inline, ")
        .hasMessageNotContaining("AAAA");
  }

  @Test
  void missingFile_isNamed(@TempDir Path directory) {
    Path file = directory.resolve("client.key");

    assertThatThrownBy(() -> PrivateKeys.read("client key", new PemSource.File(file), null))
        .isInstanceOf(ConfigException.class)
        .hasMessage("cannot read the client key: there is no file " + file);
    assertThatThrownBy(() -> PrivateKeys.read("client key", new PemSource.File(directory), null))
        .hasMessage("cannot read the client key: file " + directory + ": it is a directory");
  }

  /* --------------- Without BouncyCastle --------------- */

  /** Loads this library again, on a class path without BouncyCastle. */
  private static final class WithoutBouncyCastle extends URLClassLoader {

    WithoutBouncyCastle() {
      super(
          new URL[] {
            PrivateKeys.class.getProtectionDomain().getCodeSource().getLocation(),
          },
          PrivateKeysTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.bouncycastle.")) {
        throw new ClassNotFoundException(name);
      }
      if (name.startsWith("dev.clientgo.rest.") && !name.contains("Test")) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
      return super.loadClass(name, resolve);
    }

    void read(Path key, @Nullable String passphrase) throws Throwable {
      Class<?> source = loadClass("dev.clientgo.rest.config.PemSource$File", true);
      var constructor = source.getDeclaredConstructor(Path.class);
      constructor.setAccessible(true);
      Method read =
          loadClass("dev.clientgo.rest.internal.pem.PrivateKeys", true)
              .getDeclaredMethod(
                  "read",
                  String.class,
                  loadClass("dev.clientgo.rest.config.PemSource", true),
                  String.class);
      read.setAccessible(true);
      try {
        read.invoke(null, "client key", constructor.newInstance(key), passphrase);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  @Test
  void withoutBouncyCastle_encryptedKeysAreExplainedAndTheOthersRead(@TempDir Path directory)
      throws Throwable {
    PEMEncryptor encryptor =
        new JcePEMEncryptorBuilder("AES-256-CBC")
            .setProvider(new BouncyCastleProvider())
            .build(PASSPHRASE.toCharArray());
    List<String> unencrypted =
        List.of(
            pkcs8(keys("EC").getPrivate()),
            pem(traditional(keys("EC"), null)),
            pem(traditional(keys("RSA"), null)));
    Path file = directory.resolve("client.key");

    try (WithoutBouncyCastle library = new WithoutBouncyCastle()) {
      for (String pem : unencrypted) {
        library.read(Files.writeString(file, pem), null);
      }
      Files.writeString(file, pem(traditional(keys("EC"), encryptor)));
      assertThatThrownBy(() -> library.read(file, PASSPHRASE))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "the client key "
                  + file
                  + " is encrypted, or in the form BEGIN EC PRIVATE KEY, which the JDK cannot read:"
                  + " add org.bouncycastle:bcpkix-jdk18on to the class path, or convert the key by"
                  + " 'openssl pkcs8 -topk8 -nocrypt'");
    }
  }
}
