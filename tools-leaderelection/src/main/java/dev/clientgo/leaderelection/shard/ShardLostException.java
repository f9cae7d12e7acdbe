package dev.clientgo.leaderelection.shard;

import dev.clientgo.apimachinery.errors.KubernetesException;
import dev.clientgo.leaderelection.LeaseLock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A write was refused or cancelled, because its object no longer belongs to this member of the
 * group. Do not retry it: the member that owns the object now does the work.
 */
public final class ShardLostException extends KubernetesException {

  private static final long serialVersionUID = 1;

  private final transient LeaseLock group;
  private final Instant since;
  private final boolean sent;

  ShardLostException(
      String happened,
      ShardSettings settings,
      int slot,
      Instant since,
      String reason,
      boolean sent,
      @Nullable Throwable cause) {
    super(
        happened
            + ": \""
            + settings.identity()
            + "\" has not owned slot "
            + slot
            + " of the shard group "
            + settings.group()
            + " since "
            + since
            + " ("
            + reason
            + ')',
        cause);
    this.group = settings.group();
    this.since = since;
    this.sent = sent;
  }

  /** Returns the group. */
  public LeaseLock group() {
    return group;
  }

  /** Returns when the object was lost, by the clock of this machine. */
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
