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

/**
 * One block of a PEM file.
 *
 * @param type the label of the block, such as {@code CERTIFICATE}
 * @param text the whole block
 * @param body the lines between the first and the last
 */
public record Pem(String type, String text, String body) {

  private static final Logger LOG = System.getLogger(Pem.class.getName());

  private static final String DASHES = "-----";
  private static final String BEGIN = DASHES + "BEGIN ";
  private static final String END = DASHES + "END ";

  /**
   * Returns the blocks of a file; text between them, and a block that does not end, are ignored.
   */
  public static List<Pem> parse(byte[] file) {
    List<Pem> blocks = new ArrayList<>();
    String text = new String(file, US_ASCII);
    int end = 0; // The next end, sought once: the time stays linear, whatever the file has.
    for (int start = text.indexOf(BEGIN); start >= 0; start = text.indexOf(BEGIN, start + 1)) {
      int type = start + BEGIN.length();
      int body = text.indexOf(DASHES, type) + DASHES.length();
      end = end < body ? text.indexOf(END, body) : end;
      if (body < type || end < 0) {
        break;
      }
      String label = text.substring(type, body - DASHES.length());
      String last = END + label + DASHES;
      if (text.startsWith(last, end)) {
        int next = end + last.length();
        blocks.add(new Pem(label, text.substring(start, next), text.substring(body, end)));
        start = next - 1;
      }
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
    LOG.log(Level.WARNING, "Skips one of several certificates: error={0}", unreadable.getMessage());
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
