package dev.clientgo.controller.webhook;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.serializer.ResourceType;
import dev.clientgo.clock.Clock;
import dev.clientgo.controller.internal.http.CertificatePoller;
import dev.clientgo.controller.internal.metrics.GuardedMetrics;
import dev.clientgo.controller.internal.webhook.CaBundles;
import dev.clientgo.controller.internal.webhook.CertificateSecret;
import dev.clientgo.controller.internal.webhook.ReviewEndpoint;
import dev.clientgo.controller.internal.webhook.ReviewServer;
import dev.clientgo.controller.metrics.Metric;
import dev.clientgo.controller.metrics.MetricsRegistry;
import dev.clientgo.controller.webhook.Webhook.Phase;
import dev.clientgo.kubernetes.admissionregistration.v1.MutatingWebhookConfiguration;
import dev.clientgo.kubernetes.admissionregistration.v1.ValidatingWebhookConfiguration;
import dev.clientgo.kubernetes.apiextensions.v1.CustomResourceDefinition;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.certificates.TrustedAuthorities;
import dev.clientgo.rest.config.PemSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Serves webhooks over HTTPS: functions that API servers call to change, allow or deny requests,
 * and to convert custom resources.
 *
 * <pre>{@code
 * WebhookServer webhooks =
 *     WebhookServer.builder()
 *         .certificates(Path.of("/var/run/certs"))
 *         .add(Webhook.mutating(Foo.TYPE, (foo, request) -> withDefaults(foo)))
 *         .add(Webhook.validating(Foo.TYPE, (foo, request) -> check(foo)))
 *         .build();
 * Manager manager = Manager.builder(client).webhooks(webhooks).build();
 * }</pre>
 *
 * <p>A manager starts and closes its server; without a manager, call {@link #start()} and {@link
 * #close()}. All replicas of a program serve webhooks, whether they lead or not.
 *
 * <p>A webhook must answer a request of the form {@code AdmissionReview} with the media type {@code
 * application/json} and 7 MiB at most; anything else is refused with 415, 413 or 400. A conversion
 * may have 64 MiB. An exception of a webhook denies the request with the code 500 and its text, and
 * is logged. A call that takes longer than the API server waits, or than 30 s, is interrupted.
 *
 * <p>Slow clients do not keep others out. There are at most 200 calls at a time, each with a thread
 * of the operating system, and their bodies have at most a quarter of the heap. A client has 10 s
 * to handshake and to send its request, and 10 s to read the answer; half a second while others
 * wait and fewer than ten requests a second end. Then its connection is closed. The JDK's property
 * {@code jdk.httpserver.maxConnections} bounds connections that send nothing at all, which need no
 * thread. Safe for use by many threads.
 *
 * <p>Corresponds to controller-runtime's {@code webhook.Server}.
 */
public final class WebhookServer implements AutoCloseable {

  private static final Logger LOG = System.getLogger(WebhookServer.class.getName());

  /** The default of {@link Builder#port}. */
  public static final int DEFAULT_PORT = 9443;

  /** How long {@link #close()} lets calls finish. */
  public static final Duration DRAIN_TIMEOUT = Duration.ofMinutes(1);

  private enum State {
    NEW,
    RUNNING,
    CLOSED
  }

  private final List<Webhook> webhooks;
  private final List<Conversion> conversions;
  private final InetSocketAddress listenAt;
  private final PemSource certificate;
  private final PemSource key;
  private final @Nullable ManagedSecret managed;
  private final @Nullable PemSource clientAuthority;
  private final Clock clock;

  /** The Secret of a certificate that the server issues itself. */
  private record ManagedSecret(
      RESTClient client, ObjectName name, String configurations, List<String> hosts) {}

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private State state = State.NEW;

  @GuardedBy("lock")
  private @Nullable ReviewServer server;

  private WebhookServer(Builder builder) {
    webhooks = List.copyOf(builder.webhooks);
    conversions = List.copyOf(builder.conversions);
    listenAt = builder.address;
    certificate = builder.certificate;
    key = builder.key;
    managed = builder.managed;
    clientAuthority = builder.clientAuthority;
    clock = builder.clock;
  }

  /** Returns a builder of servers at the port 9443 of all addresses. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the webhooks for admission. */
  public List<Webhook> webhooks() {
    return webhooks;
  }

  /**
   * Returns the configurations that tell an API server of these webhooks.
   *
   * @param name the name of the objects, such as the name of the program
   * @param target how the API server reaches this server
   */
  public WebhookConfigurations configurations(String name, WebhookTarget target) {
    return new WebhookConfigurations(name, webhooks, conversions, target);
  }

  /** Starts to serve, without metrics. */
  public void start() {
    start(MetricsRegistry.none());
  }

  /**
   * Starts to serve. Returns when the server takes connections.
   *
   * @param metrics receives the metrics of the server
   * @throws dev.clientgo.apimachinery.errors.ConfigException if a file of the certificate is
   *     missing or not valid
   * @throws IllegalStateException if the address cannot be used, or the server was started before
   */
  public void start(MetricsRegistry metrics) {
    MetricsRegistry guarded = GuardedMetrics.of(metrics, clock);
    lock.lock();
    try {
      if (state != State.NEW) {
        throw new IllegalStateException(
            state == State.CLOSED
                ? "the webhook server is closed and cannot start again: build a new one"
                : "the webhook server was started before");
      }
      X509TrustManager clients =
          clientAuthority == null ? null : TrustedAuthorities.read(clientAuthority);
      server =
          ReviewServer.start(
              listenAt, endpoints(guarded), certificates(guarded), clients, guarded, clock);
      state = State.RUNNING;
      LOG.log(
          Level.INFO,
          "Serving webhooks: address={0} paths={1}",
          server.address(),
          new TreeSet<>(endpoints(MetricsRegistry.none()).keySet()));
    } finally {
      lock.unlock();
    }
  }

  private CertificatePoller certificates(MetricsRegistry guarded) {
    ManagedSecret secret = managed;
    if (secret == null) {
      return CertificatePoller.ofFiles("webhooks", certificate, key, clock, guarded);
    }
    List<CaBundles.Registration> registrations = new ArrayList<>();
    String name = secret.configurations();
    registrations.add(registration(MutatingWebhookConfiguration.TYPE, name, Phase.MUTATE));
    registrations.add(registration(ValidatingWebhookConfiguration.TYPE, name, Phase.VALIDATE));
    registrations.removeIf(each -> each.webhooks().isEmpty());
    for (Conversion each : conversions) {
      registrations.add(
          new CaBundles.Registration(
              CustomResourceDefinition.TYPE.resource(), each.definition(), Set.of()));
    }
    CaBundles bundles = new CaBundles(secret.client(), registrations);
    return new CertificatePoller(
        "webhooks",
        new CertificateSecret(secret.client(), secret.name(), name, secret.hosts(), bundles, clock),
        clock,
        guarded);
  }

  private CaBundles.Registration registration(ResourceType<?> type, String name, Phase phase) {
    return new CaBundles.Registration(
        type.resource(),
        name,
        webhooks.stream()
            .filter(webhook -> webhook.phase() == phase)
            .map(Webhook::name)
            .collect(Collectors.toSet()));
  }

  private Map<String, ReviewEndpoint> endpoints(MetricsRegistry metrics) {
    Runnable panics = counter(metrics, "webhook_panics_total", "Exceptions of webhooks");
    Map<String, ReviewEndpoint> endpoints = new LinkedHashMap<>();
    webhooks.forEach(
        webhook -> endpoints.put(webhook.path(), new AdmissionEndpoint(webhook, panics)));
    if (!conversions.isEmpty()) {
      Map<GroupKind, Conversion> byKind = new LinkedHashMap<>();
      conversions.forEach(conversion -> byKind.put(conversion.kind(), conversion));
      endpoints.put(
          Conversion.PATH,
          new ConversionEndpoint(
              byKind,
              counter(metrics, "conversion_webhook_panics_total", "Exceptions of conversions")));
    }
    return endpoints;
  }

  private static Runnable counter(MetricsRegistry metrics, String name, String help) {
    return metrics.counter(new Metric("controller_runtime_" + name, help, Map.of()));
  }

  /**
   * Returns whether this server takes calls: it is started and not closed, it has a certificate
   * that does not run out within five minutes, and one of its threads was free within the last
   * minute. Webhooks that ignore their interrupts can hold all threads.
   */
  public boolean isRunning() {
    lock.lock();
    try {
      return state == State.RUNNING
          && server != null
          && server.hasCertificate()
          && !server.isStuck();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns why API servers can soon not trust this server, though it may take calls until then:
   * its certificate could not be read again for a minute, or has less than ten days and a tenth of
   * its validity left. Empty if there is no such reason, or the server does not run. An alarm can
   * have it.
   */
  public Optional<String> certificateProblem() {
    lock.lock();
    try {
      return state == State.RUNNING && server != null ? server.problem() : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns where this server listens, with the port that was chosen for port 0.
   *
   * @throws IllegalStateException if the server is not started
   */
  public InetSocketAddress address() {
    lock.lock();
    try {
      if (server == null) {
        throw new IllegalStateException("the webhook server is not started");
      }
      return server.address();
    } finally {
      lock.unlock();
    }
  }

  /** Ends as {@link #close(Duration)} does, and lets calls finish for one minute. */
  @Override
  public void close() {
    close(DRAIN_TIMEOUT);
  }

  /**
   * Serves until no call is in progress, or the time is up; then ends. Connections are closed after
   * their answers meanwhile, so API servers go to other replicas. May be called more than once.
   */
  public void close(Duration drain) {
    ReviewServer running;
    lock.lock();
    try {
      running = state == State.RUNNING ? server : null;
      state = State.CLOSED;
    } finally {
      lock.unlock();
    }
    if (running != null && !running.close(drain)) {
      LOG.log(Level.WARNING, "Calls of webhooks did not end within {0}; they are cut off", drain);
    }
  }

  /** Returns the address and the paths. */
  @Override
  public String toString() {
    return "WebhookServer[" + listenAt + " " + webhooks + "]";
  }

  /** Builds a {@link WebhookServer}. Not safe for use by many threads. */
  public static final class Builder {

    private final List<Webhook> webhooks = new ArrayList<>();
    private final List<Conversion> conversions = new ArrayList<>();
    private InetSocketAddress address = new InetSocketAddress(DEFAULT_PORT);
    private PemSource certificate;
    private PemSource key;
    private @Nullable ManagedSecret managed;
    private @Nullable PemSource clientAuthority;
    private Clock clock = Clock.system();

    private Builder() {
      Path directory = Path.of(System.getProperty("java.io.tmpdir"));
      Path standard = directory.resolve("k8s-webhook-server").resolve("serving-certs");
      certificate = new PemSource.File(standard.resolve(ServingCertificate.CERTIFICATE_FILE));
      key = new PemSource.File(standard.resolve(ServingCertificate.KEY_FILE));
    }

    /**
     * Adds a webhook for admission.
     *
     * @throws IllegalArgumentException if there is one at its path, or of its name
     */
    public Builder add(Webhook webhook) {
      for (Webhook other : webhooks) {
        if (other.path().equals(webhook.path())) {
          throw new IllegalArgumentException(
              "there is a webhook at " + webhook.path() + " already: call path(…) on one of them");
        }
        if (other.phase() == webhook.phase() && other.name().equals(webhook.name())) {
          throw new IllegalArgumentException(
              "there is a webhook named "
                  + webhook.name()
                  + " already: call name(…) on one of them");
        }
      }
      if (webhook.path().equals(Conversion.PATH)) {
        throw new IllegalArgumentException(Conversion.PATH + " is the path of conversions");
      }
      webhooks.add(webhook);
      return this;
    }

    /**
     * Adds a conversion by way of a hub.
     *
     * @throws IllegalArgumentException if there is one for its kind
     */
    public Builder add(Conversion.Hub<?> hub) {
      return add(hub.conversion());
    }

    /**
     * Adds a conversion.
     *
     * @throws IllegalArgumentException if there is one for its kind
     */
    public Builder add(Conversion conversion) {
      for (Conversion other : conversions) {
        if (other.kind().equals(conversion.kind())) {
          throw new IllegalArgumentException(
              "there is a conversion of " + conversion.kind() + " already");
        }
      }
      conversions.add(conversion);
      return this;
    }

    /** Sets the port, at all addresses of the machine. Default: 9443. 0 for any. */
    public Builder port(int port) {
      return address(new InetSocketAddress(port));
    }

    /** Sets where to listen. Default: the port 9443 of all addresses. */
    public Builder address(InetSocketAddress address) {
      this.address = requireNonNull(address, "address");
      return this;
    }

    /**
     * Sets the directory of the files {@code tls.crt} and {@code tls.key}, as a Secret of type
     * {@code kubernetes.io/tls} is mounted. They are read every 10 seconds, and used for new
     * connections if they have changed and are valid. Default: {@code
     * k8s-webhook-server/serving-certs} in the directory for temporary files.
     */
    public Builder certificates(Path directory) {
      return certificates(
          directory.resolve(ServingCertificate.CERTIFICATE_FILE),
          directory.resolve(ServingCertificate.KEY_FILE));
    }

    /** Sets the files of the certificate, with its chain, and its key. */
    public Builder certificates(Path certificate, Path key) {
      managed = null;
      this.certificate = new PemSource.File(certificate);
      this.key = new PemSource.File(key);
      return this;
    }

    /** Sets a certificate that does not change, for tests. */
    public Builder certificate(ServingCertificate fixed) {
      managed = null;
      certificate = data(fixed.certificate());
      key = data(fixed.privateKey());
      return this;
    }

    /**
     * Lets the server issue its certificate, and replace it before it runs out. The Secret has the
     * certificate for all replicas; the first of them creates it. Each {@code caBundle} of the
     * webhooks and conversions of this server gets the authority, within 10 seconds of its
     * registration. {@link #start()} returns before there is a certificate; until then handshakes
     * fail, and {@link #isRunning} is false. Needs BouncyCastle on the class path.
     *
     * <p>The server uses only a Secret that it has created, and changes no other. A new certificate
     * is served five minutes after its authority was written, so that calls succeed meanwhile.
     *
     * @param client a client of a user who may get, create and update the Secret, and get and patch
     *     the configurations and the definitions of converted resources
     * @param configurations the name of the configurations, as in {@link
     *     WebhookServer#configurations}
     * @param hosts the names by which API servers call the webhooks: {@code SERVICE.NAMESPACE.svc}
     *     for a Service
     * @throws IllegalArgumentException if there is no host
     */
    public Builder certificateSecret(
        RESTClient client, ObjectName secret, String configurations, String... hosts) {
      if (hosts.length == 0) {
        throw new IllegalArgumentException("name the host of the webhooks, NAME.NAMESPACE.svc");
      }
      managed =
          new ManagedSecret(
              requireNonNull(client, "client"),
              requireNonNull(secret, "secret"),
              requireNonNull(configurations, "configurations"),
              List.of(hosts));
      return this;
    }

    private static PemSource data(String pem) {
      return new PemSource.Data(pem.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Refuses clients without a certificate of these authorities. API servers show one only if they
     * are configured for it. Default: any client. The file is read once.
     *
     * <p>Corresponds to controller-runtime's {@code ClientCAName}.
     */
    public Builder clientAuthority(Path file) {
      clientAuthority = new PemSource.File(file);
      return this;
    }

    /** Sets the clock of timeouts and reloads, for tests. Default: the system's. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Returns a server that is not started. */
    public WebhookServer build() {
      return new WebhookServer(this);
    }
  }
}
