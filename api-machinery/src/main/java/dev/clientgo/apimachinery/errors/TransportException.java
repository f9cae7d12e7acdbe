package dev.clientgo.apimachinery.errors;

import org.jspecify.annotations.Nullable;

/**
 * The server could not be reached, or the connection broke before the response was complete. The
 * server may have acted on the request.
 */
public final class TransportException extends KubernetesException {

  private static final long serialVersionUID = 1;

  /** The kinds of failures. */
  public enum Kind {
    /** Nothing listens at the address; the request did not reach a server. */
    CONNECTION_REFUSED,
    /** The host name has no address. */
    UNKNOWN_HOST,
    /** The server's certificate is not trusted, has expired, or is for another name. */
    CERTIFICATE,
    /** A deadline passed. */
    TIMEOUT,
    /** The connection was closed or reset before the response was complete. */
    CONNECTION_LOST,
    /** The program has closed the client, which sends no more requests. */
    CLIENT_CLOSED,
    /** Anything else. */
    OTHER
  }

  private final Kind kind;

  /** Creates an error whose message names the failure, the server and the remedy. */
  public TransportException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns the kind of the failure. */
  public Kind kind() {
    return kind;
  }
}
