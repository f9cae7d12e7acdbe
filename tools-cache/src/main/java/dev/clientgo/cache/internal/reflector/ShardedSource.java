package dev.clientgo.cache.internal.reflector;

import dev.clientgo.apimachinery.errors.CodecException;
import dev.clientgo.apimachinery.meta.KubernetesObject;
import dev.clientgo.apimachinery.meta.ListMeta;
import dev.clientgo.apimachinery.meta.ObjectName;
import dev.clientgo.apimachinery.meta.ResourceVersion;
import dev.clientgo.apimachinery.meta.options.ListOptions;
import dev.clientgo.apimachinery.serializer.ListSink;
import dev.clientgo.apimachinery.sharding.ShardField;
import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.apimachinery.watch.Watch;
import dev.clientgo.apimachinery.watch.WatchEvent;
import dev.clientgo.cache.internal.reflector.Pager.PageFunction;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches the shard of a Reflector: asks the server for its objects only, and drops the
 * rest, because a server that does not support shards ignores the request. It hashes one string for
 * each object, so the check is always made.
 *
 * <p>An event of an object of another shard becomes a bookmark: nothing in this shard has changed
 * up to that version.
 *
 * <p>If a shard grows, only the part that is new is listed, and the watch continues from the
 * version before that list, so that no change of the rest is missed. An event that the list already
 * shows becomes a bookmark as well: one of an object of the part, or of an object of the rest whose
 * name an object of the part has in the list.
 *
 * <p>Used by one thread at a time.
 *
 * @param <T> the type of the objects
 */
public final class ShardedSource<T extends KubernetesObject> {

  private final PageFunction<T> list;
  private final WatchFunction<T> watch;
  private final ReflectorShard shard;

  /** The part that was listed last; null if the watch has passed its version, or there is none. */
  private @Nullable Part part;

  /**
   * A part of the shard that is newer in the store than the rest.
   *
   * @param keys the keys of the objects in its list
   * @param resourceVersion the version of its list
   */
  private record Part(ShardSelector selector, Set<String> keys, String resourceVersion) {

    /** Returns whether the list of the part is newer than an event of the object, or as new. */
    boolean isNotBefore(KubernetesObject object) {
      String version = object.metadata().resourceVersion();
      return isReached(version == null ? "" : version, resourceVersion);
    }

    /** Returns whether the list of the part shows the object, or one of its name. */
    boolean shows(KubernetesObject object) {
      return selector.matches(object) || keys.contains(ObjectName.of(object).toString());
    }
  }

  private static boolean isReached(String version, String by) {
    return ResourceVersion.isComparable(version)
        && ResourceVersion.isComparable(by)
        && ResourceVersion.compare(by, version) >= 0;
  }

  /** Creates a source of the shard of a collection, which the functions list and watch. */
  public ShardedSource(PageFunction<T> list, WatchFunction<T> watch, ReflectorShard shard) {
    this.list = list;
    this.watch = watch;
    this.shard = shard;
  }

  /** Lists the shard; see {@link PageFunction}. */
  public ListMeta list(ListOptions options, ListSink<? super T> sink) throws InterruptedException {
    ShardSelector selector = shard.reading();
    if (selector.isEverything()) {
      return list.list(options, sink);
    }
    ShardEvidence evidence = new ShardEvidence(selector);
    ListMeta metadata = list.list(of(selector, options), new ShardSink<>(selector, evidence, sink));
    // Servers leave it out of lists that they convert, such as those of metadata.
    boolean told = metadata.shardInfo() != null;
    shard.filteredByServer(told || evidence.isOfTheServer());
    return metadata;
  }

  /** Lists a part of the shard, often too small to show who filters; see {@link PageFunction}. */
  public ListMeta listPart(ShardSelector selector, ListOptions options, ListSink<? super T> sink)
      throws InterruptedException {
    ShardEvidence evidence = new ShardEvidence(selector);
    ListMeta metadata = list.list(of(selector, options), new ShardSink<>(selector, evidence, sink));
    if (evidence.isOfTheClient()) {
      shard.filteredByServer(false);
    }
    return metadata;
  }

  /**
   * Records that a part of the shard was listed.
   *
   * @param since the version from which on the shard is watched
   * @return false if the list is older than that, so that changes between them would be missed
   */
  public boolean listedPart(ShardSelector selector, InitialList<T> listed, String since) {
    if (!isReached(since, listed.resourceVersion())) {
      return false;
    }
    part = new Part(selector, Set.copyOf(listed.keys()), listed.resourceVersion());
    return true;
  }

  /** Records that all of the shard is listed. */
  public void listedAll() {
    part = null;
  }

  /** Returns whether a part of the shard was listed at a newer version than the given one. */
  public boolean isAheadOf(String resourceVersion) {
    return part != null && !isReached(part.resourceVersion, resourceVersion);
  }

  /** Watches the shard; see {@link WatchFunction}. */
  public Watch<T> watch(ListOptions options) throws InterruptedException {
    ShardSelector selector = shard.reading();
    String version = options.resourceVersion();
    if (!isAheadOf(version == null ? "" : version)) {
      part = null;
    }
    if (selector.isEverything() && part == null) {
      return watch.watch(options);
    }
    ListOptions asked = selector.isEverything() ? options : of(selector, options);
    return new ShardWatch<>(watch.watch(asked), selector, part, shard, options);
  }

  private static ListOptions of(ShardSelector selector, ListOptions options) {
    return options.toBuilder().shardSelector(selector).build();
  }

  /** Passes on the items of the shard. An item that cannot be decoded may belong to any shard. */
  private record ShardSink<T extends KubernetesObject>(
      ShardSelector selector, ShardEvidence evidence, ListSink<? super T> sink)
      implements ListSink<T> {

    @Override
    public void accept(T item) {
      if (evidence.isOurs(selector.matches(item))) {
        sink.accept(item);
      }
    }

    @Override
    public void undecodable(CodecException error) {
      sink.undecodable(error);
    }
  }

  /**
   * Finds out from the objects that a server sends whether it supports shards: one of another shard
   * proves that it does not, and a long series without any makes it certain that it does.
   */
  private static final class ShardEvidence {

    /** How unlikely a series must be, from a server without shards, to count as a proof. */
    private static final double IMPOSSIBLE = 1e-9;

    /** Namespaces prove nothing: all objects may live in one. */
    private final double share;

    /** The probability that a server without shards sends a series as the last one. */
    private double chance = 1;

    private boolean ofTheClient;

    ShardEvidence(ShardSelector selector) {
      share = selector.field() == ShardField.UID ? selector.share() : 1;
    }

    /** Records whether the next object belongs to the shard, and returns it. */
    boolean isOurs(boolean ours) {
      chance = ours ? chance * share : 1;
      ofTheClient |= !ours;
      return ours;
    }

    boolean isOfTheServer() {
      return chance < IMPOSSIBLE;
    }

    boolean isOfTheClient() {
      return ofTheClient;
    }
  }

  /** The events of the shard. Only the objects in a watch show whether the server filters them. */
  private static final class ShardWatch<T extends KubernetesObject> implements Watch<T> {

    private final Watch<T> watch;
    private final ShardSelector selector;
    private final ReflectorShard shard;
    private final ShardEvidence evidence;

    /** A part of the shard whose list shows the next events; null after the last of these. */
    private @Nullable Part listed;

    /** Whether the events come in no order of versions, so that none of them is a bookmark. */
    private boolean unordered;

    ShardWatch(
        Watch<T> watch,
        ShardSelector selector,
        @Nullable Part listed,
        ReflectorShard shard,
        ListOptions options) {
      this.watch = watch;
      this.selector = selector;
      this.listed = listed;
      this.shard = shard;
      this.evidence = new ShardEvidence(selector);
      String version = options.resourceVersion();
      this.unordered =
          options.sendInitialEvents() == null
              && (version == null || version.isEmpty() || version.equals("0"));
    }

    @Override
    public Optional<WatchEvent<T>> next() throws InterruptedException {
      while (true) {
        Optional<WatchEvent<T>> next = watch.next();
        if (next.isEmpty()) {
          return next;
        }
        WatchEvent<T> event = next.get();
        T object = event.value();
        unordered &= event instanceof WatchEvent.Added;
        if (object == null) {
          if (listed != null && event instanceof WatchEvent.Failed<T> failed) {
            throw failed.error(); // The object may be one that the list of the part shows.
          }
          return next;
        }
        if (listed != null && !listed.isNotBefore(object)) {
          listed = null;
        }
        if (evidence.isOurs(selector.matches(object))) {
          if (evidence.isOfTheServer()) {
            shard.filteredByServer(true);
          }
          if (listed == null || !listed.shows(object)) {
            return next;
          }
        } else {
          shard.filteredByServer(false);
        }
        String version = object.metadata().resourceVersion();
        if (version != null && !unordered) {
          // Among initial events, which have no order either, an ordinary bookmark has no effect.
          return Optional.of(new WatchEvent.Bookmark<>(version, false));
        }
      }
    }

    @Override
    public void close() {
      watch.close();
    }
  }
}
