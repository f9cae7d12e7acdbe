package dev.clientgo.rest.internal.auth;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.config.RestConfig;
import dev.clientgo.rest.internal.tls.ClientIdentity;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A client certificate whose files may be rotated, combined with other credentials or none.
 * Requests read the files again at most once per second, and at once after the server has rejected
 * the certificate. While the two files do not match, as during a rotation, the last valid pair is
 * used.
 *
 * <p>Corresponds to client-go's {@code transport.dynamicClientCert}. Unlike client-go: no thread
 * polls the files, and requests in progress continue.
 */
public final class CertificateCredentials implements Credentials {

  private static final Logger LOG = System.getLogger(CertificateCredentials.class.getName());

  /** As in client-go. */
  public static final Duration FRESH = Duration.ofSeconds(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final PemSource certificate;
  private final PemSource key;
  private final @Nullable String passphrase;
  private final Credentials others;
  private final Clock clock;
  private final String origin;

  @GuardedBy("lock")
  private long readAt;

  /** The content of the two files when they were last read. */
  @GuardedBy("lock")
  private List<PemSource.Data> content;

  private volatile ClientIdentity identity;

  /**
   * Reads the files for the first time.
   *
   * @throws ConfigException if they cannot be read
   */
  CertificateCredentials(RestConfig config, Credentials others, Clock clock) {
    this.certificate = requireNonNull(config.clientCertificate(), "certificate");
    this.key = requireNonNull(config.clientKey(), "key");
    this.passphrase = config.clientKeyPassphrase();
    this.others = others;
    this.clock = clock;
    this.origin = Credentials.origin(config);
    this.readAt = clock.nanoTime();
    this.content = content(); // First: files that change meanwhile are read again.
    this.identity = ClientIdentity.read(certificate, key, passphrase);
  }

  @Override
  public Credential current() throws InterruptedException {
    refresh(FRESH);
    return new Credential(others.current().authorization(), identity);
  }

  @Override
  public ClientIdentity identity() {
    return identity;
  }

  @Override
  public String describe() {
    String besides = others.describe();
    String validity = identity.validity(clock.now());
    return describeCertificate()
        + (validity.isEmpty() ? "" : ", which " + validity)
        + (besides.isEmpty() ? "" : (validity.isEmpty() ? " and " : ", and ") + besides);
  }

  private String describeCertificate() {
    return "the client certificate " + certificate + " of " + identity + origin;
  }

  @Override
  public String problem() {
    String validity = identity.validity(clock.now());
    return validity.isEmpty() ? "" : describeCertificate() + " " + validity;
  }

  @Override
  public void close() {
    others.close();
  }

  @Override
  public void refused(Credential credential) {
    others.refused(new Credential(credential.authorization(), null));
    if (credential.identity() == identity) {
      refresh(Duration.ZERO);
    }
  }

  private List<PemSource.Data> content() {
    return List.of(
        new PemSource.Data(certificate.read("client certificate")),
        new PemSource.Data(key.read("client key")));
  }

  @GuardedBy("lock")
  private void readLocked() {
    List<PemSource.Data> now = content();
    if (!now.equals(content)) {
      identity = ClientIdentity.read(certificate, key, passphrase);
      content = now;
      LOG.log(Level.DEBUG, "The client certificate has changed: file={0}", certificate);
    }
  }

  private void refresh(Duration age) {
    boolean isFile = certificate instanceof PemSource.File || key instanceof PemSource.File;
    if (!isFile || !lock.tryLock()) {
      return; // Another thread is reading the files.
    }
    try {
      if (clock.nanoTime() - readAt >= age.toNanos()) {
        readAt = clock.nanoTime();
        readLocked();
      }
    } catch (RuntimeException | Error e) {
      CrashLog.log(
          LOG, Level.WARNING, "Cannot read the client certificate again, using the last one", e);
    } finally {
      lock.unlock();
    }
  }
}
