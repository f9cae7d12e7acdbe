package dev.clientgo.cache;

import static java.util.Objects.requireNonNull;

import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.cache.internal.reflector.ReflectorShard;

/**
 * The part of a collection that an informer follows, and whether the server or the client drops the
 * rest. Immutable.
 *
 * @param selector selects the objects that the cache shows; nothing before the first list
 * @param filteredBy drops the objects of other shards
 */
public record InformerShard(ShardSelector selector, FilteredBy filteredBy) {

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

  public InformerShard {
    requireNonNull(selector, "selector");
    requireNonNull(filteredBy, "filteredBy");
  }

  /** Returns what the store of a Reflector shows. */
  static InformerShard of(ReflectorShard shard) {
    FilteredBy side =
        shard
            .isFilteredByServer()
            .map(server -> server ? FilteredBy.SERVER : FilteredBy.CLIENT)
            .orElse(FilteredBy.UNKNOWN);
    return new InformerShard(shard.shown(), side);
  }
}
