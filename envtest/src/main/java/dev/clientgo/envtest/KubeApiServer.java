package dev.clientgo.envtest;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.Deadline;
import dev.clientgo.envtest.internal.access.KubeConfigText;
import dev.clientgo.envtest.internal.access.ReservedPort;
import dev.clientgo.envtest.internal.process.ReadinessProbe;
import dev.clientgo.envtest.internal.process.ServerBinaries;
import dev.clientgo.envtest.internal.process.ServerProcess;
import dev.clientgo.envtest.internal.process.ShutdownCleanup;
import dev.clientgo.rest.certificates.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The real kube-apiserver and its etcd, started as processes on the loopback interface, with
 * certificates and data in a temporary folder. No controllers and no nodes run: nothing schedules
 * pods or collects garbage. If the JVM shuts down before {@link #close}, the processes and the
 * folder are removed; if the JVM is killed outright, they stay.
 *
 * <pre>{@code
 * try (KubeApiServer server = KubeApiServer.start()) {
 *   server.writeKubeconfig(Path.of("kubeconfig"));
 * }
 * }</pre>
 *
 * <p>The binaries come from the folder that {@code KUBEBUILDER_ASSETS} names, or else from the
 * cache that the script {@code envtest/kube-apiserver/build} fills; see {@link #isAvailable}. Safe
 * for use by many threads. Corresponds to {@code envtest.Environment} of controller-runtime.
 */
public final class KubeApiServer implements ApiServer {

  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int START_ATTEMPTS = 3;

  private final ServerBinaries binaries;
  private final List<String> extraFlags;
  private final List<String> disabledAdmission;
  private final Clock clock;
  private final Path folder;
  private final CertificateAuthority authority;
  private final ReadinessProbe probe;
  private final ShutdownCleanup cleanup;
  private final String kubeconfig;
  private final ReservedPort etcdPort;
  private final ReservedPort port;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private @Nullable ServerProcess etcd;

  @GuardedBy("lock")
  private @Nullable ServerProcess apiServer;

  private KubeApiServer(Builder builder) {
    binaries = builder.assets == null ? ServerBinaries.locate() : ServerBinaries.in(builder.assets);
    binaries.require(builder.required);
    extraFlags = List.copyOf(builder.flags);
    disabledAdmission = builder.disabledAdmission;
    clock = builder.clock;
    folder = newFolder();
    cleanup = new ShutdownCleanup(folder, builder.guarded ? binaries.guard().orElse(null) : null);
    etcdPort = ReservedPort.of(0);
    port = ReservedPort.of(0);
    authority = CertificateAuthority.create(clock, "envtest-ca");
    CertificateAuthority.Identity admin =
        authority.issueClient("envtest-admin", List.of("system:masters"));
    probe = new ReadinessProbe(url(), authority.certificate(), admin);
    kubeconfig =
        KubeConfigText.withCertificate(url(), authority.certificatePem(), admin, "envtest");
  }

  /** Returns whether the binaries are installed. */
  public static boolean isAvailable() {
    return ServerBinaries.present();
  }

  /**
   * Starts a server with the default settings and waits until it is ready, which takes a few
   * seconds.
   *
   * @throws dev.clientgo.apimachinery.errors.ConfigException if the binaries are missing
   * @throws IllegalStateException if the server does not become ready
   * @throws InterruptedException if the thread is interrupted
   */
  public static KubeApiServer start() throws InterruptedException {
    return builder().start();
  }

  /** Returns a builder of a server with other settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public URI url() {
    return URI.create("https://127.0.0.1:" + port.number());
  }

  @Override
  public String kubeconfig() {
    return kubeconfig;
  }

  /** Returns the address of the server's etcd, over plain HTTP. */
  public URI etcdUrl() {
    return URI.create("http://127.0.0.1:" + etcdPort.number());
  }

  @Override
  public String kubeconfig(String user, List<String> groups) {
    return KubeConfigText.withCertificate(
        url(), authority.certificatePem(), authority.issueClient(user, groups), user);
  }

  /**
   * Kills the kube-apiserver, as a node failure would, and starts it again at the same address with
   * the same etcd. All connections break; no data is lost. The port stays reserved meanwhile.
   *
   * @throws IllegalStateException if the server is closed or does not become ready again
   * @throws InterruptedException if the thread is interrupted
   */
  public void restart() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (apiServer == null) {
        throw new IllegalStateException("the server is closed");
      }
      apiServer.kill();
      port.reserveAgain();
      startApiServerLocked();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      // Nothing of it is kept, so no time is spent on an orderly end.
      if (apiServer != null) {
        apiServer.kill();
        apiServer = null;
      }
      if (etcd != null) {
        etcd.kill();
        etcd = null;
      }
      port.close();
      etcdPort.close();
      cleanup.finish();
    } finally {
      lock.unlock();
    }
  }

  private void startAll() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      cleanup.register();
      writeCertificates();
      etcdPort.release();
      etcd = cleanup.start("etcd", etcdCommand());
      startApiServerLocked();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void startApiServerLocked() throws InterruptedException {
    port.release();
    ServerProcess started = cleanup.start("kube-apiserver", apiServerCommand());
    apiServer = started;
    Deadline deadline = clock.deadline(START_TIMEOUT);
    while (!probe.isReady()) {
      ServerProcess store = requireNonNull(etcd, "etcd");
      if (!store.isAlive()) {
        throw store.failure("did not stay up");
      }
      if (!started.isAlive()) {
        throw started.failure("did not stay up");
      }
      if (!deadline.sleep(POLL)) {
        throw started.failure("was not ready within " + START_TIMEOUT.toSeconds() + " s");
      }
    }
  }

  /** Starts another process of a cluster, whose caller must end it. */
  ServerProcess startPart(String name, List<String> command) {
    return cleanup.start(name, command);
  }

  /** Returns the sockets of a kubelet that this server trusts. */
  SSLSocketFactory kubeletSockets() {
    return authority.issueServer("fake-kubelet").socketFactory(null);
  }

  ServerBinaries binaries() {
    return binaries;
  }

  /** Returns the folder of the certificates, the data and the logs. */
  Path folder() {
    return folder;
  }

  private List<String> etcdCommand() {
    return List.of(
        binaries.etcd().toString(),
        "--data-dir=" + folder.resolve("etcd"),
        "--listen-client-urls=" + etcdUrl(),
        "--advertise-client-urls=" + etcdUrl(),
        "--listen-peer-urls=http://127.0.0.1:0",
        // The data is deleted with the folder; waiting for the disk would only slow down tests.
        "--unsafe-no-fsync",
        // A single member elects itself; by default it waits up to 1 s first.
        "--heartbeat-interval=10",
        "--election-timeout=100");
  }

  private List<String> apiServerCommand() {
    List<String> command = new ArrayList<>();
    command.add(binaries.kubeApiServer().toString());
    command.add("--etcd-servers=" + etcdUrl());
    command.add("--bind-address=127.0.0.1");
    command.add("--advertise-address=127.0.0.1");
    command.add("--secure-port=" + port.number());
    command.add("--tls-cert-file=" + folder.resolve("server.crt"));
    command.add("--tls-private-key-file=" + folder.resolve("server.key"));
    command.add("--client-ca-file=" + folder.resolve("ca.crt"));
    command.add("--service-account-key-file=" + folder.resolve("service-account.pub"));
    command.add("--service-account-signing-key-file=" + folder.resolve("service-account.key"));
    command.add("--service-account-issuer=https://kubernetes.default.svc");
    command.add("--service-cluster-ip-range=10.0.0.0/24");
    command.add("--authorization-mode=RBAC");
    command.add("--allow-privileged=true");
    command.add("--endpoint-reconciler-type=none");
    command.add("--kubelet-client-certificate=" + folder.resolve("kubelet-client.crt"));
    command.add("--kubelet-client-key=" + folder.resolve("kubelet-client.key"));
    command.add("--kubelet-certificate-authority=" + folder.resolve("ca.crt"));
    command.add("--kubelet-preferred-address-types=InternalIP");
    if (!disabledAdmission.isEmpty()) {
      command.add("--disable-admission-plugins=" + String.join(",", disabledAdmission));
    }
    command.addAll(extraFlags);
    return command;
  }

  private void writeCertificates() {
    var serviceAccount = authority.newKeys();
    write("ca.crt", authority.certificatePem());
    write("ca.key", authority.privateKeyPem());
    serveCertificateOf(authority);
    CertificateAuthority.Identity kubeletClient =
        authority.issueClient("kube-apiserver-kubelet-client", List.of("system:masters"));
    write("kubelet-client.crt", kubeletClient.certificatePem());
    write("kubelet-client.key", kubeletClient.privateKeyPem());
    CertificateAuthority.Identity kubelet = authority.issueServer("process-kubelet");
    write("kubelet.crt", kubelet.certificatePem());
    write("kubelet.key", kubelet.privateKeyPem());
    write(
        "service-account.key",
        CertificateAuthority.pem("PRIVATE KEY", serviceAccount.getPrivate().getEncoded()));
    write(
        "service-account.pub",
        CertificateAuthority.pem("PUBLIC KEY", serviceAccount.getPublic().getEncoded()));
  }

  /** Serves with a certificate of that authority; a running server reloads it within 1 min. */
  void serveCertificateOf(CertificateAuthority issuer) {
    CertificateAuthority.Identity server = issuer.issueServer("kube-apiserver");
    write("server.crt", server.certificatePem());
    write("server.key", server.privateKeyPem());
  }

  void write(String file, String content) {
    try {
      Files.writeString(folder.resolve(file), content);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + " into " + folder, e);
    }
  }

  private static Path newFolder() {
    try {
      return Files.createTempDirectory("clientgo-envtest-");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a temporary folder", e);
    }
  }

  /** Builds and starts a {@link KubeApiServer}. Not safe for use by many threads. */
  public static final class Builder {
    private final List<String> flags = new ArrayList<>();
    private Clock clock = Clock.system();
    private @Nullable Path assets;
    private List<String> required = List.of();
    private boolean guarded;

    // The plugin would reject every pod until a controller has created its account.
    private List<String> disabledAdmission = List.of("ServiceAccount");

    private Builder() {}

    /** Sets the folder of the binaries. */
    public Builder assets(Path folder) {
      this.assets = requireNonNull(folder, "folder");
      return this;
    }

    /** Adds a flag of kube-apiserver, such as {@code --max-requests-inflight=0}. */
    public Builder flag(String flag) {
      flags.add(requireNonNull(flag, "flag"));
      return this;
    }

    /** Sets the clock that the start-up waits by. */
    public Builder clock(Clock clock) {
      this.clock = requireNonNull(clock, "clock");
      return this;
    }

    /** Lets no process outlive this JVM, where the program for that is installed. */
    Builder guarded() {
      guarded = true;
      return this;
    }

    /** Names other binaries that the folder must have. */
    Builder require(List<String> names) {
      required = List.copyOf(names);
      return this;
    }

    /** Sets the admission plugins that are off. */
    Builder disabledAdmission(List<String> plugins) {
      disabledAdmission = List.copyOf(plugins);
      return this;
    }

    /**
     * Starts the server and waits until it is ready, which takes a few seconds.
     *
     * @throws dev.clientgo.apimachinery.errors.ConfigException if the binaries are missing
     * @throws IllegalStateException if the server does not become ready
     * @throws InterruptedException if the thread is interrupted
     */
    public KubeApiServer start() throws InterruptedException {
      for (int attempt = 1; ; attempt++) {
        KubeApiServer server = new KubeApiServer(this);
        try {
          server.startAll();
          return server;
        } catch (IllegalStateException e) {
          server.close();
          // Where a port cannot be reserved while it is released, another process may have taken
          // it.
          if (attempt == START_ATTEMPTS || !String.valueOf(e.getMessage()).contains("in use")) {
            throw e;
          }
        } catch (InterruptedException e) {
          server.close();
          throw e;
        }
      }
    }
  }
}
