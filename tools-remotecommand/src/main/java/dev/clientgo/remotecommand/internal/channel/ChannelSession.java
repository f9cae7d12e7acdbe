package dev.clientgo.remotecommand.internal.channel;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.errors.TransportException.Kind;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.remotecommand.internal.websocket.WebSocket;
import dev.clientgo.remotecommand.internal.websocket.WebSocketSession;
import dev.clientgo.rest.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Threads. The reader reads the connection ahead, into a buffer. The receiver reads that and writes
 * to the sinks of the caller. If a sink is full, it waits, the buffer and those of TCP fill, and the
 * server stops the command. The heartbeat writes pings. Threads of the caller write input and wait
 * for the end. When the receiver ends, it closes the connection, which wakes all others.
 */

/**
 * A command of a pod: its streams, which share one WebSocket, and its end. The first byte of each
 * message names the stream.
 *
 * <p>The session ends when the server has sent the status of the command and nothing follows, or
 * when the connection breaks. Safe for use by many threads.
 */
public final class ChannelSession extends WebSocketSession<Outcome> {

  private static final Logger LOG = System.getLogger(ChannelSession.class.getName());

  private static final int STDIN = 0;
  private static final int STDOUT = 1;
  private static final int STDERR = 2;
  private static final int ERROR = 3;
  private static final int RESIZE = 4;

  /** Ends the channel that the next byte names; only in v5. */
  private static final int END = 255;

  /** The length of an input that a message ends. */
  public static final long ENDED = -1;

  private static final String V5 = "v5.channel.k8s.io";
  private static final String V4 = "v4.channel.k8s.io";

  /** Only v5 can end the input. */
  private static final List<String> ENDS_INPUT = List.of(V5, V4);

  /**
   * Kubernetes translates v5 on its way to the container runtime, and up to 1.36 the translator
   * reports success also if its connection to the runtime broke. It breaks it itself, by its ping
   * every 5 s, if the command has ended and its output is still on the way. v4 passes through: a
   * status is that of the runtime, and all output is before it.
   */
  private static final List<String> TELLS_TRUTH = List.of(V4);

  /**
   * The most output at the end of a command that its success in v5 vouches for. That much has left
   * the container runtime at once, so no broken connection can hold it back.
   */
  public static final long SURE = 32 * 1024;

  /** If nothing arrives for this time, nothing was on the way. */
  private static final Duration STILL = Duration.ofSeconds(1);

  /** The most bytes of a message to the server, as in client-go. */
  private static final int MAX_MESSAGE = 32 * 1024;

  /** A record of TLS has as many bytes at most, and a read returns the rest of one record. */
  private static final int RECORD = 16 * 1024;

  /** The most columns or rows of a terminal. */
  private static final int MAX_SIZE = 0xffff;

  /** The most bytes of a status. */
  private static final int MAX_STATUS = 1 << 20;

  private static final ThreadFactory RECEIVERS = DaemonThreads.named("client-go-remotecommand-");

  private final boolean countsInput;
  private final AtomicLong inputLeft;
  private final BoundedPipe ahead;

  private ChannelSession(WebSocket socket, long inputLength, int readAhead, Clock clock) {
    super(socket, clock);
    this.countsInput = inputLength != ENDED;
    this.inputLeft = new AtomicLong(countsInput ? inputLength : Long.MAX_VALUE);
    this.ahead = new BoundedPipe(clock, readAhead);
  }

  /**
   * Opens the session, which does not receive yet.
   *
   * @param inputLength how many bytes of input the command waits for, {@link #ENDED} for its end
   * @param readAhead how many bytes of the server to hold for a slow receiver
   */
  public static ChannelSession open(Request request, long inputLength, int readAhead, Clock clock)
      throws InterruptedException {
    List<String> protocols = inputLength == ENDED ? ENDS_INPUT : TELLS_TRUTH;
    WebSocket socket = WebSocket.open(request, protocols);
    return new ChannelSession(socket, inputLength, readAhead, clock);
  }

  /**
   * Starts to receive, in a separate thread.
   *
   * @param sure the most output at the end that need not be confirmed
   * @param onEnd called last, when nothing more is written to the sinks
   */
  public void start(OutputStream stdout, OutputStream stderr, long sure, Consumer<Outcome> onEnd) {
    Demultiplexer streams = new Demultiplexer(stdout, stderr, sure);
    InputStream connected = socket.receiveFrom(ahead);
    RECEIVERS.newThread(() -> readAhead(connected)).start();
    start(RECEIVERS.newThread(() -> receive(streams, onEnd)), socket::ping);
  }

  private void readAhead(InputStream connected) {
    try {
      byte[] record = new byte[RECORD];
      for (int read; (read = connected.read(record)) >= 0; ) {
        ahead.writer().write(record, 0, read);
      }
      ahead.end(null);
    } catch (Throwable e) {
      ahead.end(e); // The receiver reports it; an OutOfMemoryError, too.
    }
  }

  /** Closes the connection, and discards what has arrived. */
  @Override
  protected void disconnect() {
    super.disconnect();
    ahead.close();
  }

  private void receive(Demultiplexer streams, Consumer<Outcome> onEnd) {
    Outcome result = Outcome.failed(lost("the receiver has failed", null));
    try {
      result = outcomeOf(streams);
    } finally {
      cut(result);
      onEnd.accept(result);
      reach(result);
    }
  }

  private Outcome outcomeOf(Demultiplexer streams) {
    String reason;
    @Nullable IOException cause = null;
    try {
      WebSocket.Close close = socket.receive(streams);
      reason = "the server has closed the connection" + describe(close);
    } catch (ProtocolException e) {
      reason = "the server breaks the rules of WebSockets: " + e.getMessage();
      cause = e;
    } catch (IOException e) {
      reason = "the connection broke";
      cause = e;
    }
    Outcome known = ending();
    if (streams.failure != null) {
      return known != null ? known : Outcome.failedAtCaller(streams.failure);
    }
    if (streams.status.size() > 0 && !(cause instanceof ProtocolException)) {
      Outcome told = Outcome.of(socket.toString(), streams.status.toByteArray());
      if (cause == null || !(told.failure() instanceof CodecException)) {
        return told.exitCode() == 0 && streams.burst > streams.sure && !confirmsOutput()
            ? Outcome.failed(unconfirmed())
            : told;
      }
      reason = "the connection broke within the status"; // Only a part of it has arrived.
    }
    return known != null ? known : Outcome.failed(lost(reason, cause));
  }

  private static String describe(WebSocket.Close close) {
    return " (" + close.code() + (close.reason().isEmpty() ? "" : " " + close.reason()) + ")";
  }

  /** Returns whether all output has arrived when the server reports an exit code. */
  public boolean confirmsOutput() {
    return socket.protocol().equals(V4);
  }

  private TransportException unconfirmed() {
    return new TransportException(
        Kind.OTHER,
        socket
            + ": the server reports success, but whether the output is complete is not known: in"
            + " v5.channel.k8s.io it reports success also if it has lost output and the exit code."
            + " Run the command without input, or set withInputLength, or accept it by"
            + " withUnconfirmedOutput",
        null);
  }

  private TransportException lost(String reason, @Nullable Throwable cause) {
    return failure(Kind.CONNECTION_LOST, reason, cause);
  }

  private TransportException failure(Kind kind, String reason, @Nullable Throwable cause) {
    return new TransportException(
        kind,
        socket + ": the end of the command is not known, and it may still run, because " + reason,
        cause);
  }

  @Override
  protected Outcome failed(Kind kind, String reason) {
    return Outcome.failed(failure(kind, reason, null));
  }

  /** Ends the session because a stream of the caller has failed, and returns its error. */
  public IOException failed(Throwable callerFailure) {
    IOException failure = ofCaller(callerFailure);
    cut(Outcome.failedAtCaller(failure));
    return failure;
  }

  private static IOException ofCaller(Throwable failure) {
    return failure instanceof IOException known
        ? known
        : new IOException(
            "a stream of the caller has failed: " + CrashLog.text(failure),
            CrashLog.printable(failure));
  }

  /** Ends the session because the time of the caller is up, and returns how it ended. */
  public Outcome expire(Duration timeout) {
    return cut(failed(Kind.TIMEOUT, "it has not ended within " + timeout));
  }

  /** Sends input to the command; waits while the command does not read it. */
  public void sendInput(byte[] bytes, int offset, int length) throws IOException {
    if (inputLeft.addAndGet(-length) < 0) {
      throw failed(new IOException(socket + ": the input is longer than withInputLength says"));
    }
    for (int sent = 0; sent < length; ) {
      int piece = Math.min(MAX_MESSAGE, length - sent);
      send(STDIN, bytes, offset + sent, piece);
      sent += piece;
    }
  }

  /**
   * Ends the input of the command. If the connection is broken, the outcome shows it.
   *
   * @throws IOException if the server's protocol cannot do that
   */
  public void endInput() throws IOException {
    if (!canEndInput()) {
      throw new IOException(cannotEndInput());
    }
    if (countsInput) {
      if (inputLeft.get() > 0) {
        throw failed(new IOException(socket + ": the input is shorter than withInputLength says"));
      }
      return;
    }
    try {
      send(END, new byte[] {STDIN}, 0, 1);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "The command has ended before its input", e);
    }
  }

  /** Returns whether the server's protocol can end the input of the command. */
  public boolean canEndInput() {
    return countsInput || socket.protocol().equals(V5);
  }

  /** Returns why the input cannot be ended. */
  public String cannotEndInput() {
    return socket
        + ": the server speaks "
        + socket.protocol()
        + ", in which input has no end; set withInputLength, or use Kubernetes 1.30 or later with "
        + V5;
  }

  /**
   * Returns the number of columns or rows of a terminal.
   *
   * @throws IllegalArgumentException if it is not from 1 to 65535
   */
  public static int checkSize(int size) {
    if (size < 1 || size > MAX_SIZE) {
      throw new IllegalArgumentException("a terminal cannot have this size: " + size);
    }
    return size;
  }

  /** Sends the size of the terminal to the command. */
  public void resize(int columns, int rows) throws IOException {
    // Not formatted: where people write other digits, that would not be JSON.
    String size = "{\"Width\":" + checkSize(columns) + ",\"Height\":" + checkSize(rows) + "}";
    byte[] json = size.getBytes(UTF_8);
    send(RESIZE, json, 0, json.length);
  }

  private void send(int channel, byte[] bytes, int offset, int length) throws IOException {
    try {
      socket.send(new byte[] {(byte) channel}, bytes, offset, length);
    } catch (InterruptedIOException e) {
      fail(Kind.OTHER, "a thread was interrupted while it sent input");
      throw e;
    } catch (IOException e) {
      throw ending() == null ? e : new IOException(socket + ": the command has ended", e);
    }
  }

  /** Splits messages by their first byte. */
  private final class Demultiplexer extends Receiver {
    private final OutputStream stdout;
    private final OutputStream stderr;
    private final long sure;
    private final ByteArrayOutputStream status = new ByteArrayOutputStream();
    private @Nullable IOException failure;
    private int channel;

    /** How many bytes of output have arrived since the server was still. */
    private long burst;

    private long receivedAt = clock.nanoTime();

    Demultiplexer(OutputStream stdout, OutputStream stderr, long sure) {
      this.stdout = stdout;
      this.stderr = stderr;
      this.sure = sure;
    }

    @Override
    public void received(boolean first, byte[] bytes, int offset, int length) throws IOException {
      heartbeat.receiving(false);
      if (clock.nanoTime() - receivedAt > STILL.toNanos()) {
        burst = 0;
      }
      if (first) {
        channel = bytes[offset] & 0xff;
        write(bytes, offset + 1, length - 1);
      } else {
        write(bytes, offset, length);
      }
      receivedAt = clock.nanoTime();
      heartbeat.receiving(true);
    }

    /** As in client-go, other channels are ignored. */
    private void write(byte[] bytes, int offset, int length) throws IOException {
      switch (channel) {
        case STDOUT -> pass(stdout, bytes, offset, length);
        case STDERR -> pass(stderr, bytes, offset, length);
        case ERROR -> {
          if (status.size() + length > MAX_STATUS) {
            throw new ProtocolException("the status is longer than " + MAX_STATUS + " bytes");
          }
          status.write(bytes, offset, length);
        }
        default -> {}
      }
    }

    private void pass(OutputStream sink, byte[] bytes, int offset, int length) throws IOException {
      if (length == 0) {
        return; // A server begins with an empty message.
      }
      burst += length;
      try {
        sink.write(bytes, offset, length);
        sink.flush();
      } catch (Throwable e) {
        failure = ofCaller(e);
        throw failure;
      }
    }
  }
}
