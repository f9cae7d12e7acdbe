package dev.clientgo.leaderelection;

import dev.clientgo.apimachinery.errors.KubernetesException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * This process has led, and leads no longer: a write was refused or cancelled for that reason, or a
 * program such as a manager of controllers must end.
 *
 * <p>Do not retry a write with the same client: a term that has ended never begins again.
 */
public final class LeadershipLostException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private final transient LeaseLock lock;
  private final String identity;
  private final Instant since;
  private final boolean sent;

  LeadershipLostException(
      String happened,
      LeaseLock lock,
      String identity,
      Instant since,
      String reason,
      boolean sent,
      @Nullable Throwable cause) {
    super(
        happened
            + ": \""
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

  /** Returns the identity that this process used as leader. */
  public String identity() {
    return identity;
  }

  /** Returns when the leadership ended, by the clock of this machine. */
  public Instant since() {
    return since;
  }

  /**
   * Returns whether the request may have reached the server. If so, the server may have acted on it
   * or may still do so; otherwise it never will, or the error is not about a request.
   */
  public boolean mayHaveReachedServer() {
    return sent;
  }
}
