package dev.clientgo.apimachinery.errors;

import org.jspecify.annotations.Nullable;

/**
 * The server could not be reached, or the connection broke before the answer was complete. Whether
 * the server acted on the request is not known.
 */
public final class TransportException extends KubernetesException {

  private static final long serialVersionUID = 1;

  /** What went wrong, as far as it can be told apart. */
  public enum Kind {
    /** Nothing listens at the address; the request did not reach a server. */
    CONNECTION_REFUSED,
    /** The host name has no address. */
    UNKNOWN_HOST,
    /** The server's certificate is not trusted, has expired, or is for another name. */
    CERTIFICATE,
    /** A deadline passed. */
    TIMEOUT,
    /** The connection was closed or reset before the answer was complete. */
    CONNECTION_LOST,
    /** The client was closed, by its owner: it will make no request any more. */
    CLIENT_CLOSED,
    /** Anything else. */
    OTHER
  }

  private final Kind kind;

  /** Creates an error whose message says what failed, where, and what to do about it. */
  public TransportException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Returns what went wrong. */
  public Kind kind() {
    return kind;
  }
}
