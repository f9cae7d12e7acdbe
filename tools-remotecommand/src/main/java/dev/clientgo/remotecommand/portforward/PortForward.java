package dev.clientgo.remotecommand.portforward;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.apimachinery.labels.Selector;
import dev.clientgo.clock.Clock;
import dev.clientgo.remotecommand.internal.forward.ForwardSession;
import dev.clientgo.rest.RESTClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A way to the ports of a pod, as {@code kubectl port-forward}.
 *
 * <pre>{@code
 * PortForward web = PortForward.toPod(client, "shop", "web-0");
 * try (PortForwarder forwarder = web.listen("8080:80")) {
 *   … // http://localhost:8080 is the pod
 * }
 * }</pre>
 *
 * <p>{@link #listen} opens local ports, {@link #socketFactory} makes a client, for instance of
 * HTTP, connect without one, and {@link #connect(int)} opens one connection.
 *
 * <p>Each connection travels in its own WebSocket. So connections do not disturb one another, and
 * nothing has to be reopened after a connection, a node or a pod went away: the next connection is
 * a new one.
 *
 * <p>The methods {@code with…} return a changed copy. Immutable. Safe for use by many threads, and
 * for any number of connections.
 *
 * <p>Corresponds to {@code portforward.New} of client-go.
 */
public final class PortForward {

  private final RESTClient client;
  private final PodTarget target;
  private final Options options;

  /** The options of a forward; changed only before they belong to one. */
  private static final class Options {
    private Duration timeout = Duration.ZERO;
    private Duration podWait = Duration.ZERO;
    private List<InetAddress> addresses = List.of();
    private PortForwarder.@Nullable Listener listener;
    private List<String> protocols = ForwardSession.PROTOCOLS;
    private Clock clock = Clock.system();

    Options copy() {
      Options copy = new Options();
      copy.timeout = timeout;
      copy.podWait = podWait;
      copy.addresses = addresses;
      copy.listener = listener;
      copy.protocols = protocols;
      copy.clock = clock;
      return copy;
    }
  }

  private PortForward(RESTClient client, PodTarget target, Options options) {
    this.client = client;
    this.target = target;
    this.options = options;
  }

  /**
   * Returns the way to a pod. For a port with a name, the user needs the verb {@code get} for pods.
   */
  public static PortForward toPod(RESTClient client, String namespace, String pod) {
    requireNonNull(client, "client");
    return new PortForward(client, new OnePod(namespace, pod), new Options());
  }

  /**
   * Returns the way to the pods of a service. A port is that of the service, by its number or its
   * name, and leads to its target port. Each connection goes to the oldest pod that is ready; so
   * while that is ready, all go to the same pod. The user needs the verbs {@code get} for services
   * and {@code list} for pods.
   */
  public static PortForward toService(RESTClient client, String namespace, String service) {
    requireNonNull(client, "client");
    return new PortForward(client, ReadyPods.ofService(namespace, service), new Options());
  }

  /**
   * Returns the way to the pods of a deployment, chosen as by {@link #toService}. The user needs
   * the verbs {@code get} for deployments and {@code list} for pods.
   */
  public static PortForward toDeployment(RESTClient client, String namespace, String deployment) {
    requireNonNull(client, "client");
    return new PortForward(client, ReadyPods.ofDeployment(namespace, deployment), new Options());
  }

  /**
   * Returns the way to the pods that a selector names, chosen as by {@link #toService}. The user
   * needs the verb {@code list} for pods.
   */
  public static PortForward toPods(RESTClient client, String namespace, Selector labels) {
    requireNonNull(client, "client");
    return new PortForward(client, ReadyPods.of(namespace, labels), new Options());
  }

  private PortForward with(Consumer<Options> change) {
    Options changed = options.copy();
    change.accept(changed);
    return new PortForward(client, target, changed);
  }

  /**
   * Limits the time to open a connection; zero, the default, for the limit of the client.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public PortForward withTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("the timeout is negative: " + timeout);
    }
    return with(changed -> changed.timeout = timeout);
  }

  /**
   * Lets each connection, and {@link #listen}, wait until the pod runs, or until a service, a
   * deployment or a selector has a pod that is ready. Zero, the default, does not wait, and leaves
   * the answer to the server. The user also needs the verb {@code get} for a pod. A pod that has
   * ended is an error at once.
   *
   * <p>Corresponds to kubectl's {@code --pod-running-timeout}. Unlike kubectl, which fails if a pod
   * with a name does not run, it also waits for that.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public PortForward withPodRunningTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("the timeout is negative: " + timeout);
    }
    return with(changed -> changed.podWait = timeout);
  }

  /**
   * Chooses the local addresses of {@link #listen}. By default it listens at 127.0.0.1 and at ::1,
   * so that only programs of this machine can connect; one of the two suffices.
   *
   * @throws IllegalArgumentException if there is none
   */
  public PortForward withAddresses(InetAddress... addresses) {
    if (addresses.length == 0) {
      throw new IllegalArgumentException("no address to listen at");
    }
    return with(changed -> changed.addresses = List.of(addresses));
  }

  /** Sets the listener for the connections of {@link #listen}. By default, errors are logged. */
  public PortForward withListener(PortForwarder.Listener listener) {
    requireNonNull(listener, "listener");
    return with(changed -> changed.listener = listener);
  }

  PortForward withClock(Clock clock) {
    return with(changed -> changed.clock = clock);
  }

  PortForward withProtocols(List<String> protocols) {
    return with(changed -> changed.protocols = protocols);
  }

  /**
   * Opens local ports. It returns when they are open and the server has accepted a first request,
   * so that a wrong name or missing rights are an error here.
   *
   * @param ports as {@link ForwardedPort#parse} reads them: {@code 8080:80}, {@code 8080:http},
   *     {@code 80}, or {@code :80}; a name alone, as {@code http}, opens the local port of the
   *     number that it has in the target
   * @throws IllegalArgumentException if a port has another form, or there is none
   * @throws IOException if a local port cannot be opened
   * @throws PortForwardException if the target has no pod that is ready
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server refuses
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public PortForwarder listen(String... ports) throws IOException, InterruptedException {
    List<ForwardedPort> parsed = new ArrayList<>();
    for (String port : ports) {
      parsed.add(
          ForwardedPort.isName(port)
              ? new ForwardedPort(connector().number(port), IntOrString.of(port))
              : ForwardedPort.parse(port));
    }
    return listen(parsed);
  }

  /** Opens local ports; otherwise as {@link #listen(String...)}. */
  public PortForwarder listen(List<ForwardedPort> ports) throws IOException, InterruptedException {
    if (ports.isEmpty()) {
      throw new IllegalArgumentException("no port to forward");
    }
    PortForwarder forwarder =
        PortForwarder.bind(connector(), ports, options.addresses, options.listener);
    try {
      connector().open(ports.get(0).remote()).close();
      forwarder.start();
      return forwarder;
    } catch (Throwable e) {
      forwarder.close();
      throw e;
    }
  }

  /**
   * Opens a connection without a local port. The caller closes the socket.
   *
   * <p>The socket behaves as one of TCP, with these differences. It is open before the node has
   * connected to the pod; if the node cannot, the first read throws an {@link IOException} whose
   * cause is a {@link PortForwardException}. {@code shutdownOutput} throws an {@code IOException}
   * if the server speaks {@code v4.channel.k8s.io}. If a thread is interrupted while it reads, it
   * gets an {@link InterruptedIOException}; while it writes, the connection also ends. Options such
   * as buffer sizes have no effect, apart from the timeout of reads.
   *
   * @throws PortForwardException if the target has no pod that is ready
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server refuses
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public Socket connect(int port) throws InterruptedException {
    ForwardedPort.checkRemote(IntOrString.of(port));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    Socket socket = PodSocket.create(connector());
    try {
      socket.connect(address);
      return socket;
    } catch (InterruptedIOException e) {
      if (!Thread.interrupted()) {
        throw asUnchecked(e);
      }
      InterruptedException interrupted = new InterruptedException("interrupted while connecting");
      interrupted.initCause(e);
      throw interrupted;
    } catch (IOException e) {
      throw asUnchecked(e);
    }
  }

  /**
   * Opens a connection to the port with a name, as a container of the pod or the service calls it;
   * otherwise as {@link #connect(int)}.
   */
  public Socket connect(String port) throws InterruptedException {
    ForwardedPort.checkRemote(IntOrString.of(port));
    return connect(connector().number(port));
  }

  private static KubernetesException asUnchecked(IOException e) {
    if (e.getCause() instanceof KubernetesException cause) {
      return cause;
    }
    throw new IllegalStateException("a socket that connects has only such errors", e);
  }

  /**
   * Returns a factory of sockets that connect to the pod. The port of the address is that of the
   * pod; the host need only have an address. An OkHttp client uses it so, and needs no local port:
   *
   * <pre>{@code
   * OkHttpClient http = new OkHttpClient.Builder().socketFactory(web.socketFactory()).build();
   * http.newCall(new Request.Builder().url("http://localhost:80/").build()).execute();
   * }</pre>
   *
   * <p>The sockets are those of {@link #connect(int)}. Their {@code connect} throws an {@link
   * IOException} whose cause is the error.
   */
  public SocketFactory socketFactory() {
    return new PodSocketFactory(connector());
  }

  PodConnector connector() {
    return new PodConnector(
        client, target, options.timeout, options.podWait, options.protocols, options.clock);
  }

  /** Returns the target. */
  @Override
  public String toString() {
    return connector().toString();
  }
}
