package dev.clientgo.remotecommand.internal.channel;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.apimachinery.json.JsonReader;
import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusDetails;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a command ended. The exit code comes from the server's status only: without one there is an
 * error.
 *
 * @param exitCode the exit code; meaningless with an error
 * @param failure why there is no exit code
 * @param callerFailure the error of a stream of the caller, which ended the session
 */
public record Outcome(
    int exitCode, @Nullable KubernetesException failure, @Nullable IOException callerFailure) {

  private static final String NON_ZERO = "NonZeroExitCode";

  private static final String EXIT_CODE = "ExitCode";

  static Outcome failed(KubernetesException failure) {
    return new Outcome(-1, failure, null);
  }

  static Outcome failedAtCaller(IOException failure) {
    return new Outcome(-1, null, failure);
  }

  /** Reads the status that the server sent. */
  static Outcome of(String request, byte[] json) {
    Status status;
    try {
      status = JsonReader.fromBytes(Status.CODEC, json);
    } catch (CodecException e) {
      return failed(
          CodecException.malformed(
              request + ": the server has reported the end of the command in an unknown form",
              "",
              -1,
              e));
    }
    if ("Success".equals(status.status())) {
      return new Outcome(0, null, null);
    }
    OptionalInt code = exitCode(status);
    return code.isPresent()
        ? new Outcome(code.getAsInt(), null, null)
        : failed(new ApiStatusException(status));
  }

  /** A failure with the exit code 0 contradicts itself, and is no success. */
  private static OptionalInt exitCode(Status status) {
    List<StatusCause> causes =
        Optional.ofNullable(status.details()).map(StatusDetails::causes).orElse(List.of());
    if (!NON_ZERO.equals(status.reason())) {
      return OptionalInt.empty();
    }
    return causes.stream()
        .filter(cause -> EXIT_CODE.equals(cause.reason()))
        .map(cause -> String.valueOf(cause.message()))
        .filter(code -> code.matches("[0-9]{1,3}"))
        .mapToInt(Integer::parseInt)
        .filter(code -> code > 0 && code <= 255)
        .findFirst();
  }
}
