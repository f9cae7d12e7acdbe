package dev.clientgo.controller.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.clientgo.clock.Clock;
import dev.clientgo.rest.certificates.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * A certificate of a webhook server and its key, in PEM form, with the authority that servers must
 * trust. Immutable. The text form does not show the key.
 *
 * @param certificate the certificate, followed by its chain if it has one
 * @param privateKey the key
 * @param caBundle the certificate of the authority, for the configuration of webhooks
 */
public record ServingCertificate(String certificate, String privateKey, String caBundle) {

  /** The name of the file of the certificate, as in a Secret of type {@code kubernetes.io/tls}. */
  public static final String CERTIFICATE_FILE = "tls.crt";

  /** The name of the file of the key. */
  public static final String KEY_FILE = "tls.key";

  /** The name of the file of the authority. */
  public static final String AUTHORITY_FILE = "ca.crt";

  /** Throws a {@link NullPointerException} if a part is missing. */
  public ServingCertificate {
    requireNonNull(certificate, "certificate");
    requireNonNull(privateKey, "privateKey");
    requireNonNull(caBundle, "caBundle");
  }

  /**
   * Issues a certificate of a new authority, valid for 30 days, for tests and development. In a
   * cluster let cert-manager, for instance, issue and renew certificates. Needs BouncyCastle on the
   * class path.
   *
   * @param hosts the names and addresses by which servers reach the webhooks; none for {@code
   *     localhost}
   */
  public static ServingCertificate selfSigned(String... hosts) {
    CertificateAuthority authority = CertificateAuthority.create(Clock.system(), "webhook-ca");
    CertificateAuthority.Identity issued =
        hosts.length == 0
            ? authority.issueServer("webhooks")
            : authority.issueServer("webhooks", List.of(hosts));
    return new ServingCertificate(
        issued.certificatePem(), issued.privateKeyPem(), authority.certificatePem());
  }

  /**
   * Writes the files {@code tls.crt}, {@code tls.key} and {@code ca.crt}. A server that watches
   * them begins to use them within 10 seconds. Only this user may read the key.
   *
   * @throws UncheckedIOException if a file cannot be written
   */
  public void writeTo(Path directory) {
    try {
      Files.createDirectories(directory);
      write(directory.resolve(KEY_FILE), privateKey, "rw-------");
      write(directory.resolve(CERTIFICATE_FILE), certificate, "rw-r--r--");
      write(directory.resolve(AUTHORITY_FILE), caBundle, "rw-r--r--");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write a certificate to " + directory, e);
    }
  }

  /** Replaces a file as a whole, so a reader never sees half of it. */
  private static void write(Path file, String text, String permissions) throws IOException {
    Path next = Files.createTempFile(file.toAbsolutePath().getParent(), ".", ".next");
    Files.write(next, text.getBytes(UTF_8));
    if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(next, PosixFilePermissions.fromString(permissions));
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Returns a text without the key. */
  @Override
  public String toString() {
    return "ServingCertificate[" + certificate + "]";
  }
}
