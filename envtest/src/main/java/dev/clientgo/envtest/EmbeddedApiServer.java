package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.clock.Clock;
import dev.clientgo.apimachinery.schema.GroupResource;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * An API server in this process, which starts in milliseconds and behaves like kube-apiserver.
 *
 * <pre>{@code
 * try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
 *   server.writeKubeconfig(Path.of("kubeconfig"));
 * }
 * }</pre>
 *
 * <p>It speaks JSON over HTTP/1.1, and over HTTP/2 where there is TLS. Objects are in memory. Safe
 * for use by many threads.
 */
public final class EmbeddedApiServer implements ApiServer {

  private static final Duration BOOKMARK_INTERVAL = Duration.ofMinutes(1);
  private static final int HISTORY = 10_000;

  private final Store store;
  private final Api api;
  private final @Nullable CertificateAuthority authority;
  private final @Nullable SSLSocketFactory tls;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private @Nullable HttpEndpoint endpoint;

  private volatile int port;

  private EmbeddedApiServer(Builder builder) {
    store = new Store(builder.clock, HISTORY);
    Resources resources = new Resources(BuiltIns.all());
    resources.all().forEach(resource -> store.open(resource.groupResource()));
    api = new Api(store, resources, builder.clock, builder.random, builder.bookmarkInterval);
    authority = builder.tls ? CertificateAuthority.create(builder.clock, "envtest-ca") : null;
    tls = authority == null ? null : sockets(authority);
  }

  /** Starts a server with the usual settings, over plain HTTP. */
  public static EmbeddedApiServer start() {
    return builder().start();
  }

  /** Returns a builder of a server with other settings. */
  public static Builder builder() {
    return new Builder();
  }

  private void begin() {
    Strategy strategy = new Strategy(Clock.system(), new Random());
    for (String name : List.of("default", "kube-node-lease", "kube-public", "kube-system")) {
      Resource namespaces =
          BuiltIns.all().stream().filter(r -> r.kind().equals("Namespace")).findFirst().get();
      store.put(
          new GroupResource("", "namespaces"),
          name,
          null,
          strategy.create(
              namespaces,
              namespaces.versions().get(0),
              "",
              Tree.of("metadata", Tree.of("name", name))));
    }
    lock.lock();
    try {
      endpoint = new HttpEndpoint(api::handle, tls);
      port = endpoint.start(port);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the server started", e);
    } finally {
      lock.unlock();
    }
  }

  private static SSLSocketFactory sockets(CertificateAuthority authority) {
    CertificateAuthority.Identity identity = authority.issueServer("envtest");
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry(
          "server",
          identity.privateKey(),
          new char[0],
          new java.security.cert.Certificate[] {identity.certificate()});
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, new char[0]);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, new SecureRandom());
      return context.getSocketFactory();
    } catch (GeneralSecurityException | java.io.IOException e) {
      throw new IllegalStateException("this JDK cannot speak TLS", e);
    }
  }

  @Override
  public URI url() {
    return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + port);
  }

  @Override
  public String kubeconfig() {
    return KubeConfigText.withToken(
        url(), authority == null ? null : authority.certificatePem(), "token", "envtest");
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (endpoint == null) {
        return;
      }
      store.endWatches();
      endpoint.close();
      endpoint = null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** Builds and starts an {@link EmbeddedApiServer}. Not safe for use by many threads. */
  public static final class Builder {
    private Clock clock = Clock.system();
    private RandomGenerator random = new Random();
    private Duration bookmarkInterval = BOOKMARK_INTERVAL;
    private boolean tls;

    private Builder() {}

    /** Takes another clock. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Takes another source of randomness, for names and identities. */
    public Builder random(RandomGenerator random) {
      this.random = requireNonNull(random, "random");
      return this;
    }

    /** Sets how often a watch that allows bookmarks gets one; a minute if not set. */
    public Builder bookmarkInterval(Duration interval) {
      this.bookmarkInterval = requireNonNull(interval, "interval");
      return this;
    }

    /** Sets whether to speak TLS, and with it HTTP/2; not if not set. */
    public Builder tls(boolean tls) {
      this.tls = tls;
      return this;
    }

    /** Starts the server. */
    public EmbeddedApiServer start() {
      EmbeddedApiServer server = new EmbeddedApiServer(this);
      server.begin();
      return server;
    }
  }
}
