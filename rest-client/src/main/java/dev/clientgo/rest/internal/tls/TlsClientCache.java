package dev.clientgo.rest.internal.tls;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.rest.config.PemSource;
import dev.clientgo.rest.config.RestConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Holds the OkHttp client for the next call, and replaces it when the client certificate or the
 * trusted authorities change. The new client opens new connections, because OkHttp shares none
 * between clients with different TLS settings. Idle connections are closed; calls in progress, such
 * as watches, continue. Safe for use by many threads.
 *
 * <p>Corresponds to client-go's {@code transport.dynamicClientCert} and {@code
 * transport.atomicTransportHolder}. Unlike client-go: a changed certificate does not end calls in
 * progress.
 */
public final class TlsClientCache {

  private static final Logger LOG = System.getLogger(TlsClientCache.class.getName());

  /** The shortest time between two reads of the authorities' file. */
  public static final Duration FRESH = Duration.ofSeconds(1);

  private final ReentrantLock lock = new ReentrantLock();
  private final OkHttpClient base;
  private final RestConfig config;
  private final Duration handshakeTimeout;
  private final ClientCertificate certificate;
  private final Clock clock;

  @GuardedBy("lock")
  private long readAt;

  /** Null if the server is reached without TLS. */
  private volatile @Nullable Secured current;

  /**
   * A client and the settings it was made with.
   *
   * @param authority the content of the authorities' file, null if there is none
   */
  private record Secured(
      @Nullable ClientIdentity identity,
      PemSource.@Nullable Data authority,
      X509TrustManager trust,
      OkHttpClient client) {}

  public TlsClientCache(
      OkHttpClient base,
      RestConfig config,
      Duration handshakeTimeout,
      ClientCertificate certificate,
      Clock clock) {
    this.base = base;
    this.config = config;
    this.handshakeTimeout = handshakeTimeout;
    this.certificate = certificate;
    this.clock = clock;
    this.readAt = clock.nanoTime();
    this.current =
        config.isTls() ? secure(certificate.identity(), authority(), Tls.trust(config)) : null;
  }

  private PemSource.@Nullable Data authority() {
    return config.certificateAuthority() instanceof PemSource.File file
        ? new PemSource.Data(file.read("certificate authority"))
        : null;
  }

  private Secured secure(
      @Nullable ClientIdentity shown, PemSource.@Nullable Data authority, X509TrustManager trust) {
    Tls tls = Tls.of(config, shown, trust, handshakeTimeout);
    OkHttpClient client =
        base.newBuilder()
            .connectionSpecs(List.of(ConnectionSpec.MODERN_TLS))
            .sslSocketFactory(tls.factory(), tls.trust())
            .hostnameVerifier(tls.verifier())
            .build();
    return new Secured(shown, authority, trust, client);
  }

  /** Returns the client for the next call. */
  public OkHttpClient current() {
    reread(FRESH);
    Secured secured = current;
    if (secured == null) {
      return base;
    }
    return secured.identity == certificate.identity() ? secured.client : withNewIdentity();
  }

  private OkHttpClient withNewIdentity() {
    lock.lock();
    try {
      Secured secured = requireNonNull(current, "current");
      ClientIdentity shown = certificate.identity();
      return secured.identity == shown
          ? secured.client
          : replacedLocked(secure(shown, secured.authority, secured.trust));
    } finally {
      lock.unlock();
    }
  }

  /** Reads the authorities again; returns whether they have changed. */
  public boolean authorityHasChanged() {
    return reread(Duration.ZERO);
  }

  private boolean reread(Duration age) {
    Secured secured = current;
    if (secured == null || secured.authority == null || !lock.tryLock()) {
      return false;
    }
    try {
      if (clock.nanoTime() - readAt < age.toNanos()) {
        return false;
      }
      readAt = clock.nanoTime();
      PemSource.Data authority = authority();
      if (authority == null || authority.equals(secured.authority)) {
        return false;
      }
      replacedLocked(secure(certificate.identity(), authority, Tls.trust(config)));
      return true;
    } catch (RuntimeException | Error e) {
      CrashLog.log(
          LOG, Level.WARNING, "Cannot read the certificate authority again, using the last one", e);
      return false;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private OkHttpClient replacedLocked(Secured secured) {
    current = secured;
    base.connectionPool().evictAll();
    return secured.client;
  }
}
