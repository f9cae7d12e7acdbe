package dev.clientgo.cache;

import dev.clientgo.apimachinery.sharding.ShardSelector;
import dev.clientgo.testing.CapturedLog;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server with shards, and objects that belong to one of them. */
abstract class ShardFixture extends InformerFixture {

  CapturedLog log;
  private int uids;

  @BeforeEach
  void serverSupportsShards() {
    log = CapturedLog.of(Reflector.class);
    server.supportShards(true);
    server.watchListUnsupported(true); // The first list then has shardInfo.
  }

  @AfterEach
  void closeLog() {
    log.close();
  }

  /** Creates an object whose uid belongs to the shard. */
  ApiObject create(String key, ShardSelector shard) {
    return server.put(
        key,
        object -> {
          ApiObject candidate = object;
          do {
            candidate = candidate.withUid("u" + Long.toHexString(++uids * 0x9e3779b97f4a7c15L));
          } while (!shard.matches(candidate));
          return candidate;
        });
  }

  ApiObject change(String key) {
    return server.put(key, object -> object.withUid(server.objects().get(key).metadata().uid()));
  }

  Map<String, ApiObject> onServer(ShardSelector shard) {
    return server.objects().entrySet().stream()
        .filter(entry -> shard.matches(entry.getValue()))
        .collect(
            Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));
  }

  static Map<String, ApiObject> cached(SharedIndexInformer<ApiObject> informer) {
    Map<String, ApiObject> all = new TreeMap<>();
    informer.indexer().list().forEach(o -> all.put(KeyFunction.metaNamespace().keyOf(o), o));
    return all;
  }
}
