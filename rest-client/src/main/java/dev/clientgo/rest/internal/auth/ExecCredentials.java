package dev.clientgo.rest.internal.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.internal.tls.ClientIdentity;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Lock. A thread holds it while the plugin runs, on purpose: other threads wait for the result, and
 * can be interrupted. A thread that has waited for a failed run gets its error and does not run the
 * plugin again, because five hundred watches would otherwise run it one after the other.
 */

/**
 * Keeps the credentials of a plugin until they expire or the server rejects them.
 *
 * <p>Corresponds to client-go's {@code exec.Authenticator}. Unlike client-go: each client has its
 * own; clients with the same configuration do not share one.
 */
public final class ExecCredentials implements Credentials {

  private final ReentrantLock lock = new ReentrantLock();
  private final ExecPlugin plugin;
  private final Clock clock;

  @GuardedBy("lock")
  private @Nullable Credential cached;

  @GuardedBy("lock")
  private @Nullable Instant expiry;

  @GuardedBy("lock")
  private @Nullable ConfigException failure;

  /** The number of runs of the plugin. */
  private final AtomicInteger runs = new AtomicInteger();

  private volatile @Nullable ClientIdentity identity;

  ExecCredentials(ExecPlugin plugin, Clock clock) {
    this.plugin = plugin;
    this.clock = clock;
  }

  @Override
  public Credential current() throws InterruptedException {
    int before = runs.get();
    lock.lockInterruptibly();
    try {
      if (cached != null && !isExpiredLocked()) {
        return cached;
      }
      if (runs.get() != before && failure != null) {
        throw new ConfigException(String.valueOf(failure.getMessage()), failure);
      }
      return runLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean isExpiredLocked() {
    return expiry != null && clock.now().isAfter(expiry);
  }

  @GuardedBy("lock")
  private Credential runLocked() throws InterruptedException {
    try {
      ExecCredential answer = plugin.run();
      String token = answer.token();
      Credential credential =
          new Credential(token == null ? null : "Bearer " + token, identity(answer));
      cached = credential;
      expiry = answer.expiry();
      failure = null;
      runs.incrementAndGet();
      announce(credential.identity());
      return credential;
    } catch (ConfigException e) {
      failure = e;
      runs.incrementAndGet();
      throw e;
    }
  }

  private void announce(@Nullable ClientIdentity now) {
    if (now != null && now != identity) {
      X509Certificate certificate = now.certificate();
      plugin.measure(
          metrics ->
              metrics.pluginCertificate(
                  certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant()));
    }
    identity = now;
  }

  /** Returns the same object for the same certificate, so that connections are kept. */
  private @Nullable ClientIdentity identity(ExecCredential answer) {
    if (answer.certificate() == null || answer.key() == null) {
      return null;
    }
    ClientIdentity answered;
    try {
      answered =
          ClientIdentity.read(
              new PemSource.Data(answer.certificate().getBytes(UTF_8)),
              new PemSource.Data(answer.key().getBytes(UTF_8)),
              null);
    } catch (ConfigException e) {
      throw new ConfigException(
          plugin.config().describe()
              + " returned a certificate or a key that cannot be used: "
              + e.getMessage(),
          e);
    }
    ClientIdentity known = identity;
    return known != null && known.isSame(answered) ? known : answered;
  }

  @Override
  public @Nullable ClientIdentity identity() {
    return identity;
  }

  @Override
  public String describe() {
    String problem = problem();
    return "what is given by "
        + plugin.config().describe()
        + (problem.isEmpty() ? "" : ": " + problem);
  }

  @Override
  public String problem() {
    ClientIdentity shown = identity;
    String validity = shown == null ? "" : shown.validity(clock.now());
    return validity.isEmpty()
        ? ""
        : "the client certificate of "
            + shown
            + " from "
            + plugin.config().describe()
            + " "
            + validity;
  }

  @Override
  public void close() {
    plugin.close();
  }

  /** Discards only the rejected object, not an equal one from a later run. */
  @SuppressWarnings("ReferenceEquality")
  @Override
  public void refused(Credential credential) {
    lock.lock();
    try {
      if (cached == credential) {
        cached = null;
      }
    } finally {
      lock.unlock();
    }
  }
}
