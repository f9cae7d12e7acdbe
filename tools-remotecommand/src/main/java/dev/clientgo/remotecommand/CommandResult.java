package dev.clientgo.remotecommand;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.util.OptionalInt;

/** The exit code and the output of a command that has ended. Immutable. */
public final class CommandResult {

  private static final int SIGNALS = 128;

  private final String command;
  private final int exitCode;
  private final byte[] output;
  private final byte[] error;
  private final boolean outputConfirmed;

  CommandResult(
      String command, int exitCode, byte[] output, byte[] error, boolean outputConfirmed) {
    this.command = command;
    this.exitCode = exitCode;
    this.output = output;
    this.error = error;
    this.outputConfirmed = outputConfirmed;
  }

  /** Returns the exit code that the server has reported, 0 to 255. */
  public int exitCode() {
    return exitCode;
  }

  /**
   * Returns the signal that ended the command, by the convention that its exit code is then 128
   * plus the signal. A command can also exit with such a code itself.
   */
  public OptionalInt signal() {
    return exitCode > SIGNALS ? OptionalInt.of(exitCode - SIGNALS) : OptionalInt.empty();
  }

  /**
   * Returns whether all output is known to have arrived; false of a command with input, unless
   * {@link RemoteCommand#withInputLength} is set.
   */
  public boolean isOutputConfirmed() {
    return outputConfirmed;
  }

  /** Returns the standard output, with a terminal also the error output, as UTF-8. */
  public String text() {
    return new String(output, UTF_8);
  }

  /** Returns the error output as UTF-8. */
  public String errorText() {
    return new String(error, UTF_8);
  }

  /** Returns a copy of the standard output. */
  public byte[] bytes() {
    return output.clone();
  }

  /** Returns a copy of the error output. */
  public byte[] errorBytes() {
    return error.clone();
  }

  /**
   * Returns this result if the exit code is 0.
   *
   * @throws ExitCodeException if it is not
   */
  public CommandResult orThrow() {
    if (exitCode != 0) {
      throw new ExitCodeException(command, exitCode, errorText());
    }
    return this;
  }

  /** Returns the exit code and the sizes of the outputs. */
  @Override
  public String toString() {
    return "CommandResult[exitCode=%d, output=%d bytes, error=%d bytes]"
        .formatted(exitCode, output.length, error.length);
  }

  /**
   * A command in a pod ended with another exit code than 0.
   *
   * <p>Corresponds to client-go's {@code exec.CodeExitError}.
   */
  public static final class ExitCodeException extends KubernetesException {

    private static final long serialVersionUID = 1;

    /** The most characters of the error output in the message. */
    private static final int MAX_TEXT = 1000;

    private final int exitCode;

    ExitCodeException(String command, int exitCode, String errorText) {
      super(command + " ended with exit code " + exitCode + end(errorText.strip()), null);
      this.exitCode = exitCode;
    }

    private static String end(String text) {
      if (text.isEmpty()) {
        return "";
      }
      return text.length() > MAX_TEXT
          ? ": …" + text.substring(text.length() - MAX_TEXT)
          : ": " + text;
    }

    /** Returns the exit code, 1 to 255. */
    public int exitCode() {
      return exitCode;
    }
  }
}
