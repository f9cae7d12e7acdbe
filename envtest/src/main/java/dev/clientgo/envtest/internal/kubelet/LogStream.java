package dev.clientgo.envtest.internal.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.envtest.internal.http.Response;
import dev.clientgo.envtest.kubelet.ContainerLog;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Optional;

/** A log as the body of a response, which grows while a client follows it. */
final class LogStream implements Response.Stream {

  private static final DateTimeFormatter NANOSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final ContainerLog.Reader log;
  private final LogOptions options;
  private final boolean follow;

  private LogStream(ContainerLog.Reader log, LogOptions options, boolean follow) {
    this.log = log;
    this.options = options;
    this.follow = follow;
  }

  /**
   * Returns the response with a log.
   *
   * @param follow whether to wait for more lines
   * @throws ApiStatusException if there was no previous container
   */
  static Response response(
      ContainerLog log, LogOptions options, String pod, String container, boolean follow) {
    ContainerLog.Reader reader =
        options.previous()
            ? log.previousReader()
                .orElseThrow(
                    () ->
                        refused(
                            "previous terminated container \"%s\" in pod \"%s\" not found"
                                .formatted(container, pod)))
            : log.reader();
    return Response.of(200, "text/plain", new LogStream(reader, options, follow));
  }

  /** Returns the error of a kubelet, whose text is passed on. */
  static ApiStatusException refused(String text) {
    return ApiStatusException.badRequest(text);
  }

  @Override
  public void writeTo(Response.Sink sink) throws IOException, InterruptedException {
    sink.flush(); // The headers go out before the first line.
    int present = log.lines().size();
    int index = options.tail() == null ? 0 : (int) Math.max(0, present - options.tail());
    long left = options.limit() == null ? Long.MAX_VALUE : options.limit();
    while (left > 0 && (follow || index < present)) {
      Optional<ContainerLog.Entry> line = log.await(index++);
      if (line.isEmpty()) {
        break;
      }
      if (options.wants(line.get())) {
        byte[] bytes = bytes(line.get());
        int sent = (int) Math.min(left, bytes.length);
        sink.write(sent < bytes.length ? Arrays.copyOf(bytes, sent) : bytes);
        left -= sent;
        if (index >= present) {
          sink.flush();
        }
      }
    }
    sink.flush();
  }

  private byte[] bytes(ContainerLog.Entry line) {
    String time = options.timestamps() ? NANOSECONDS.format(line.time()) + " " : "";
    return (time + line.text() + "\n").getBytes(UTF_8);
  }

  @Override
  public void stop() {
    log.close();
  }
}
