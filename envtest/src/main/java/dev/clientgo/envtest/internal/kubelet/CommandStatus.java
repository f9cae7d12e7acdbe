package dev.clientgo.envtest.internal.kubelet;

import dev.clientgo.apimachinery.status.ApiStatusException;
import dev.clientgo.apimachinery.status.Status;
import dev.clientgo.apimachinery.status.StatusCause;
import dev.clientgo.apimachinery.status.StatusDetails;
import dev.clientgo.clock.CrashLog;
import dev.clientgo.envtest.internal.http.Response;
import java.util.List;

/** The ends of commands as a kubelet reports them. */
final class CommandStatus {

  private CommandStatus() {}

  static byte[] exited(int code) {
    if (code == 0) {
      return Response.text(Status.builder().status("Success").build());
    }
    StatusCause cause =
        StatusCause.builder().reason("ExitCode").message(Integer.toString(code & 0xff)).build();
    return Response.text(
        Status.builder()
            .status("Failure")
            .reason("NonZeroExitCode")
            .message("command terminated with non-zero exit code: exit status " + (code & 0xff))
            .details(StatusDetails.builder().causes(List.of(cause)).build())
            .build());
  }

  static byte[] failed(Throwable failure) {
    return Response.text(
        ApiStatusException.internalError("error executing command in container: " + why(failure))
            .status());
  }

  /** Returns the message of an exception of a user, which may be code of the user, too. */
  static String why(Throwable failure) {
    try {
      String message = failure.getMessage();
      return message == null ? CrashLog.text(failure) : message;
    } catch (Throwable e) {
      return CrashLog.text(failure);
    }
  }
}
