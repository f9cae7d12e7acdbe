package dev.clientgo.cache;

import dev.clientgo.cache.InformerShard.FilteredBy;
import dev.clientgo.cache.internal.reflector.ReflectorHealth;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The health of an informer at one moment:
 *
 * <ul>
 *   <li>{@link #lastError} explains why it is not synced.
 *   <li>{@link #omitted} lists the objects that are missing from the cache.
 *   <li>The server sends a bookmark about every minute. If {@link #lastEvent} is a few minutes old,
 *       no events arrive any more.
 *   <li>If {@link Handler#backlog} grows, the handler is too slow.
 * </ul>
 *
 * <p>Immutable.
 */
public final class InformerHealth {

  /**
   * The health of one handler.
   *
   * @param name the name of the handler
   * @param backlog how many notifications wait for it
   * @param failures how many of its calls threw
   * @param hasSynced whether it has processed the whole first list; it never will if it threw for
   *     one of these objects
   */
  public record Handler(String name, int backlog, long failures, boolean hasSynced) {}

  private final ReflectorState state;
  private final boolean hasSynced;
  private final String storeResourceVersion;
  private final @Nullable Instant lastList;
  private final @Nullable Instant lastEvent;
  private final @Nullable RuntimeException lastError;
  private final @Nullable Instant lastErrorTime;
  private final OmittedObjects omitted;
  private final List<Handler> handlers;
  private final @Nullable InformerShard shard;

  InformerHealth(
      ReflectorState state,
      ReflectorHealth health,
      InformerShard shard,
      OmittedObjects omitted,
      boolean hasSynced,
      String storeResourceVersion,
      List<Handler> handlers) {
    this.state = state;
    boolean isPart = !shard.selector().isEverything() && !shard.selector().isNothing();
    this.shard = isPart || shard.filteredBy() != FilteredBy.UNKNOWN ? shard : null;
    this.hasSynced = hasSynced;
    this.storeResourceVersion = storeResourceVersion;
    this.lastList = health.lastList();
    this.lastEvent = health.lastEvent();
    this.lastError = health.lastError();
    this.lastErrorTime = health.lastErrorTime();
    this.omitted = omitted;
    this.handlers = List.copyOf(handlers);
  }

  /** Returns the state of the informer's Reflector. */
  public ReflectorState state() {
    return state;
  }

  /** Returns whether the first list is in the cache. */
  public boolean hasSynced() {
    return hasSynced;
  }

  /** Returns the version of the collection that the cache shows; empty before the first list. */
  public String storeResourceVersion() {
    return storeResourceVersion;
  }

  /** Returns the time at which the whole collection was last read. */
  public Optional<Instant> lastList() {
    return Optional.ofNullable(lastList);
  }

  /** Returns the time at which the last event of a watch arrived, bookmarks included. */
  public Optional<Instant> lastEvent() {
    return Optional.ofNullable(lastEvent);
  }

  /**
   * Returns the objects whose newest state is missing from the cache, because they could not be
   * decoded, transformed or indexed. Complete as soon as {@link #hasSynced} is true.
   */
  public OmittedObjects omitted() {
    return omitted;
  }

  /**
   * Returns the last error between the informer and the server, or of an object that was omitted.
   * Its cause may have gone since.
   */
  public Optional<RuntimeException> lastError() {
    return Optional.ofNullable(lastError);
  }

  /** Returns the time of the last error. */
  public Optional<Instant> lastErrorTime() {
    return Optional.ofNullable(lastErrorTime);
  }

  /**
   * Returns which part of the collection the informer follows, and whether the server or the client
   * drops the rest; empty if the informer has always followed all of it, or has no list yet.
   */
  public Optional<InformerShard> shard() {
    return Optional.ofNullable(shard);
  }

  /** Returns the health of each handler, in the order in which they were added. */
  public List<Handler> handlers() {
    return handlers;
  }

  @Override
  public String toString() {
    return "InformerHealth[state=%s, hasSynced=%s, storeResourceVersion=%s, lastList=%s, lastEvent=%s, lastError=%s, lastErrorTime=%s, omitted=%s, handlers=%s%s]"
        .formatted(
            state,
            hasSynced,
            storeResourceVersion,
            lastList,
            lastEvent,
            lastError,
            lastErrorTime,
            omitted,
            handlers,
            shard == null ? "" : ", shard=" + shard);
  }
}
