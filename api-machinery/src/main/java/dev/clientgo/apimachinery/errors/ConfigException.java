package dev.clientgo.apimachinery.errors;

import org.jspecify.annotations.Nullable;

/**
 * The configuration of the client is not valid: a kubeconfig is missing or malformed, a file that
 * it names cannot be read, settings contradict each other. The message names the file and the
 * field.
 */
public final class ConfigException extends KubernetesException {

  private static final long serialVersionUID = 1;

  /** Creates an error whose message names the problem, the place and the remedy. */
  public ConfigException(String message) {
    this(message, null);
  }

  /** Creates an error with its cause. */
  public ConfigException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
