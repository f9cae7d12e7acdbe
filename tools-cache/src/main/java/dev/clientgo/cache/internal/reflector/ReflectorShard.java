package dev.clientgo.cache.internal.reflector;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.sharding.ShardSelector;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of the collection that a Reflector reads. It may change while the Reflector is running.
 *
 * <p>There are three selectors, because a change takes a while: any thread sets the wanted one; the
 * Reflector takes it over when it begins to read what is new in it; and the store shows it once it
 * has that list.
 */
public final class ReflectorShard {

  private static final Logger LOG = System.getLogger("dev.clientgo.cache.Reflector");

  /** How many ranges of hashes a log line shows. */
  private static final int SHOWN_RANGES = 3;

  private final String reflector;
  private volatile ShardSelector wanted;

  /** Of the lists and watches now; the Reflector's thread writes. */
  private volatile ShardSelector reading;

  /** Of the objects in the store; the thread that changes the store writes. */
  private volatile ShardSelector shown;

  /** Whether the server drops the objects of other shards; null if that is not known yet. */
  private volatile @Nullable Boolean filteredByServer;

  /** Creates an instance of the whole collection. */
  public ReflectorShard(String reflector) {
    this(reflector, ShardSelector.EVERYTHING);
  }

  /**
   * Creates an instance.
   *
   * @param reflector the name of the Reflector in logs
   */
  public ReflectorShard(String reflector, ShardSelector wanted) {
    this.reflector = reflector;
    this.wanted = requireNonNull(wanted, "wanted");
    this.reading = wanted;
    this.shown = new ShardSelector(wanted.field(), List.of());
  }

  /** Sets which shard to read from the next round on. */
  public void want(ShardSelector selector) {
    wanted = requireNonNull(selector, "selector");
  }

  /** Takes over the wanted shard, and returns the one before. */
  public ShardSelector begin() {
    ShardSelector before = reading;
    reading = wanted;
    return before;
  }

  /** Returns whether the collection must be read again, because another shard is wanted. */
  public boolean hasChanged() {
    return !reading.equals(wanted);
  }

  /** Returns the shard of the lists and watches now. */
  public ShardSelector reading() {
    return reading;
  }

  /** Records that the store has a list of that shard. */
  public void show(ShardSelector selector) {
    shown = selector;
  }

  /** Returns the shard that the store shows; it selects nothing before the first list. */
  public ShardSelector shown() {
    return shown;
  }

  /** Returns whether the store shows the shard that is wanted. */
  public boolean isShown() {
    return shown.equals(wanted);
  }

  /**
   * Records whether the server or the client drops the objects of other shards; logs it if that has
   * changed.
   */
  void filteredByServer(boolean server) {
    Boolean before = filteredByServer;
    if (before != null && before == server) {
      return;
    }
    filteredByServer = server;
    if (!server) {
      LOG.log(
          Level.WARNING,
          "The server does not support shards (the feature gate ShardedListAndWatch of Kubernetes"
              + " 1.36 is off), so it sends all objects, and the client drops those of other"
              + " shards: reflector={0} shard={1}",
          reflector,
          describe(reading));
    } else {
      LOG.log(
          Level.INFO,
          "The server sends only the objects of the shard: reflector={0} shard={1}",
          reflector,
          describe(reading));
    }
  }

  /** Returns the selector, or a shorter text if it has many ranges. */
  private static Object describe(ShardSelector selector) {
    int ranges = selector.ranges().size();
    return ranges <= SHOWN_RANGES
        ? selector
        : "%d ranges with %d %% of the hashes of %s"
            .formatted(ranges, Math.round(100 * selector.share()), selector.field());
  }

  /**
   * Returns whether the server drops the objects of other shards, and not the client; empty if that
   * is not known yet.
   */
  public Optional<Boolean> isFilteredByServer() {
    return Optional.ofNullable(filteredByServer);
  }
}
