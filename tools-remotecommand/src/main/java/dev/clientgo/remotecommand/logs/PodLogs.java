package dev.clientgo.remotecommand.logs;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.schema.GroupVersion;
import dev.clientgo.clock.Clock;
import dev.clientgo.rest.RESTClient;
import dev.clientgo.rest.Request;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The log of a container, and the part of it that is wanted.
 *
 * <pre>{@code
 * try (LogLines lines = PodLogs.of(client, "default", "web-0").tail(10).follow().lines()) {
 *   lines.forEach(line -> System.out.println(line.text()));
 * }
 * }</pre>
 *
 * <p>{@link #lines} reads lines, {@link #resumedLines} reads lines and reconnects after a cut, and
 * {@link #open} reads bytes. The other methods return a changed copy. Immutable. Safe for use by
 * many threads, and for any number of reads.
 *
 * <p>Corresponds to {@code PodLogOptions}, and {@code GetLogs} of client-go's typed client.
 */
public final class PodLogs {

  /** The streams of a container. */
  public enum Stream {
    /** Both streams, as they were written. */
    ALL("All"),
    /** The standard output. */
    STDOUT("Stdout"),
    /** The error output. */
    STDERR("Stderr");

    private final String value;

    Stream(String value) {
      this.value = value;
    }
  }

  private static final String SINCE_TIME = "sinceTime";
  private static final String SINCE_SECONDS = "sinceSeconds";
  private static final String TAIL_LINES = "tailLines";
  private static final String LIMIT_BYTES = "limitBytes";
  private static final String CONTAINER = "container";

  private final RESTClient client;
  private final String namespace;
  private final String pod;
  private final Map<String, String> parameters;
  private final Clock clock;

  private PodLogs(
      RESTClient client,
      String namespace,
      String pod,
      Map<String, String> parameters,
      Clock clock) {
    this.client = requireNonNull(client, "client");
    this.namespace = requireNonNull(namespace, "namespace");
    this.pod = requireNonNull(pod, "pod");
    this.parameters = parameters;
    this.clock = clock;
  }

  /** Returns the whole log of the only container of a pod, until now. */
  public static PodLogs of(RESTClient client, String namespace, String pod) {
    return new PodLogs(client, namespace, pod, Map.of(), Clock.system());
  }

  private PodLogs with(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(parameters);
    changed.put(name, value);
    return new PodLogs(client, namespace, pod, changed, clock);
  }

  PodLogs withClock(Clock other) {
    return new PodLogs(client, namespace, pod, parameters, other);
  }

  /** Chooses the container. */
  public PodLogs inContainer(String name) {
    return with(CONTAINER, requireNonNull(name, "name"));
  }

  /** Continues at the end of the log with what the container writes, until it ends. */
  public PodLogs follow() {
    return with("follow", "true");
  }

  /** Reads the log of the instance of the container before the last restart. */
  public PodLogs previous() {
    return with("previous", "true");
  }

  /**
   * Reads only what is not older; whole seconds count.
   *
   * @throws IllegalArgumentException if it is shorter than a second
   * @throws IllegalStateException if a time is set
   */
  public PodLogs since(Duration age) {
    refuse(SINCE_TIME, SINCE_SECONDS);
    return with(SINCE_SECONDS, Long.toString(positive("age in seconds", age.toSeconds())));
  }

  /**
   * Reads only what was written from this second on.
   *
   * @throws IllegalStateException if an age is set
   */
  public PodLogs since(Instant time) {
    refuse(SINCE_SECONDS, SINCE_TIME);
    return with(SINCE_TIME, Instant.ofEpochSecond(time.getEpochSecond()).toString());
  }

  private void refuse(String set, String other) {
    if (parameters.containsKey(set)) {
      throw new IllegalStateException(
          "a server takes one of " + set + " and " + other + ", and " + set + " is set");
    }
  }

  /**
   * Reads only the last lines.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public PodLogs tail(long lines) {
    if (lines < 0) {
      throw new IllegalArgumentException("the number of lines is negative: " + lines);
    }
    return with(TAIL_LINES, Long.toString(lines));
  }

  /**
   * Ends after that many bytes, timestamps included.
   *
   * @throws IllegalArgumentException if the number is not positive
   */
  public PodLogs limitBytes(long bytes) {
    return with(LIMIT_BYTES, Long.toString(positive("number of bytes", bytes)));
  }

  private static long positive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException("the " + name + " is not positive: " + value);
    }
    return value;
  }

  /** Begins each line of {@link #open} with its time. {@link LogLine} always has it. */
  public PodLogs withTimestamps() {
    return with("timestamps", "true");
  }

  /**
   * Reads one stream only. A server needs the feature gate {@code PodLogsQuerySplitStreams}, and
   * refuses {@link #tail} beside it unless the stream is {@link Stream#ALL}.
   */
  public PodLogs stream(Stream stream) {
    return with("stream", stream.value);
  }

  /** Does not let the API server check the certificate of the kubelet. */
  public PodLogs insecureSkipTlsVerifyBackend() {
    return with("insecureSkipTLSVerifyBackend", "true");
  }

  /**
   * Opens the log as bytes. The caller closes the stream.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server responds with an
   *     error
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public InputStream open() throws InterruptedException {
    Request request =
        client
            .get()
            .groupVersion(new GroupVersion("", "v1"))
            .namespace(namespace)
            .resource("pods")
            .name(pod)
            .subResource("log");
    parameters.forEach(request::param);
    return request.stream();
  }

  /**
   * Opens the log as lines. If the connection breaks, {@link LogLines#next} throws. The caller
   * closes the lines.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server responds with an
   *     error
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public LogLines lines() throws InterruptedException {
    return new LogLines(this, Duration.ZERO, clock);
  }

  /**
   * Opens the log as lines. If the connection breaks, {@link LogLines#next} reconnects, after 100
   * ms and then ever longer up to 5 s, and continues at the next line: no line is lost, and none
   * appears twice. What is rotated away or restarted meanwhile is lost, as for {@code kubectl}. The
   * end is believed only if a second request shows nothing more: if the node dies, the API server
   * ends the log as if the container had ended.
   *
   * @param longestOutage how long it tries to reconnect before {@code next} throws the error
   * @throws IllegalArgumentException if the time is not positive
   * @throws IllegalStateException if {@link #limitBytes} is set
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server responds with an
   *     error
   * @throws dev.clientgo.apimachinery.errors.TransportException if it does not respond
   * @throws InterruptedException if the thread is interrupted
   */
  public LogLines resumedLines(Duration longestOutage) throws InterruptedException {
    if (parameters.containsKey(LIMIT_BYTES)) {
      throw new IllegalStateException("a log with limitBytes cannot be resumed");
    }
    if (longestOutage.isZero() || longestOutage.isNegative()) {
      throw new IllegalArgumentException("the longest outage is not positive: " + longestOutage);
    }
    return new LogLines(this, longestOutage, clock);
  }

  /** Returns the same log from a time, which replaces the beginning that the caller has chosen. */
  PodLogs from(Instant time) {
    Map<String, String> rest = new LinkedHashMap<>(parameters);
    rest.remove(TAIL_LINES);
    rest.remove(SINCE_SECONDS);
    rest.put(SINCE_TIME, time.toString());
    return new PodLogs(client, namespace, pod, rest, clock);
  }

  boolean isFollowed() {
    return parameters.containsKey("follow");
  }

  LogLine line(@Nullable Instant time, String line) {
    return new LogLine(
        namespace,
        pod,
        parameters.getOrDefault(CONTAINER, ""),
        time,
        time == null ? line : line.substring(line.indexOf(' ') + 1));
  }

  /** Returns the pod and the container. */
  @Override
  public String toString() {
    return "log of " + namespace + "/" + pod + " " + parameters.getOrDefault(CONTAINER, "");
  }
}
