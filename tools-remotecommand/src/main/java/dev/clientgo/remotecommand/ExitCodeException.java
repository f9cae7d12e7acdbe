package dev.clientgo.remotecommand;

import dev.clientgo.apimachinery.errors.KubernetesException;

/**
 * A command in a pod ended with another exit code than 0.
 *
 * <p>Corresponds to client-go's {@code exec.CodeExitError}.
 */
public final class ExitCodeException extends KubernetesException {

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
