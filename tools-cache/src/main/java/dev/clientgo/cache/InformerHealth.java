package dev.clientgo.cache;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an informer is doing, at one moment. What to look at: {@link #lastError} tells why it is not
 * synced; {@link #omitted}, which objects are missing; a {@link #lastEvent} longer ago than a few
 * minutes, that nothing arrives, since the server sends a bookmark about every minute; a growing
 * {@link Handler#backlog}, that a handler is too slow.
 *
 * <p>Immutable.
 */
public final class InformerHealth {

  /**
   * How a handler is doing.
   *
   * @param name the name of the handler
   * @param backlog how many notifications it has not been given yet
   * @param failures how often it threw
   * @param hasSynced whether it knows the whole collection
   */
  public record Handler(String name, int backlog, long failures, boolean hasSynced) {}

  private final Reflector.State state;
  private final boolean hasSynced;
  private final String storeResourceVersion;
  private final @Nullable Instant lastList;
  private final @Nullable Instant lastEvent;
  private final @Nullable RuntimeException lastError;
  private final @Nullable Instant lastErrorTime;
  private final OmittedObjects omitted;
  private final List<Handler> handlers;

  InformerHealth(
      ReflectorHealth health,
      OmittedObjects omitted,
      boolean hasSynced,
      String storeResourceVersion,
      List<Handler> handlers) {
    this.state = health.state;
    this.hasSynced = hasSynced;
    this.storeResourceVersion = storeResourceVersion;
    this.lastList = health.lastList;
    this.lastEvent = health.lastEvent;
    this.lastError = health.lastError;
    this.lastErrorTime = health.lastErrorTime;
    this.omitted = omitted;
    this.handlers = List.copyOf(handlers);
  }

  /** Returns what the informer is doing. */
  public Reflector.State state() {
    return state;
  }

  /** Returns whether the cache has had the whole collection. */
  public boolean hasSynced() {
    return hasSynced;
  }

  /** Returns which version of the collection the cache shows; empty before the first. */
  public String storeResourceVersion() {
    return storeResourceVersion;
  }

  /** Returns when the whole collection was last read. */
  public Optional<Instant> lastList() {
    return Optional.ofNullable(lastList);
  }

  /** Returns when the last event of a watch arrived, bookmarks included. */
  public Optional<Instant> lastEvent() {
    return Optional.ofNullable(lastEvent);
  }

  /**
   * Returns the objects of which the cache does not show the newest state, because they could not
   * be decoded, transformed or indexed. Complete as soon as {@link #hasSynced} is true.
   */
  public OmittedObjects omitted() {
    return omitted;
  }

  /**
   * Returns the last error between the informer and the server, or of an object that was left out.
   * It may be over by now.
   */
  public Optional<RuntimeException> lastError() {
    return Optional.ofNullable(lastError);
  }

  /** Returns when the last error happened. */
  public Optional<Instant> lastErrorTime() {
    return Optional.ofNullable(lastErrorTime);
  }

  /** Returns how each handler is doing, in the order in which they were added. */
  public List<Handler> handlers() {
    return handlers;
  }

  @Override
  public String toString() {
    return "InformerHealth[state=%s, hasSynced=%s, storeResourceVersion=%s, lastList=%s, lastEvent=%s, lastError=%s, lastErrorTime=%s, omitted=%s, handlers=%s]"
        .formatted(
            state,
            hasSynced,
            storeResourceVersion,
            lastList,
            lastEvent,
            lastError,
            lastErrorTime,
            omitted,
            handlers);
  }
}
