package dev.clientgo.remotecommand.internal.forward;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.remotecommand.internal.websocket.WebSocket;
import dev.clientgo.remotecommand.internal.websocket.WebSocketSession;
import dev.clientgo.rest.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/*
 * Threads. The receiver reads the WebSocket and writes to the sink of the caller. If the sink is
 * full, it waits, the buffers of TCP fill, and the pod waits. The heartbeat writes pings. Threads
 * of the caller send. When the receiver ends, it closes the WebSocket, which wakes all others.
 */

/**
 * One connection to a port of a pod, in its own WebSocket. So a connection that does not read, or
 * that fails, does not affect the others.
 *
 * <p>The connection ends when the pod ends it, when it fails, or when it is closed. Safe for use by
 * many threads.
 */
public final class ForwardSession extends WebSocketSession<ForwardEnd> {

  private static final Logger LOG = System.getLogger(ForwardSession.class.getName());

  /** The protocols of servers, the best first. */
  public static final List<String> PROTOCOLS = List.of(SpdyProtocol.NAME, ChannelProtocol.NAME);

  /** The most bytes of a message to the server. */
  private static final int MAX_MESSAGE = 32 * 1024;

  /** The most bytes of the text of an error; the rest is dropped. */
  private static final int MAX_ERROR = 16 * 1024;

  /** How long a pod may take to end a connection that this side has left. */
  private static final Duration LINGER = Duration.ofSeconds(5);

  private static final ThreadFactory RECEIVERS = DaemonThreads.named("client-go-portforward-");

  private final Function<String, KubernetesException> toError;
  private final ForwardProtocol protocol;
  private volatile long bytesReceived;
  private volatile boolean hasSent;
  private volatile boolean outputEnded;

  /** When this side has left the connection; null before. */
  private volatile @Nullable Long leftAt;

  private ForwardSession(
      WebSocket socket, int port, Clock clock, Function<String, KubernetesException> toError) {
    super(socket, clock);
    this.toError = toError;
    this.protocol =
        socket.protocol().equals(SpdyProtocol.NAME)
            ? new SpdyProtocol(socket, port, clock)
            : new ChannelProtocol(socket);
  }

  /**
   * Opens the WebSocket. The pod is asked for the connection by {@link #start}; in {@code
   * v4.channel.k8s.io} at once.
   *
   * @param toError makes an error of the text of the node
   * @param protocols the protocols that are offered, the best first
   */
  public static ForwardSession open(
      Request request,
      int port,
      Clock clock,
      Function<String, KubernetesException> toError,
      List<String> protocols)
      throws InterruptedException {
    request.param("ports", Integer.toString(port)); // for v4.channel.k8s.io
    return new ForwardSession(WebSocket.open(request, protocols), port, clock, toError);
  }

  /**
   * Starts to receive, in a separate thread.
   *
   * @param sink receives the bytes of the pod; it is not closed
   * @param onEnd called last in that thread; {@link #close} interrupts it
   */
  public void start(OutputStream sink, Consumer<ForwardEnd> onEnd) {
    start(RECEIVERS.newThread(() -> receive(new Demultiplexer(sink), onEnd)), this::ping);
  }

  private void receive(Demultiplexer streams, Consumer<ForwardEnd> onEnd) {
    ForwardEnd result = ForwardEnd.failed(lost("the receiver has failed", null));
    try {
      protocol.open();
      result = endOf(streams);
    } catch (IOException e) {
      result = known(ForwardEnd.failed(lost("it broke at once", e)));
    } finally {
      cut(result);
      if (protocol instanceof SpdyProtocol spdy) {
        spdy.accept();
      }
      reach(result);
      onEnd.accept(result);
    }
  }

  private ForwardEnd endOf(Demultiplexer streams) {
    try {
      WebSocket.Close close = socket.receive(streams);
      boolean complete =
          streams.dataEnded || (protocol.endsWithWebSocket() && close.code() == WebSocket.NORMAL);
      return streams
          .errorEnd(complete)
          .orElseGet(
              () ->
                  known(
                      complete
                          ? ForwardEnd.BY_THE_POD
                          : ForwardEnd.failed(lost(closed(close), null))));
    } catch (ProtocolException e) {
      return known(
          ForwardEnd.failed(failure(Kind.OTHER, "the server breaks the rules of the protocol", e)));
    } catch (IOException e) {
      if (streams.failure != null) {
        return known(ForwardEnd.failedAtCaller(streams.failure));
      }
      return streams
          .errorEnd(streams.dataEnded)
          .orElseGet(
              () ->
                  known(
                      streams.dataEnded
                          ? ForwardEnd.BY_THE_POD
                          : ForwardEnd.failed(lost("the connection to the server broke", e))));
    }
  }

  private ForwardEnd known(ForwardEnd found) {
    ForwardEnd first = ending();
    return first == null ? found : first;
  }

  private static String closed(WebSocket.Close close) {
    return "the server has closed it ("
        + close.code()
        + (close.reason().isEmpty() ? "" : " " + close.reason())
        + ")";
  }

  private TransportException lost(String reason, @Nullable Throwable cause) {
    return failure(Kind.CONNECTION_LOST, reason, cause);
  }

  private TransportException failure(Kind kind, String reason, @Nullable Throwable cause) {
    return new TransportException(
        kind,
        socket
            + ": the forwarded connection has ended, and bytes may be missing, because "
            + reason
            + (cause == null || cause.getMessage() == null ? "" : ": " + cause.getMessage()),
        cause);
  }

  @Override
  protected ForwardEnd failed(Kind kind, String reason) {
    return ForwardEnd.failed(failure(kind, reason, null));
  }

  /** Ends the connection because the caller cannot continue. Does nothing if it has ended. */
  public void fail(IOException callerFailure) {
    cut(ForwardEnd.failedAtCaller(callerFailure));
  }

  /**
   * Waits until the connection has ended, or the pod has sent nothing for some time.
   *
   * @return whether it has ended
   */
  public boolean awaitEndOrSilence(Duration silence) throws InterruptedException {
    while (true) {
      long before = bytesReceived;
      if (await(silence).isPresent()) {
        return true;
      } else if (bytesReceived == before) {
        return false;
      }
    }
  }

  /**
   * Sends bytes to the pod; waits while the server does not read them.
   *
   * @throws IOException if the connection has ended
   */
  public void send(byte[] bytes, int offset, int length) throws IOException {
    hasSent = true;
    try {
      for (int sent = 0; sent < length; ) {
        int piece = Math.min(MAX_MESSAGE, length - sent);
        protocol.send(bytes, offset + sent, piece);
        sent += piece;
      }
    } catch (InterruptedIOException e) {
      fail(Kind.OTHER, "a thread was interrupted while it sent");
      throw e;
    } catch (IOException e) {
      throw whyNotSent(e);
    }
  }

  private IOException whyNotSent(IOException e) {
    ForwardEnd known = ending();
    Exception error = known == null ? null : known.error();
    if (known == null) {
      return e;
    }
    return error == null
        ? new IOException(socket + ": the pod has ended the connection", e)
        : new IOException(error.getMessage(), error);
  }

  /** Returns whether the server's protocol can tell the pod that nothing follows. */
  public boolean canEndOutput() {
    return protocol.canEndOutput();
  }

  /**
   * Signals to the pod that nothing follows. Does nothing if the connection has ended.
   *
   * @throws IOException if the server's protocol cannot do that
   */
  public void endOutput() throws IOException {
    if (!protocol.canEndOutput()) {
      throw new IOException(
          socket
              + ": the server speaks "
              + socket.protocol()
              + ", which cannot end one direction of a connection; Kubernetes 1.31 and later speak "
              + SpdyProtocol.NAME);
    }
    if (end().isPresent()) {
      return;
    }
    outputEnded = true;
    try {
      protocol.endOutput();
    } catch (InterruptedIOException e) {
      fail(Kind.OTHER, "a thread was interrupted while it sent");
      throw e;
    } catch (IOException e) {
      throw whyNotSent(e);
    }
  }

  /**
   * Leaves the connection: the pod gets what was sent, and what it sends is discarded. Returns at
   * once. If the pod does not end the connection within 5 to 10 s, it is closed.
   */
  public void leave() {
    if (!hasSent || end().isPresent()) {
      close();
      return;
    }
    leftAt = clock.nanoTime();
    try {
      if (outputEnded || protocol.leave()) {
        endWith(failed(Kind.CLIENT_CLOSED, "this program has closed the connection"));
        return;
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "The connection broke, and the receiver reports it", e);
    }
    close();
  }

  /** Sends a ping; ends the connection if this side has left it and the pod does not end it. */
  private boolean ping() throws IOException {
    Long left = leftAt;
    if (left != null && clock.nanoTime() - left >= LINGER.toNanos()) {
      socket.close();
      return false;
    }
    return protocol.ping();
  }

  /** Passes the parts of the connection on, in the thread of the receiver. */
  private final class Demultiplexer extends Receiver implements ForwardProtocol.Receiver {
    private final OutputStream sink;
    private final ByteArrayOutputStream error = new ByteArrayOutputStream();
    private @Nullable IOException failure;
    private @Nullable String resetReason;
    private boolean dataEnded;
    private boolean errorEnded;

    Demultiplexer(OutputStream sink) {
      this.sink = sink;
    }

    @Override
    public void received(boolean first, byte[] bytes, int offset, int length) throws IOException {
      heartbeat.receiving(false);
      protocol.received(first, bytes, offset, length, this);
      if (errorEnded && (dataEnded || resetReason != null)) {
        cut(errorEnd(dataEnded).orElse(ForwardEnd.BY_THE_POD)); // The server waits for this.
      }
      heartbeat.receiving(true);
    }

    /** Returns the error that the node has sent. */
    Optional<ForwardEnd> errorEnd(boolean complete) {
      if (error.size() > 0) {
        return Optional.of(ForwardEnd.failed(toError.apply(error.toString(UTF_8))));
      }
      return resetReason == null || complete
          ? Optional.empty()
          : Optional.of(ForwardEnd.failed(lost("the node has reset it: " + resetReason, null)));
    }

    @Override
    public void data(byte[] bytes, int offset, int length) throws IOException {
      long count = bytesReceived + length;
      bytesReceived = count;
      try {
        sink.write(bytes, offset, length);
        sink.flush();
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public void dataEnd() {
      dataEnded = true;
    }

    @Override
    public void error(byte[] bytes, int offset, int length) {
      error.write(bytes, offset, Math.min(length, MAX_ERROR - error.size()));
    }

    @Override
    public void errorEnd() {
      errorEnded = true;
    }

    @Override
    public void reset(String reason) {
      if (resetReason == null) {
        resetReason = reason;
      }
    }
  }
}
