package dev.clientgo.rest.certificates;

import dev.clientgo.clock.Clock;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.IPAddress;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority: it signs the certificates of a server and its clients, for tests and
 * development, and for programs that trust nobody else. Certificates are valid for 30 days unless
 * told otherwise. All keys are EC P-256, which take a millisecond to generate. Its own key is in
 * memory only.
 *
 * <p>Needs BouncyCastle on the class path. Safe for use by many threads.
 */
public final class CertificateAuthority {

  private static final Duration LIFETIME = Duration.ofDays(30);
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);

  private static final char[] NO_PASSWORD = {};

  private final SecureRandom random = new SecureRandom();
  private final Clock clock;
  private final Duration before;
  private final Duration after;
  private final Identity identity;

  /**
   * A certificate with its key.
   *
   * @param certificate the certificate
   * @param keys the key of the certificate, and its private half
   */
  public record Identity(X509Certificate certificate, KeyPair keys) {

    /** Returns the certificate in PEM form. */
    public String certificatePem() {
      try {
        return pem("CERTIFICATE", certificate.getEncoded());
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("cannot encode a certificate just made", e);
      }
    }

    /** Returns the private key in PEM form, PKCS#8. */
    public String privateKeyPem() {
      return pem("PRIVATE KEY", keys.getPrivate().getEncoded());
    }

    /**
     * Returns a factory of TLS sockets that present the certificate.
     *
     * @param trusted the authority to trust, or null for the authorities of the JDK
     */
    public SSLSocketFactory socketFactory(@Nullable X509Certificate trusted) {
      try {
        KeyManagerFactory keyManagers =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore store = newKeyStore();
        store.setKeyEntry("own", keys.getPrivate(), NO_PASSWORD, new Certificate[] {certificate});
        keyManagers.init(store, NO_PASSWORD);
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (trusted != null) {
          KeyStore authorities = newKeyStore();
          authorities.setCertificateEntry("ca", trusted);
          trust.init(authorities);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
            keyManagers.getKeyManagers(), trusted == null ? null : trust.getTrustManagers(), null);
        return context.getSocketFactory();
      } catch (GeneralSecurityException | IOException e) {
        throw new IllegalStateException("this JDK does not support TLS", e);
      }
    }

    private static KeyStore newKeyStore() throws GeneralSecurityException, IOException {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    }
  }

  private CertificateAuthority(Clock clock, String name, Duration before, Duration after) {
    this.clock = clock;
    this.before = before;
    this.after = after;
    KeyPair keys = newKeys();
    X500Principal subject = principal(name, List.of());
    identity =
        new Identity(sign(subject, subject, keys, keys, CertificateAuthority::caExtensions), keys);
  }

  /**
   * Creates an authority with a new key.
   *
   * @param clock the time from which certificates are valid
   * @param name the name of the authority
   */
  public static CertificateAuthority create(Clock clock, String name) {
    return new CertificateAuthority(clock, name, CLOCK_SKEW, LIFETIME);
  }

  /**
   * Creates an authority with a new key and another validity.
   *
   * @param before how long before their issue certificates are valid, for peers whose clock is
   *     behind this one
   * @param after how long after their issue they are valid, and the authority
   */
  public static CertificateAuthority create(
      Clock clock, String name, Duration before, Duration after) {
    return new CertificateAuthority(clock, name, before, after);
  }

  /** Returns the certificate that clients must trust, in PEM form. */
  public String certificatePem() {
    return identity.certificatePem();
  }

  /** Returns the key that signs certificates. */
  public String privateKeyPem() {
    return identity.privateKeyPem();
  }

  /** Returns the certificate that clients must trust. */
  public X509Certificate certificate() {
    return identity.certificate();
  }

  /** Issues the certificate of a server on localhost. */
  public Identity issueServer(String name) {
    return issueServer(name, List.of("localhost", "127.0.0.1", "::1"));
  }

  /**
   * Issues the certificate of a server.
   *
   * @param name the name in the subject
   * @param hosts the names and addresses by which clients reach the server
   */
  public Identity issueServer(String name, List<String> hosts) {
    return issue(principal(name, List.of()), builder -> serverExtensions(builder, hosts));
  }

  /** Issues the certificate of a client; Kubernetes reads the names as user and groups. */
  public Identity issueClient(String user, List<String> groups) {
    return issue(principal(user, groups), CertificateAuthority::clientExtensions);
  }

  private Identity issue(X500Principal subject, Extensions extensions) {
    KeyPair keys = newKeys();
    X500Principal issuer = identity.certificate().getSubjectX500Principal();
    return new Identity(sign(subject, issuer, keys, identity.keys(), extensions), keys);
  }

  /** Generates a key pair without a certificate, for example to sign service account tokens. */
  public KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"), random);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK does not support EC P-256 keys", e);
    }
  }

  /** Returns PEM text. */
  public static String pem(String type, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n";
  }

  @FunctionalInterface
  private interface Extensions {
    void addTo(X509v3CertificateBuilder builder) throws CertIOException;
  }

  private X509Certificate sign(
      X500Principal subject,
      X500Principal issuer,
      KeyPair subjectKeys,
      KeyPair issuerKeys,
      Extensions extensions) {
    Instant now = clock.now();
    X509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            new BigInteger(120, random).add(BigInteger.ONE),
            Date.from(now.minus(before)),
            Date.from(now.plus(after)),
            subject,
            subjectKeys.getPublic());
    try {
      extensions.addTo(builder);
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKeys.getPrivate())));
    } catch (CertIOException | OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot create a certificate for " + subject, e);
    }
  }

  private static void caExtensions(X509v3CertificateBuilder builder) throws CertIOException {
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    builder.addExtension(
        Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature));
  }

  private static void serverExtensions(X509v3CertificateBuilder builder, List<String> hosts)
      throws CertIOException {
    builder.addExtension(
        Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(
            hosts.stream().map(CertificateAuthority::generalName).toArray(GeneralName[]::new)));
  }

  private static GeneralName generalName(String host) {
    boolean address = IPAddress.isValid(host);
    return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, host);
  }

  private static void clientExtensions(X509v3CertificateBuilder builder) throws CertIOException {
    builder.addExtension(
        Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth));
  }

  private static X500Principal principal(String commonName, List<String> organizations) {
    X500NameBuilder name = new X500NameBuilder(BCStyle.INSTANCE);
    for (String organization : organizations) {
      name.addRDN(BCStyle.O, organization);
    }
    name.addRDN(BCStyle.CN, commonName);
    return new X500Principal(name.build().toString());
  }
}
