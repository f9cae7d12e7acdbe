package dev.clientgo.leaderelection.shard;

import static java.util.Objects.requireNonNull;

import dev.clientgo.rest.RESTClient;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Work on one object that belongs to this member. The member keeps the object's slot until the work
 * is {@linkplain #close closed}, unless its own Lease is lost.
 *
 * <pre>{@code
 * Optional<ShardWork> begun = group.begin(uid, () -> {});
 * if (begun.isPresent()) {
 *   try (ShardWork work = begun.get()) {
 *     work.fence(client).resource(ConfigMap.TYPE).inNamespace("shop").update(map);
 *   }
 * }
 * }</pre>
 *
 * <p><b>Fencing.</b> The clients of {@link #fence} refuse writes (POST, PUT, PATCH, DELETE, and
 * their retries) with a {@link ShardLostException} as soon as another member could own the slot,
 * and cancel those that wait for a response. Reads are never refused. Safe for use by many threads.
 */
public final class ShardWork implements AutoCloseable {

  private final SlotTerm term;
  private final Runnable onLost;
  private final Consumer<ShardWork> onClose;

  ShardWork(SlotTerm term, Runnable onLost, Consumer<ShardWork> onClose) {
    this.term = term;
    this.onLost = requireNonNull(onLost, "onLost");
    this.onClose = onClose;
  }

  /** Returns the slot of the object. */
  public int slot() {
    return term.slot;
  }

  /**
   * Returns a client that can write only while this member owns the object. It shares everything
   * else with the given client; its own {@code close()} does nothing.
   */
  public RESTClient fence(RESTClient client) {
    return term.fence.fence(client);
  }

  /** Returns whether this member no longer owns the object, so that writes are refused. */
  public boolean isOver() {
    return term.fence.isOver();
  }

  /** Returns the time until the deadline as the last renewal has set it; zero if it has passed. */
  public Duration left() {
    return term.fence.left();
  }

  /**
   * Returns if this member owns the object; for actions other than requests.
   *
   * @throws ShardLostException if it does not
   */
  public void check() {
    term.fence.check();
  }

  SlotTerm term() {
    return term;
  }

  /** Runs the action of the caller that has begun the work. */
  void lost() {
    onLost.run();
  }

  /** Ends the work. Does nothing the second time. */
  @Override
  public void close() {
    onClose.accept(this);
  }
}
