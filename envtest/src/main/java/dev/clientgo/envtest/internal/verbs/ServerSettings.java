package dev.clientgo.envtest.internal.verbs;

import dev.clientgo.clock.Clock;
import dev.clientgo.envtest.internal.encoding.ObjectEncoding;
import dev.clientgo.envtest.internal.kinds.ServedKind;
import dev.clientgo.envtest.traffic.ApiRequest;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The settings of a server.
 *
 * @param clock the clock
 * @param random the source of names and UIDs
 * @param bookmarkInterval the interval of bookmarks in a watch
 * @param shards whether lists and watches of a shard are possible; otherwise the parameter is
 *     ignored
 * @param managedFieldsOptOut whether a request may ask for objects without their managed fields;
 *     otherwise the parameter is ignored
 */
public record ServerSettings(
    Clock clock,
    RandomGenerator random,
    Duration bookmarkInterval,
    boolean shards,
    boolean managedFieldsOptOut) {

  /**
   * Returns the encoding that the {@code Accept} header of a request asks for.
   *
   * @throws dev.clientgo.apimachinery.status.ApiStatusException if the server does not support it
   */
  ObjectEncoding encoding(ApiRequest request, ServedKind served) {
    return ObjectEncoding.of(request, served, clock, managedFieldsOptOut);
  }
}
