package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.apimachinery.schema.GroupKind;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.errors.FieldErrors;
import dev.clientgo.envtest.kubelet.ContainerLog;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a client wants to read a log.
 *
 * @param since the time of the first line, or null
 * @param tail how many of the last lines, or null for all
 * @param limit how many bytes at most, or null
 */
record LogOptions(
    boolean follow,
    boolean previous,
    boolean timestamps,
    String stream,
    @Nullable Instant since,
    @Nullable Long tail,
    @Nullable Long limit) {

  private static final String ALL = "All";

  /**
   * Reads the options.
   *
   * @throws ApiStatusException if they are not valid
   */
  static LogOptions of(ApiRequest request, Clock clock) {
    List<StatusCause> problems = new ArrayList<>();
    Long tail = number(request, "tailLines");
    Long limit = number(request, "limitBytes");
    Long seconds = number(request, "sinceSeconds");
    String sinceTime = request.query("sinceTime");
    String stream = request.query("stream").isEmpty() ? ALL : request.query("stream");
    if (tail != null && tail < 0) {
      problems.add(atLeast("tailLines", tail, "must be greater than or equal to 0"));
    }
    if (limit != null && limit < 1) {
      problems.add(atLeast("limitBytes", limit, "must be greater than 0"));
    }
    if (seconds != null && !sinceTime.isEmpty()) {
      problems.add(
          FieldErrors.forbidden(
              "", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
    } else if (seconds != null && seconds < 1) {
      problems.add(atLeast("sinceSeconds", seconds, "must be greater than 0"));
    }
    if (!List.of(ALL, "Stdout", "Stderr").contains(stream)) {
      problems.add(FieldErrors.notSupported("stream", '"' + stream + '"', ALL, "Stderr", "Stdout"));
    } else if (tail != null && !stream.equals(ALL)) {
      problems.add(
          FieldErrors.forbidden(
              "", "`tailLines` and specific `stream` are mutually exclusive for now"));
    }
    if (!problems.isEmpty()) {
      throw ApiStatusException.invalid(
          new GroupKind("", "PodLogOptions"), request.name(), problems);
    }
    return new LogOptions(
        flag(request, "follow"),
        flag(request, "previous"),
        flag(request, "timestamps"),
        stream,
        seconds != null ? clock.now().minusSeconds(seconds) : time(sinceTime),
        tail,
        limit);
  }

  private static StatusCause atLeast(String field, long value, String problem) {
    return FieldErrors.invalid(field, Long.toString(value), problem);
  }

  private static boolean flag(ApiRequest request, String name) {
    String value = request.query(name);
    return request.query().containsKey(name) && !value.equals("false") && !value.equals("0");
  }

  private static @Nullable Long number(ApiRequest request, String name) {
    String value = request.query(name);
    if (value.isEmpty()) {
      return null;
    }
    try {
      return Long.valueOf(value);
    } catch (NumberFormatException e) {
      throw ApiStatusException.badRequest(
          "strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
    }
  }

  private static @Nullable Instant time(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw ApiStatusException.badRequest(
          "parsing time \"" + text + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse");
    }
  }

  boolean wants(ContainerLog.Entry line) {
    return (since == null || !line.time().isBefore(since))
        && (stream.equals(ALL) || stream.equals(line.error() ? "Stderr" : "Stdout"));
  }
}
