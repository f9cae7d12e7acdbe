package dev.clientgo.rest.internal.pem;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.rest.config.PemSource;
import java.io.ByteArrayInputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One block of a PEM file.
 *
 * @param type the label of the block, such as {@code CERTIFICATE}
 * @param text the whole block
 * @param body the lines between the first and the last
 */
public record Pem(String type, String text, String body) {

  private static final Logger LOG = System.getLogger(Pem.class.getName());

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

  /** Returns the blocks of a file; text between them is ignored. */
  public static List<Pem> parse(byte[] file) {
    List<Pem> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(new String(file, US_ASCII));
    while (matcher.find()) {
      blocks.add(new Pem(matcher.group(1), matcher.group(), matcher.group(2)));
    }
    return blocks;
  }

  /**
   * Returns the certificates of a file.
   *
   * @param what the kind of certificate, for the error
   * @throws ConfigException if one cannot be read
   */
  public static List<X509Certificate> certificates(PemSource source, String what) {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Pem block : parse(source.read(what))) {
      if (block.isCertificate()) {
        certificates.add(block.certificate(source, what));
      }
    }
    return certificates;
  }

  /**
   * Returns the certificates of a file of authorities. As in client-go, one that cannot be read is
   * skipped if there are others.
   *
   * @throws ConfigException if none can be read
   */
  public static List<X509Certificate> authorities(PemSource source, String what) {
    List<X509Certificate> authorities = new ArrayList<>();
    ConfigException unreadable = null;
    for (Pem block : parse(source.read(what))) {
      try {
        if (block.isCertificate()) {
          authorities.add(block.certificate(source, what));
        }
      } catch (ConfigException e) {
        unreadable = e;
      }
    }
    if (unreadable == null) {
      return authorities;
    }
    if (authorities.isEmpty()) {
      throw unreadable;
    }
    LOG.log(Level.WARNING, "skipping one of several certificates: {0}", unreadable.getMessage());
    return authorities;
  }

  private boolean isCertificate() {
    return type.equals("CERTIFICATE") || type.equals("X509 CERTIFICATE");
  }

  private X509Certificate certificate(PemSource source, String what) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der()));
    } catch (CertificateException | IllegalArgumentException e) {
      throw new ConfigException("the " + what + " " + source + " is not an X.509 certificate", e);
    }
  }

  /**
   * Returns the content of the block.
   *
   * @throws IllegalArgumentException if it is not base64
   */
  byte[] der() {
    return Base64.getMimeDecoder().decode(body);
  }

  /** Returns only the type, because a block may contain a key. */
  @Override
  public String toString() {
    return "Pem[" + type + "]";
  }
}
