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
import java.util.Map;
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
 * <p>The files may change one after the other: as long as they do not belong together, the old ones
 * stay. Corresponds to controller-runtime's {@code certwatcher.CertWatcher}.
 */
public final class CertificateFiles implements AutoCloseable {

  private static final Logger LOG = System.getLogger(CertificateFiles.class.getName());

  /** The time between two looks at the files. */
  static final Duration INTERVAL = Duration.ofSeconds(10);

  private final PemSource certificate;
  private final PemSource key;
  private final Clock clock;
  private final Runnable reads;
  private final Runnable failures;
  private final Thread poller = DaemonThreads.named("certificate-").newThread(this::poll);

  /** Used by one thread at a time: the one that creates this, then the poller. */
  private CertifiedKey current;

  private String problem = "";
  private final ServerCertificate served;

  /**
   * Reads the files for the first time.
   *
   * @throws ConfigException if they are missing, or not a certificate with its key
   */
  public CertificateFiles(
      PemSource certificate, PemSource key, Clock clock, MetricsRegistry metrics) {
    this.certificate = certificate;
    this.key = key;
    this.clock = clock;
    reads = counter(metrics, "certwatcher_read_certificate_total", "Certificate reads");
    failures =
        counter(metrics, "certwatcher_read_certificate_errors_total", "Certificate read errors");
    current = read();
    served = new ServerCertificate(current);
  }

  /** Reads {@code tls.crt} and {@code tls.key} of a directory, as the constructor does. */
  public static CertificateFiles in(Path directory, Clock clock, MetricsRegistry metrics) {
    return new CertificateFiles(
        new PemSource.File(directory.resolve("tls.crt")),
        new PemSource.File(directory.resolve("tls.key")),
        clock,
        metrics);
  }

  private static Runnable counter(MetricsRegistry metrics, String name, String help) {
    return metrics.counter(new Metric(name, help, Map.of()));
  }

  /** Begins to read the files again and again. */
  public void start() {
    poller.start();
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

  private void poll() {
    while (true) {
      try {
        clock.sleep(INTERVAL);
        reload();
      } catch (InterruptedException e) {
        return; // The server is being closed.
      } catch (Throwable e) {
        // No memory to tell of a problem: without this thread, the old one would stay for good.
      }
    }
  }

  private void reload() {
    try {
      CertifiedKey next = read();
      if (!next.equals(current)) {
        served.replace(next);
        current = next;
        CrashLog.log(
            LOG, Level.INFO, "The certificate of a server has changed: certificate=" + next, null);
      }
      problem = "";
    } catch (Throwable e) {
      failures.run();
      String found =
          e instanceof ConfigException ? String.valueOf(e.getMessage()) : CrashLog.text(e);
      if (!problem.equals(found)) {
        problem = found;
        CrashLog.log(
            LOG,
            Level.WARNING,
            "The new certificate of a server is not valid, the old one stays: " + problem,
            null);
      }
    }
  }

  private CertifiedKey read() {
    reads.run();
    return CertifiedKey.read("server", certificate, key, null);
  }

  @Override
  public void close() {
    poller.interrupt();
  }
}
