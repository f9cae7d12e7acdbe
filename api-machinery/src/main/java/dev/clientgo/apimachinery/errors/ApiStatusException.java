package dev.clientgo.apimachinery.errors;

import dev.clientgo.apimachinery.meta.Status;

/** SKELETON: completed by machinery: all is… predicates of 1.8, retryAfter(), factories. */
public final class ApiStatusException extends KubernetesException {
  private static final long serialVersionUID = 1;
  private final transient Status status;

  /** Creates an error from the server's answer. */
  public ApiStatusException(Status status) {
    super(String.valueOf(status.message()), null);
    this.status = status;
  }

  /** Returns the server's answer. */
  public Status status() {
    return status;
  }
}
