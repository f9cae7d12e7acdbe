package dev.clientgo.controller.internal.http;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import dev.clientgo.apimachinery.errors.ConfigException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.rest.certificates.CertifiedKey;
import dev.clientgo.rest.config.PemSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Reads a certificate and its key again every 10 seconds, and replaces those of the server if the
 * new ones are valid. Otherwise the old ones stay, with one line in the log for each problem.
 *
 * <p>Files may change one after the other: as long as they do not belong together, the old ones
 * stay. Corresponds to controller-runtime's {@code certwatcher.CertWatcher}.
 */
public final class CertificatePoller implements AutoCloseable {

  private static final Logger LOG = System.getLogger(CertificatePoller.class.getName());

  /** The time between two looks at the source. */
  static final Duration INTERVAL = Duration.ofSeconds(10);

  /** How long reads may fail, or one may take, before that is a {@link #problem}. */
  static final Duration MAX_SILENCE = Duration.ofMinutes(1);

  /** How long before the end of its certificate a server stops to count as ready. */
  private static final Duration UNREADY_BEFORE_END = Duration.ofMinutes(5);

  /** The longest time before the end of its certificate that is a {@link #problem}. */
  private static final Duration MAX_ALARM = Duration.ofDays(10);

  /** The source of the certificate. */
  @FunctionalInterface
  public interface Source {
    /**
     * Passes on the certificate to serve from now on. If it throws after that, the certificate is
     * served, and the error is logged and counted.
     */
    void read(Consumer<CertifiedKey> serving) throws InterruptedException;
  }

  private final String server;
  private final Source source;
  private final Clock clock;
  private final Runnable reads;
  private final Runnable failures;
  private final Thread poller = DaemonThreads.named("certificate-").newThread(this::poll);
  private final ServerCertificate served = new ServerCertificate();

  /** Written by one thread at a time: the one that creates this, then the poller. */
  private volatile @Nullable CertifiedKey current;

  private volatile String problem = "";
  private volatile long lastRead;
  private volatile boolean closed;

  /**
   * Creates an instance that has read nothing yet.
   *
   * @param server what is served, for the log and the metric
   */
  public CertificatePoller(String server, Source source, Clock clock, MetricsRegistry metrics) {
    this.server = server;
    this.source = source;
    this.clock = clock;
    lastRead = clock.nanoTime();
    reads = counter(metrics, "certwatcher_read_certificate_total", "Certificate reads");
    failures =
        counter(metrics, "certwatcher_read_certificate_errors_total", "Certificate read errors");
    metrics.gauge(
        new Metric(
            "clientgo_certificate_expiry_seconds",
            "When the certificate of a server runs out, in seconds since 1970; 0 without one",
            Map.of("server", server)),
        () -> current == null ? 0 : end(current).getEpochSecond());
  }

  /**
   * Returns an instance for files, which it has read once.
   *
   * @throws ConfigException if they are missing, or not a certificate with its key
   */
  public static CertificatePoller ofFiles(
      String server, PemSource certificate, PemSource key, Clock clock, MetricsRegistry metrics) {
    Source files = serving -> serving.accept(CertifiedKey.read("server", certificate, key, null));
    CertificatePoller poller = new CertificatePoller(server, files, clock, metrics);
    poller.reads.run();
    poller.serve(CertifiedKey.read("server", certificate, key, null));
    return poller;
  }

  /** Returns an instance for {@code tls.crt} and {@code tls.key} of a directory, read once. */
  public static CertificatePoller ofDirectory(
      String server, Path directory, Clock clock, MetricsRegistry metrics) {
    return ofFiles(
        server,
        new PemSource.File(directory.resolve("tls.crt")),
        new PemSource.File(directory.resolve("tls.key")),
        clock,
        metrics);
  }

  private static Runnable counter(MetricsRegistry metrics, String name, String help) {
    return metrics.counter(new Metric(name, help, Map.of()));
  }

  /**
   * Returns what makes an HTTPS server of the JDK present the certificate.
   *
   * @param clients the authorities of which clients must have a certificate; null for any client
   */
  public HttpsConfigurator configurator(@Nullable X509TrustManager clients) {
    SSLContext context;
    try {
      context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {served}, clients == null ? null : new TrustManager[] {clients}, null);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot speak TLS", e);
    }
    return new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters parameters) {
        SSLParameters tls = context.getDefaultSSLParameters();
        tls.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        tls.setNeedClientAuth(clients != null);
        parameters.setSSLParameters(tls);
      }
    };
  }

  /** Returns whether there is a certificate that does not run out within five minutes. */
  public boolean isServing() {
    CertifiedKey now = current;
    return now != null && clock.now().isBefore(end(now).minus(UNREADY_BEFORE_END));
  }

  /** Returns why clients can soon not trust the server; empty if nothing hints at that. */
  public Optional<String> problem() {
    CertifiedKey now = current;
    if (now == null) {
      return Optional.of("the server has no certificate yet: " + problem);
    }
    Instant end = end(now);
    Duration left = Duration.between(clock.now(), end);
    Duration validity = Duration.between(now.certificate().getNotBefore().toInstant(), end);
    if (left.compareTo(MAX_ALARM) <= 0 && left.compareTo(validity.dividedBy(10)) <= 0) {
      return Optional.of("the certificate runs out at " + end + ": " + problem);
    }
    Duration silence = Duration.ofNanos(clock.nanoTime() - lastRead);
    return silence.compareTo(MAX_SILENCE) <= 0
        ? Optional.empty()
        : Optional.of(
            "the certificate could not be read or renewed for " + silence + ": " + problem);
  }

  private static Instant end(CertifiedKey pair) {
    return pair.certificate().getNotAfter().toInstant();
  }

  /** Begins to read the source again and again. */
  public void start() {
    poller.start();
  }

  private void poll() {
    for (boolean wait = current != null; !closed && !clock.isStopped(); wait = true) {
      try {
        if (wait) {
          clock.sleep(INTERVAL);
        }
        reload();
      } catch (InterruptedException e) {
        // The server is being closed, or a user's code has left its interrupt behind.
      } catch (Throwable e) {
        // No memory to tell of a problem: without this thread, the old one would stay for good.
      }
    }
  }

  private void reload() throws InterruptedException {
    reads.run();
    try {
      source.read(this::serve);
      problem = "";
      lastRead = clock.nanoTime();
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable e) {
      failures.run();
      String found =
          e instanceof ConfigException ? String.valueOf(e.getMessage()) : CrashLog.text(e);
      if (!problem.equals(found)) {
        problem = found;
        String message =
            "Cannot read or renew the certificate of a server, which keeps the one it has: server="
                + server
                + " served="
                + current;
        CrashLog.log(LOG, Level.WARNING, message + " error=" + problem, null);
      }
    }
  }

  private void serve(CertifiedKey next) {
    CertifiedKey last = current;
    if (!next.equals(last)) {
      served.replace(next);
      current = next;
      if (last != null) {
        CrashLog.log(
            LOG,
            Level.INFO,
            "The certificate of a server has changed: server=" + server + " certificate=" + next,
            null);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    poller.interrupt();
  }
}
