package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.cache.internal.errors.OmittedTracker;
import dev.clientgo.cache.internal.errors.OmittedTracker.Omission;
import dev.clientgo.cache.internal.reflector.ReflectorHealth;
import dev.clientgo.cache.internal.reflector.ReflectorShard;
import dev.clientgo.clock.CrashLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
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
   * @param problem the last failure, if several came in a row, or how long it has been in one call,
   *     if that is more than five minutes: the handler may do nothing
   */
  public record Handler(
      String name, int backlog, long failures, boolean hasSynced, Optional<String> problem) {}

  private final ReflectorState state;
  private final boolean hasSynced;
  private final String storeResourceVersion;
  private final @Nullable Instant lastList;
  private final @Nullable Instant lastEvent;
  private final @Nullable Instant lastConfirmed;
  private final @Nullable Duration age;
  private final Duration stall;
  private final @Nullable RuntimeException lastError;
  private final @Nullable Instant lastErrorTime;
  private final Omitted omitted;
  private final List<Handler> handlers;
  private final @Nullable Shard shard;

  InformerHealth(
      ReflectorState state,
      ReflectorHealth health,
      Shard shard,
      Omitted omitted,
      boolean hasSynced,
      String storeResourceVersion,
      Duration stall,
      List<Handler> handlers) {
    this.state = state;
    boolean isPart = !shard.selector().isEverything() && !shard.selector().isNothing();
    this.shard = isPart || shard.filteredBy() != Shard.FilteredBy.UNKNOWN ? shard : null;
    this.hasSynced = hasSynced;
    this.storeResourceVersion = storeResourceVersion;
    this.lastList = health.lastList();
    this.lastEvent = health.lastEvent();
    this.lastError = health.lastError();
    this.lastErrorTime = health.lastErrorTime();
    this.lastConfirmed = health.lastConfirmed();
    this.age = health.age();
    this.stall = stall;
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
   * Returns the time at which the server last confirmed the content of the cache: that of the last
   * complete list, change or bookmark. The cache may lack whatever has changed since. Empty before
   * the first list.
   */
  public Optional<Instant> lastConfirmed() {
    return Optional.ofNullable(lastConfirmed);
  }

  /**
   * Returns how long ago {@link #lastConfirmed} was, at the moment of this health; longer if the
   * informer has been unable to process the next change for longer, such as in an index function
   * that hangs. A wall clock that is set back does not make it shorter.
   */
  public Optional<Duration> age() {
    return Optional.ofNullable(age).map(time -> time.compareTo(stall) < 0 ? stall : time);
  }

  /**
   * Returns why a program should not trust the cache, or that a handler fails repeatedly or hangs;
   * otherwise empty. For a readiness check: {@code is not running: STOPPED}, {@code was last
   * confirmed by the server PT6M ago; last error: ...}.
   *
   * @param maxAge the most that {@link #age} may be; some minutes, because the server sends a
   *     bookmark only about every minute
   */
  public Optional<String> problem(Duration maxAge) {
    String problem;
    if (state == ReflectorState.STOPPED || state == ReflectorState.NEW) {
      problem = "is not running: " + state;
    } else if (!hasSynced) {
      problem = "has no first list yet: " + state;
    } else if (omitted.isAll()) {
      return Optional.of("is empty: " + omitted);
    } else {
      Duration age = age().orElse(Duration.ZERO);
      if (age.compareTo(maxAge) <= 0) {
        return handlers.stream().flatMap(each -> each.problem().stream()).findFirst();
      }
      problem =
          stall.compareTo(maxAge) > 0
              ? "has been unable to process the next change for " + stall
              : "was last confirmed by the server " + age + " ago";
    }
    return Optional.of(
        problem + lastError().map(e -> "; last error: " + CrashLog.text(e)).orElse(""));
  }

  /**
   * Returns the objects whose newest state is missing from the cache, because they could not be
   * decoded, transformed or indexed. Complete as soon as {@link #hasSynced} is true.
   */
  public Omitted omitted() {
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
  public Optional<Shard> shard() {
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

  /**
   * The objects whose newest state is missing from an informer's cache, because they could not be
   * decoded, or the transform or an index function failed on them. The cache keeps the last good
   * state of such an object, or does not have the object at all. An object is counted until a newer
   * state of it reaches the cache, or it is deleted.
   *
   * <p>Immutable. client-go has nothing like it: there an object that cannot be decoded fails the
   * whole list, and a failing index function is a panic.
   */
  public static final class Omitted {

    static final Omitted NONE = new Omitted(0, 0, false, List.of(), null);

    private final int count;
    private final int undecodable;
    private final boolean cacheIsEmpty;
    private final List<String> names;
    private final @Nullable RuntimeException cause;

    Omitted(
        int count,
        int undecodable,
        boolean cacheIsEmpty,
        List<String> names,
        @Nullable RuntimeException cause) {
      this.count = count;
      this.undecodable = undecodable;
      this.cacheIsEmpty = cacheIsEmpty;
      this.names = List.copyOf(names);
      this.cause = cause;
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
      return count == 0;
    }

    /** Returns the number of objects. */
    public int count() {
      return count;
    }

    /** Returns how many could not be decoded; a function of the program failed on the others. */
    public int undecodable() {
      return undecodable;
    }

    /** Returns the keys, {@code namespace/name}, of the first ten objects whose names are known. */
    public List<String> names() {
      return names;
    }

    /** Returns the error of the first object, empty if there is none. */
    public Optional<RuntimeException> cause() {
      return Optional.ofNullable(cause);
    }

    /** Returns whether the server has objects, but the cache has none. */
    public boolean isAll() {
      return count > 0 && cacheIsEmpty;
    }

    /**
     * Returns whether a program that needs the cache should not start: a function of the program
     * failed, or the server has objects but the cache has none.
     */
    boolean isFatal() {
      return count > undecodable || isAll();
    }

    @Override
    public String toString() {
      if (count == 0) {
        return "no objects omitted";
      }
      StringBuilder text = new StringBuilder();
      text.append(count).append(count == 1 ? " object" : " objects").append(" omitted");
      if (!names.isEmpty()) {
        text.append(": ").append(String.join(", ", names));
        if (count > names.size()) {
          text.append(" and ").append(count - names.size()).append(" more");
        }
      }
      if (cause != null) {
        text.append(count == 1 ? "; because of: " : "; the first because of: ");
        text.append(cause.getMessage());
      }
      return text.toString();
    }

    /** Returns the objects that one of two stages left out. */
    static Omitted of(
        OmittedTracker reading, OmittedTracker storing, BooleanSupplier cacheIsEmpty) {
      if (reading.isEmpty() && storing.isEmpty()) {
        return NONE;
      }
      Map<String, Omission> named = new LinkedHashMap<>();
      List<Omission> all = new ArrayList<>();
      reading.copyTo(named, all);
      storing.copyTo(named, all);
      all.addAll(named.values());
      return new Omitted(
          all.size(),
          (int) all.stream().filter(Omission::undecodable).count(),
          cacheIsEmpty.getAsBoolean(),
          named.keySet().stream().limit(OmittedTracker.DETAILS).toList(),
          all.stream().map(Omission::cause).filter(Objects::nonNull).findFirst().orElse(null));
    }
  }

  /**
   * The part of a collection that an informer follows, and whether the server or the client drops
   * the rest. Immutable.
   *
   * @param selector selects the objects that the cache shows; nothing before the first list
   * @param filteredBy drops the objects of other shards
   */
  public record Shard(ShardSelector selector, FilteredBy filteredBy) {

    /** Drops the objects that belong to other shards. */
    public enum FilteredBy {

      /** Not known yet: no answer of the server has told. */
      UNKNOWN,

      /** The server: it sends the objects of this shard only. */
      SERVER,

      /**
       * The client: the server does not support shards, so it sends all objects, and the informer
       * drops most of them. It saves memory, but neither bytes nor the time to decode them.
       */
      CLIENT
    }

    public Shard {
      requireNonNull(selector, "selector");
      requireNonNull(filteredBy, "filteredBy");
    }

    /** Returns what the store of a Reflector shows. */
    static Shard of(ReflectorShard shard) {
      FilteredBy side =
          shard
              .isFilteredByServer()
              .map(server -> server ? FilteredBy.SERVER : FilteredBy.CLIENT)
              .orElse(FilteredBy.UNKNOWN);
      return new Shard(shard.shown(), side);
    }
  }

  /** The activity of a {@link Reflector}. */
  public enum ReflectorState {
    /** It has not been started. */
    NEW,
    /** It reads the collection as the initial events of a watch. */
    STREAMING,
    /** It lists the collection. */
    LISTING,
    /** It follows the changes of the collection. */
    WATCHING,
    /** A request failed or a stream ended early, and it waits before the next request. */
    BACKING_OFF,
    /** It has been stopped. */
    STOPPED
  }
}
