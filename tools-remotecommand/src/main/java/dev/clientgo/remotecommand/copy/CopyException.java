package dev.clientgo.remotecommand.copy;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Files could not be copied: {@code tar} has failed in the container or is not there, or it sent an
 * archive that this program does not unpack.
 */
public final class CopyException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private static final int UNKNOWN = -1;

  private final int exitCode;

  CopyException(String message, @Nullable Throwable cause) {
    this(message, UNKNOWN, cause);
  }

  CopyException(String message, int exitCode, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /**
   * Returns the exit code of the command in the container that has failed; empty if none is the
   * reason. The message has the end of its error output.
   */
  public OptionalInt exitCode() {
    return exitCode == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(exitCode);
  }
}
