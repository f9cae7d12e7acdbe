package dev.clientgo.apimachinery.errors;

import org.jspecify.annotations.Nullable;

/**
 * The client is not configured right: a kubeconfig is missing or malformed, a file that it names
 * cannot be read, settings contradict each other. The message names the file and the field.
 */
public final class ConfigException extends KubernetesException {

  private static final long serialVersionUID = 1;

  /** Creates an error whose message says what is wrong, where, and what to do about it. */
  public ConfigException(String message) {
    this(message, null);
  }

  /** Creates an error with the failure that led to it. */
  public ConfigException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
