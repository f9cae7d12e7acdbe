package dev.clientgo.leaderelection;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A write was refused or cancelled, because the leadership under which it was made has ended.
 *
 * <p>Do not retry it with the same client: a term that has ended never begins again.
 */
public final class LeadershipLostException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private final transient LeaseLock lock;
  private final String identity;
  private final Instant since;
  private final boolean sent;

  LeadershipLostException(
      String request,
      LeaseLock lock,
      String identity,
      Instant since,
      String reason,
      boolean sent,
      @Nullable Throwable cause) {
    super(
        request
            + (sent ? " was cancelled, and the server may have acted on it: " : " was not sent: ")
            + '"'
            + identity
            + "\" has not led by the lease "
            + lock
            + " since "
            + since
            + " ("
            + reason
            + ')',
        cause);
    this.lock = lock;
    this.identity = identity;
    this.since = since;
    this.sent = sent;
  }

  /** Returns the lock whose leader this process was. */
  public LeaseLock lock() {
    return lock;
  }

  /** Returns the identity under which this process led. */
  public String identity() {
    return identity;
  }

  /** Returns when the leadership ended, by the clock of this machine. */
  public Instant since() {
    return since;
  }

  /**
   * Returns whether the request may have reached the server. If so, the server may have acted on it
   * or may still do so; otherwise it never will.
   */
  public boolean mayHaveReachedServer() {
    return sent;
  }
}
