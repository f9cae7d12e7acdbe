package dev.clientgo.remotecommand;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.errors.TransportException;
import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.clock.Clock;
import dev.clientgo.clock.DaemonThreads;
import dev.clientgo.remotecommand.internal.channel.ChannelSession;
import dev.clientgo.remotecommand.internal.channel.Outcome;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command to run in a container of a pod, or an attachment to its main process.
 *
 * <pre>{@code
 * CommandResult result = RemoteCommand.exec(client, "default", "web-0", "ls", "-l", "/").run();
 * System.out.println(result.orThrow().text());
 * }</pre>
 *
 * <p>{@link #run()} returns the whole output, {@link #run(InputStream, OutputStream, OutputStream)}
 * connects it with streams, and {@link #start} returns a process with its own streams. The command
 * is not run by a shell: for pipes and variables, run {@code sh -c}.
 *
 * <p>Three ends stay apart. An exit code is a result, and it is 0 only if the server has reported
 * success. {@link ApiStatusException} means that the server refused the request or could not run
 * the command. {@link TransportException} means that the connection broke or the time was up, and
 * the command may have run or still run.
 *
 * <p>The methods {@code with…} return a changed copy. Immutable. Safe for use by many threads, and
 * for any number of runs.
 *
 * <p>Corresponds to client-go's {@code remotecommand.Executor}. Unlike client-go: only WebSockets
 * are spoken, no SPDY.
 */
public final class RemoteCommand {

  /** The most bytes of output that {@link #run()} holds by default: {@value}. */
  public static final int DEFAULT_OUTPUT_LIMIT = 16 << 20;

  /** The most bytes that are read ahead of a slow reader by default: {@value}. */
  public static final int DEFAULT_READ_AHEAD = 32 << 20;

  private static final Logger LOG = System.getLogger(RemoteCommand.class.getName());

  private static final ThreadFactory THREADS =
      DaemonThreads.named("client-go-remotecommand-input-");

  private final RESTClient client;
  private final String subresource;
  private final String namespace;
  private final String pod;
  private final List<String> command;
  private final Options options;

  /** The options of a command; changed only before they belong to one. */
  private static final class Options {
    private @Nullable String container;
    private boolean input;
    private long inputLength = ChannelSession.ENDED;
    private long sure = ChannelSession.SURE;
    private int readAhead = DEFAULT_READ_AHEAD;
    private @Nullable Terminal terminal;
    private Duration timeout = Duration.ZERO;
    private int outputLimit = DEFAULT_OUTPUT_LIMIT;
    private Clock clock = Clock.system();

    Options copy() {
      Options copy = new Options();
      copy.container = container;
      copy.input = input;
      copy.inputLength = inputLength;
      copy.sure = sure;
      copy.readAhead = readAhead;
      copy.terminal = terminal;
      copy.timeout = timeout;
      copy.outputLimit = outputLimit;
      copy.clock = clock;
      return copy;
    }
  }

  private record Terminal(int columns, int rows) {}

  private RemoteCommand(
      RESTClient client,
      String subresource,
      String namespace,
      String pod,
      List<String> command,
      Options options) {
    this.client = requireNonNull(client, "client");
    this.subresource = subresource;
    this.namespace = requireNonNull(namespace, "namespace");
    this.pod = requireNonNull(pod, "pod");
    this.command = List.copyOf(command);
    this.options = options;
  }

  /**
   * Returns a command, as {@code kubectl exec}. It runs in the pod's only container, unless {@link
   * #inContainer} names one.
   *
   * @param command the program and its arguments
   * @throws IllegalArgumentException if there is no program
   */
  public static RemoteCommand exec(
      RESTClient client, String namespace, String pod, String... command) {
    if (command.length == 0) {
      throw new IllegalArgumentException("no command for the pod " + namespace + "/" + pod);
    }
    return of(client, "exec", namespace, pod, List.of(command));
  }

  /** Returns the main process of a container, as {@code kubectl attach}. */
  public static RemoteCommand attach(RESTClient client, String namespace, String pod) {
    return of(client, "attach", namespace, pod, List.of());
  }

  private static RemoteCommand of(
      RESTClient client, String subresource, String namespace, String pod, List<String> command) {
    return new RemoteCommand(client, subresource, namespace, pod, command, new Options());
  }

  private RemoteCommand with(Consumer<Options> change) {
    Options changed = options.copy();
    change.accept(changed);
    return new RemoteCommand(client, subresource, namespace, pod, command, changed);
  }

  /** Chooses the container. */
  public RemoteCommand inContainer(String name) {
    requireNonNull(name, "name");
    return with(changed -> changed.container = name);
  }

  /**
   * Gives the command an input that {@link #start} returns. Runs with an input need no such call.
   */
  public RemoteCommand withInput() {
    return with(changed -> changed.input = true);
  }

  /**
   * Says how long the input is, so that no message has to end it: {@code head} counts it in the
   * container, which needs {@code sh} and {@code head}. Then an exit code of 0 vouches for all
   * output, as without input, and servers before Kubernetes 1.30 can end the input. Another length
   * ends the session with an {@link IOException}. A command that ends earlier counts as ended when
   * all of its input was sent. A terminal, which changes bytes, is refused when the command runs.
   *
   * @throws IllegalArgumentException if it is negative
   * @throws IllegalStateException for {@link #attach}
   */
  public RemoteCommand withInputLength(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("the length of the input is negative: " + bytes);
    }
    if (command.isEmpty()) {
      throw new IllegalStateException("the main process of a container reads its input itself");
    }
    return withInput().with(changed -> changed.inputLength = bytes);
  }

  /**
   * Accepts each success that the server reports of a command with input, as {@code kubectl} does:
   * output may be missing, and the exit code may have been another. By default a success behind
   * more than 32 KiB of output is an error, since Kubernetes does not report what it loses. {@link
   * #withInputLength} avoids the loss. {@link CommandResult#isOutputConfirmed} and {@link
   * RemoteProcess#isOutputConfirmed} tell of it.
   */
  public RemoteCommand withUnconfirmedOutput() {
    return with(changed -> changed.sure = Long.MAX_VALUE);
  }

  /**
   * Limits the output that is fetched and held in memory while its reader is slow; {@value
   * #DEFAULT_READ_AHEAD} bytes by default, 64 KiB at least. More waits at the server, where a pause
   * of minutes after the end of the command can lose it, which is then an error.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RemoteCommand withReadAhead(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("the bytes to read ahead are negative: " + bytes);
    }
    return with(changed -> changed.readAhead = bytes);
  }

  /**
   * Gives the command a terminal. Its output and its error output are then one stream.
   *
   * @throws IllegalArgumentException if a number is not from 1 to 65535
   */
  public RemoteCommand withTerminal(int columns, int rows) {
    Terminal terminal =
        new Terminal(ChannelSession.checkSize(columns), ChannelSession.checkSize(rows));
    return with(changed -> changed.terminal = terminal);
  }

  /**
   * Limits the time until the end of a run; zero, the default, for no limit. If it is up, the
   * session ends with a {@link TransportException} of the kind {@code TIMEOUT}. For {@link #start}
   * only the time to connect counts.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RemoteCommand withTimeout(Duration timeout) {
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("the timeout is negative: " + timeout);
    }
    return with(changed -> changed.timeout = timeout);
  }

  /**
   * Limits the output that {@link #run()} holds in memory, both streams together; {@value
   * #DEFAULT_OUTPUT_LIMIT} bytes by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public RemoteCommand withOutputLimit(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("the output limit is negative: " + bytes);
    }
    return with(changed -> changed.outputLimit = bytes);
  }

  RemoteCommand withClock(Clock clock) {
    return with(changed -> changed.clock = clock);
  }

  /**
   * Starts the command. The caller closes the process.
   *
   * @throws ApiStatusException if the server refuses the request
   * @throws TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public RemoteProcess start() throws InterruptedException {
    ChannelSession session = open(options.input);
    try {
      RemoteProcess process =
          new RemoteProcess(session, options.input, options.terminal != null, options.clock);
      process.receive(options.sure);
      sendSize(session);
      return process;
    } catch (Throwable e) { // Perhaps no thread can be had.
      session.close();
      throw e;
    }
  }

  /**
   * Runs the command without input and returns its output.
   *
   * @throws OutputLimitException if the output is longer than the limit; the command may still run
   * @throws ApiStatusException if the server refuses the request, or could not run the command
   * @throws TransportException if the connection broke before the server has reported the end, or
   *     the time was up
   * @throws InterruptedException if the thread is interrupted; the session then ends
   */
  public CommandResult run() throws InterruptedException {
    return collect(null);
  }

  /**
   * Runs the command with an input and returns its output. That the command ends before it has read
   * all of its input is no error. Otherwise as {@link #run()}.
   *
   * @throws IllegalArgumentException if the input has another length than {@link #withInputLength}
   */
  public CommandResult run(byte[] input) throws InterruptedException {
    if (options.inputLength != ChannelSession.ENDED && options.inputLength != input.length) {
      throw new IllegalArgumentException(
          "the input has " + input.length + " bytes, not " + options.inputLength);
    }
    return collect(new ByteArrayInputStream(input));
  }

  private CommandResult collect(@Nullable InputStream input) throws InterruptedException {
    LimitedOutput memory = new LimitedOutput(options.outputLimit);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream error = new ByteArrayOutputStream();
    try {
      int exitCode = run(input, memory.counting(output), memory.counting(error));
      boolean confirmed = input == null || options.inputLength != ChannelSession.ENDED;
      return new CommandResult(
          toString(), exitCode, output.toByteArray(), error.toByteArray(), confirmed);
    } catch (IOException e) {
      throw new OutputLimitException(toString(), options.outputLimit);
    }
  }

  /** Limits the bytes that several outputs hold together. For one thread. */
  private static final class LimitedOutput {
    private int left;

    LimitedOutput(int limit) {
      this.left = limit;
    }

    /** Returns a stream that throws instead of passing more than the limit. */
    OutputStream counting(OutputStream output) {
      return new OutputStream() {
        @Override
        public void write(int b) throws IOException {
          write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          if (length > left) {
            throw new IOException("the output is too long");
          }
          left -= length;
          output.write(bytes, offset, length);
        }
      };
    }
  }

  /**
   * Runs the command and connects it with streams of the caller, which are not closed. A thread of
   * this library writes to them, and waits as long as they do; so does the command. A second thread
   * reads the input. If the command ends earlier, that thread is interrupted; it runs until its
   * {@code read} returns.
   *
   * @param input null for none
   * @return the exit code
   * @throws IOException if a stream of the caller fails; the session then ends
   * @throws ApiStatusException if the server refuses the request, or could not run the command
   * @throws TransportException if the connection broke before the server has reported the end, or
   *     the time was up
   * @throws InterruptedException if the thread is interrupted; the session then ends
   */
  public int run(@Nullable InputStream input, OutputStream output, OutputStream error)
      throws IOException, InterruptedException {
    requireNonNull(output, "output");
    requireNonNull(error, "error");
    long start = options.clock.nanoTime();
    Thread feeder = null;
    try (ChannelSession session = open(input != null)) {
      if (input != null && !session.canEndInput()) {
        throw new TransportException(TransportException.Kind.OTHER, session.cannotEndInput(), null);
      }
      session.start(output, error, options.sure, outcome -> {});
      sendSize(session);
      if (input != null) {
        feeder = THREADS.newThread(() -> feed(input, session));
        feeder.start();
      }
      return exitCode(await(session, start));
    } finally {
      if (feeder != null) {
        feeder.interrupt();
      }
    }
  }

  private Outcome await(ChannelSession session, long start) throws InterruptedException {
    if (options.timeout.isZero()) {
      return session.await();
    }
    return session
        .await(options.timeout.minusNanos(options.clock.nanoTime() - start))
        .orElseGet(() -> session.expire(options.timeout));
  }

  private static int exitCode(Outcome outcome) throws IOException {
    if (outcome.failure() != null) {
      throw outcome.failure();
    }
    if (outcome.callerFailure() != null) {
      throw outcome.callerFailure();
    }
    return outcome.exitCode();
  }

  private static void feed(InputStream input, ChannelSession session) {
    byte[] buffer = new byte[16 * 1024];
    while (session.end().isEmpty()) {
      int read;
      try {
        read = input.read(buffer);
      } catch (Throwable e) {
        session.failed(e);
        return;
      }
      try {
        if (read < 0) {
          session.endInput();
          return;
        }
        session.sendInput(buffer, 0, read);
      } catch (IOException e) {
        return; // The receiver reports how the session ended.
      }
    }
  }

  private void sendSize(ChannelSession session) {
    if (options.terminal == null) {
      return;
    }
    try {
      session.resize(options.terminal.columns, options.terminal.rows);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "The connection broke at once, which the receiver reports", e);
    }
  }

  private ChannelSession open(boolean input) throws InterruptedException {
    Request request =
        client
            .get()
            .groupVersion(new GroupVersion("", "v1"))
            .namespace(namespace)
            .resource("pods")
            .name(pod)
            .subResource(subresource);
    if (options.container != null) {
      request.param("container", options.container);
    }
    boolean counts = input && options.inputLength != ChannelSession.ENDED;
    if (counts && options.terminal != null) {
      throw new IllegalStateException("a terminal changes the bytes that withInputLength counts");
    }
    if (counts) {
      // Without exec, echo would be that of the shell. With it, "-x" is an option in most shells.
      String exec = command.get(0).startsWith("-") ? "" : "exec ";
      String script = "head -c \"$0\" | " + exec + "\"$@\"";
      List.of("sh", "-c", script, Long.toString(options.inputLength))
          .forEach(word -> request.param("command", word));
    }
    command.forEach(word -> request.param("command", word));
    request.param("stdin", Boolean.toString(input));
    request.param("stdout", "true");
    request.param("stderr", Boolean.toString(options.terminal == null));
    request.param("tty", Boolean.toString(options.terminal != null));
    if (!options.timeout.isZero()) {
      request.timeout(options.timeout);
    }
    try {
      long inputLength = input ? options.inputLength : 0;
      return ChannelSession.open(request, inputLength, options.readAhead, options.clock);
    } catch (ApiStatusException e) {
      throw e.isForbidden() ? withVerbs(e) : e;
    }
  }

  /** With {@code create} alone kubectl succeeds, because it falls back to a POST. */
  private ApiStatusException withVerbs(ApiStatusException e) {
    return new ApiStatusException(
        e.status().toBuilder()
            .message(
                e.getMessage()
                    + ": a WebSocket needs the verbs get and create for pods/"
                    + subresource)
            .build());
  }

  /** Returns the pod and the command. */
  @Override
  public String toString() {
    return subresource
        + " in "
        + namespace
        + "/"
        + pod
        + (command.isEmpty() ? "" : ": " + String.join(" ", command));
  }

  /** A command in a pod wrote more output than its caller would hold in memory. */
  public static final class OutputLimitException extends KubernetesException {

    private static final long serialVersionUID = 1;

    OutputLimitException(String command, int limit) {
      super(
          command
              + ": the output is longer than "
              + limit
              + " bytes; pass streams for it, or set withOutputLimit",
          null);
    }
  }
}
