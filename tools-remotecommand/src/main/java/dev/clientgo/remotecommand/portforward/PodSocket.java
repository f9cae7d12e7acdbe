package dev.clientgo.remotecommand.portforward;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.intstr.IntOrString;
import dev.clientgo.remotecommand.internal.channel.BoundedPipe;
import dev.clientgo.remotecommand.internal.forward.ForwardEnd;
import dev.clientgo.remotecommand.internal.forward.ForwardSession;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The part of a {@link Socket} that connects to a port of a pod and carries bytes. */
final class PodSocket extends SocketImpl {

  /** What {@link Socket} asks for; nothing but the timeout of reads has an effect. */
  private static final Map<Integer, Object> DEFAULTS =
      Map.of(
          SocketOptions.SO_TIMEOUT,
          0,
          SocketOptions.TCP_NODELAY,
          true,
          SocketOptions.SO_KEEPALIVE,
          true,
          SocketOptions.SO_LINGER,
          -1,
          SocketOptions.SO_RCVBUF,
          64 * 1024,
          SocketOptions.SO_SNDBUF,
          64 * 1024,
          SocketOptions.SO_REUSEADDR,
          false,
          SocketOptions.SO_OOBINLINE,
          false,
          SocketOptions.IP_TOS,
          0,
          SocketOptions.SO_BINDADDR,
          InetAddress.getLoopbackAddress());

  private final PodConnector connector;
  private final BoundedPipe input;
  private final Map<Integer, Object> settings = new ConcurrentHashMap<>(DEFAULTS);
  private volatile @Nullable ForwardSession session;
  private volatile boolean inputShut;
  private volatile boolean outputShut;
  private volatile boolean closed;

  private PodSocket(PodConnector connector) {
    this.connector = connector;
    this.input = new BoundedPipe(connector.clock());
  }

  /** Returns a socket that is not connected. */
  static Socket create(PodConnector connector) {
    PodSocket pod = new PodSocket(connector);
    try {
      return new Socket(pod) {
        @Override
        public String toString() {
          return "socket, " + pod;
        }
      };
    } catch (SocketException e) {
      throw new IllegalStateException("this constructor opens nothing", e);
    }
  }

  @Override
  protected void create(boolean stream) {}

  @Override
  protected void connect(String host, int port) throws IOException {
    connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
  }

  @Override
  protected void connect(InetAddress address, int port) throws IOException {
    connect(new InetSocketAddress(address, port), 0);
  }

  @Override
  protected void connect(SocketAddress endpoint, int timeout) throws IOException {
    if (!(endpoint instanceof InetSocketAddress target)) {
      throw new SocketException("not an address with a port: " + endpoint);
    }
    address = target.getAddress();
    port = target.getPort();
    Duration limit = timeout > 0 ? Duration.ofMillis(timeout) : connector.timeout();
    try {
      ForwardSession opened = connector.open(IntOrString.of(port), limit);
      session = opened;
      if (closed) {
        opened.close();
        throw new SocketException("the socket is closed");
      }
      try {
        opened.start(input.writer(), this::ended);
      } catch (Throwable e) { // Perhaps no thread can be had.
        opened.close();
        throw e;
      }
    } catch (KubernetesException e) {
      throw toIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private static IOException toIOException(KubernetesException e) {
    boolean timeout =
        e instanceof TransportException transport
            && transport.kind() == TransportException.Kind.TIMEOUT;
    // No ConnectException: OkHttp replaces its message by "Failed to connect to localhost".
    IOException failure =
        timeout ? new SocketTimeoutException(e.getMessage()) : new SocketException(e.getMessage());
    failure.initCause(e);
    return failure;
  }

  private void ended(ForwardEnd end) {
    input.end(end.error());
  }

  private ForwardSession connected() throws SocketException {
    ForwardSession opened = session;
    if (opened == null) {
      throw new SocketException("the socket is not connected");
    }
    return opened;
  }

  @Override
  protected InputStream getInputStream() {
    return new Input();
  }

  @Override
  protected OutputStream getOutputStream() throws SocketException {
    return new Output(connected());
  }

  @Override
  protected int available() {
    return inputShut ? 0 : input.available();
  }

  @Override
  protected void shutdownInput() {
    inputShut = true;
    input.close();
  }

  @Override
  protected void shutdownOutput() throws IOException {
    outputShut = true;
    connected().endOutput();
  }

  @Override
  protected void close() {
    closed = true;
    input.close();
    ForwardSession opened = session;
    if (opened != null) {
      opened.leave();
    }
  }

  @Override
  protected void sendUrgentData(int data) throws SocketException {
    throw new SocketException("a port-forward carries no urgent data");
  }

  @Override
  protected void bind(InetAddress host, int localPort) {
    // The socket has no local address; a program that chooses one for all its sockets still works.
  }

  @Override
  protected void listen(int backlog) throws SocketException {
    throw new SocketException("a port-forward does not listen");
  }

  @Override
  protected void accept(SocketImpl other) throws SocketException {
    throw new SocketException("a port-forward does not accept");
  }

  @Override
  public void setOption(int option, Object value) {
    settings.put(option, value);
    if (option == SocketOptions.SO_TIMEOUT && value instanceof Integer millis) {
      input.setReadTimeout(Duration.ofMillis(millis));
    }
  }

  @Override
  public Object getOption(int option) throws SocketException {
    Object value = settings.get(option);
    if (value == null) {
      throw new SocketException("a port-forward has no option " + option);
    }
    return value;
  }

  /** Returns the target and the port. */
  @Override
  public String toString() {
    return connector + (port == 0 ? "" : ", port " + port);
  }

  private final class Input extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (inputShut) {
        return -1;
      }
      try {
        return input.read(bytes, offset, length);
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        if (inputShut) {
          return -1;
        }
        throw e;
      }
    }

    @Override
    public int available() {
      return PodSocket.this.available();
    }
  }

  private final class Output extends OutputStream {
    private final ForwardSession opened;

    Output(ForwardSession opened) {
      this.opened = opened;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      if (outputShut) {
        throw new SocketException("the output of the socket is shut down");
      }
      opened.send(bytes, offset, length);
    }
  }
}
